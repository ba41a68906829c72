import fc from "fast-check";
import { expect, test } from "vitest";
import { parseListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";
import { CURRENCIES } from "@/lib/domain/networks";
import { amountSpan, CALLBACK_STATUSES, type OrderFilter, orderFilter } from "@/lib/domain/orders/filter";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";

const DAY = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2039-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const AMOUNT = fc
  .tuple(fc.nat(999_999_999), fc.nat(999_999))
  .map(([whole, part]) => `${whole}.${String(part).padStart(6, "0")}`);
const FILTER = fc.record(
  {
    status: fc.constantFrom(...ORDER_STATUSES),
    exception: fc.constantFrom(...ORDER_EXCEPTIONS),
    network: fc.constantFrom("bsc", "tron"),
    currency: fc.constantFrom(...CURRENCIES),
    callback: fc.constantFrom(...CALLBACK_STATUSES),
    from: DAY,
    to: DAY,
    min: AMOUNT,
    max: AMOUNT,
    text: fc.string({ minLength: 1, maxLength: 90 }).filter((text) => text.trim() === text),
  },
  { requiredKeys: [] },
);

test("every filter survives the way through the URL", () => {
  fc.assert(
    fc.property(FILTER, (filter) => {
      const params = new URLSearchParams(orderFilter.write(filter, { after: "01abc" }));
      expect(orderFilter.parse(Object.fromEntries(params))).toEqual(filter);
      expect(parseListCursor(Object.fromEntries(params))).toEqual({ after: "01abc" });
    }),
  );
});

test("invalid values of a URL are ignored", () => {
  expect(orderFilter.parse({ status: "lost", network: "dogecoin", currency: ["EUR"], q: "  " })).toEqual({});
  expect(orderFilter.parse({ from: "2026-02-30", to: "yesterday", min: "-1", max: "1e3", exception: "odd" })).toEqual(
    {},
  );
  expect(parseListCursor({})).toBeNull();
  expect(orderFilter.write({})).toBe("");
});

test("a text is cut where no id, hash or address is longer", () => {
  expect(orderFilter.parse({ q: "x".repeat(500) }).text).toHaveLength(100);
});

test("a filter is split into its parts, each with the rest of the filter", () => {
  const filter: OrderFilter = { status: "paid", min: "10" };
  expect(orderFilter.parts(filter)).toEqual([
    { field: "status", rest: { min: "10" } },
    { field: "min", rest: { status: "paid" } },
  ]);
});

test("days are whole days of UTC, the last one included; amounts are exact", () => {
  expect(createdSpan({ from: "2026-02-28", to: "2026-02-28" })).toEqual({
    since: new Date("2026-02-28T00:00:00Z"),
    before: new Date("2026-03-01T00:00:00Z"),
  });
  expect(createdSpan({})).toEqual({ since: null, before: null });
  expect(amountSpan({ min: "0.000001", max: "10.5" })).toEqual({ min: 1n, max: 10_500_000n });
});
