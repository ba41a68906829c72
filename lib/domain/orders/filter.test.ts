import { expect, test } from "vitest";
import { parseListPlace } from "@/lib/domain/list-place";
import { parseOrderFilter, writeOrderFilter } from "@/lib/domain/orders/filter";

test("a filter survives the way through the URL", () => {
  const filter = { status: "paid", network: "bsc", currency: "USDC", callback: "failed", text: "order & 7" } as const;
  const params = new URLSearchParams(writeOrderFilter(filter, { after: "01abc" }));
  expect(parseOrderFilter(Object.fromEntries(params))).toEqual(filter);
  expect(parseListPlace(Object.fromEntries(params))).toEqual({ after: "01abc" });
});

test("what a URL says that makes no sense is left out", () => {
  expect(parseOrderFilter({ status: "lost", network: "dogecoin", currency: ["EUR"], q: "  " })).toEqual({});
  expect(parseListPlace({})).toBeNull();
  expect(writeOrderFilter({})).toBe("");
});

test("a text is cut where no id, hash or address is longer", () => {
  expect(parseOrderFilter({ q: "x".repeat(500) }).text).toHaveLength(100);
});
