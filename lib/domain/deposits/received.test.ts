import { expect, test } from "vitest";
import { depositFilter } from "@/lib/domain/deposits/filter";
import { receivedByCurrency } from "@/lib/domain/deposits/received";

test("tokens of one currency are added exactly, regardless of their decimals", () => {
  const sums = [
    { network: "ethereum", currency: "USDT", units: 1_500_001n },
    { network: "bsc", currency: "USDT", units: 2_000_000_000_000_000_003n },
    { network: "bsc", currency: "USDC", units: 0n },
  ] as const;
  expect(receivedByCurrency(sums)).toEqual([{ currency: "USDT", amount: "3.500001000000000003" }]);
  expect(receivedByCurrency([])).toEqual([]);
});

test("a filter is written to the URL and read back, and invalid values are ignored", () => {
  expect(depositFilter.parse({ q: "  anna ", network: "bep20", other: "x" })).toEqual({ text: "anna", network: "bsc" });
  expect(depositFilter.write({ text: "anna", network: "bsc" }, { after: "1" })).toBe("?q=anna&network=bsc&after=1");
  expect(depositFilter.parse({ q: " ", network: "nowhere" })).toEqual({});
});
