import { expect, test } from "vitest";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { heldFunds } from "@/lib/domain/orders/order";

const network = getNetwork("tron");
const { contract: token } = getToken(network, "USDT");
const expiresAt = new Date("2026-01-01T01:00:00Z");
const cursor = { network: "tron", currency: "USDT" } as const;
const before = { id: "a", ...cursor, baseUnits: 10_000_000n, isSuperseded: true };
const after = { id: "b", ...cursor, baseUnits: 25_000_000n };
const paid = (quoteId: string, baseUnits: bigint) => ({
  id: `t-${quoteId}`,
  quoteId,
  ...cursor,
  token: canonicalAddress(network.family, token),
  baseUnits,
  isConfirmed: true,
  isAssigned: false,
  paidAt: new Date("2026-01-01T00:30:00Z"),
});
const order = { quoteId: "b", status: "pending", expiresAt } as const;

test("transfers for a quote of earlier terms count by value for the current ones, and settle nothing alone", () => {
  const held = heldFunds(order, [before, after], [paid("a", 10_000_000n)]);
  expect(held).toMatchObject({ quoteId: "b", dueUnits: 25_000_000n, settledBy: null });
  expect(held.funds).toMatchObject({ arrivedUnits: 10_000_000n, confirmedUnits: 10_000_000n });
});

test("both together are enough, and the quote of now alone is, too", () => {
  const both = heldFunds(order, [before, after], [paid("a", 10_000_000n), paid("b", 15_000_000n)]);
  expect(both).toMatchObject({ quoteId: "b", confirmedParts: 2, funds: { confirmedUnits: 25_000_000n } });
  expect(heldFunds(order, [before, after], [paid("b", 25_000_000n)]).settledBy).toBe("t-b");
});

test("a quote that its payer left for another network settles the order as ever", () => {
  const { isSuperseded: _, ...other } = before;
  expect(heldFunds(order, [other, after], [paid("a", 10_000_000n)])).toMatchObject({ quoteId: "a", settledBy: "t-a" });
});
