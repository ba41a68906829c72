import fc from "fast-check";
import { expect, test } from "vitest";
import { CALLBACK_TYPES, type CallbackFilter, callbackFilter, originsOf } from "@/lib/domain/callbacks/filter";
import { CALLBACK_STATUSES } from "@/lib/domain/orders/filter";

const FILTER: fc.Arbitrary<CallbackFilter> = fc.record(
  {
    status: fc.constantFrom(...CALLBACK_STATUSES),
    type: fc.constantFrom(...CALLBACK_TYPES),
    host: fc.constantFrom("shop.example.com", "shop.example.com:8443", "192.0.2.1:3000", "[2001:db8::1]"),
    from: fc.constantFrom("2026-02-28", "2024-02-29"),
    to: fc.constantFrom("2026-03-01", "2039-12-31"),
  },
  { requiredKeys: [] },
);

test("every filter of callbacks survives the way through the URL", () => {
  fc.assert(
    fc.property(FILTER, (filter) => {
      const params = Object.fromEntries(new URLSearchParams(callbackFilter.write(filter)));
      expect(callbackFilter.parse(params)).toEqual(filter);
    }),
  );
});

test("a host is extracted from a whole URL too; an invalid one is ignored", () => {
  const read = (q: string) => callbackFilter.parse({ q }).host;
  expect(read(" https://Shop.example.com/paid?x=1 ")).toBe("shop.example.com");
  expect(read("shop.example.com:8443")).toBe("shop.example.com:8443");
  expect(["", "two words", "http://", "x".repeat(200)].map(read)).toEqual(Array(4).fill(undefined));
  expect(callbackFilter.parse({ status: "lost", type: "order.eaten", from: "2026-02-30" })).toEqual({});
});

test("a host is looked for over either scheme, as origins are written", () => {
  expect(originsOf("shop.example.com:8443")).toEqual(["https://shop.example.com:8443", "http://shop.example.com:8443"]);
  expect(originsOf("shop.example.com:80")).toEqual(["https://shop.example.com:80", "http://shop.example.com"]);
});
