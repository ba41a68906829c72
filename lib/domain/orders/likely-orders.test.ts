import { expect, test } from "vitest";
import { likelyOrders, type OrderCandidate, type UnmatchedTransfer } from "@/lib/domain/orders/likely-orders";

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 10, minutes));
const usdt = (text: number) => BigInt(Math.round(text * 1e6));
const order = (id: string, changes: Partial<OrderCandidate> = {}): OrderCandidate => ({
  id,
  mchOrderId: id,
  status: "pending",
  network: "ethereum",
  currency: "USDT",
  address: "here",
  dueUnits: usdt(10.0003),
  priceUnits: usdt(10),
  paidUnits: 0n,
  createdAt: at(0),
  expiresAt: at(30),
  heldUntil: at(210),
  ...changes,
});
const transfer = (amount: number, changes: Partial<UnmatchedTransfer> = {}): UnmatchedTransfer => ({
  network: "ethereum",
  token: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  currency: "USDT",
  toAddress: "here",
  baseUnits: usdt(amount),
  blockTime: at(5),
  ...changes,
});
const clueOf = (amount: number, changes: Partial<OrderCandidate> = {}) =>
  likelyOrders(transfer(amount), [order("a", changes)])[0];

test("the amounts are distinguished: exact, the round price, short by a fee, less, more", () => {
  expect(clueOf(10.0003)?.amount).toBe("exact");
  expect(clueOf(10)?.amount).toBe("price");
  expect(clueOf(9)?.amount).toBe("fee");
  expect(clueOf(9.0003)?.amount).toBe("fee");
  expect(clueOf(9.1234)?.amount).toBe("less");
  expect(clueOf(2)?.amount).toBe("less");
  expect(clueOf(11)?.amount).toBe("more");
});

test("the missing amount of an underpaid order is the rest, and the remaining difference is exact", () => {
  const rest = clueOf(6.0003, { status: "expired", paidUnits: usdt(4) });
  expect(rest).toMatchObject({ amount: "rest", shortUnits: 0n });
  expect(clueOf(6, { paidUnits: usdt(4) })?.shortUnits).toBe(usdt(0.0003));
  expect(clueOf(10.0003, { status: "paid", paidUnits: usdt(10.0003) })).toMatchObject({
    clues: ["settled"],
    shortUnits: -usdt(10.0003),
  });
});

test("amounts are compared across tokens of different decimals, to the last digit", () => {
  const bsc = { network: "bsc", baseUnits: 10_000_300_000_000_000_000n };
  expect(likelyOrders(transfer(0, bsc), [order("a")])[0]).toMatchObject({ amount: "exact", clues: ["otherNetwork"] });
  const dust = { ...bsc, baseUnits: bsc.baseUnits + 1n };
  expect(likelyOrders(transfer(0, dust), [order("a")])[0]?.amount).not.toBe("exact");
});

test("counter-indications of an order are listed", () => {
  const clues = (changes: Partial<UnmatchedTransfer>, of: Partial<OrderCandidate> = {}) =>
    likelyOrders(transfer(10.0003, changes), [order("a", of)])[0]?.clues;
  expect(clues({ currency: "USDC" })).toEqual(["otherCurrency"]);
  expect(clues({ toAddress: "there", blockTime: at(31) })).toEqual(["otherAddress", "late"]);
  expect(clues({ blockTime: at(-5) }, { status: "cancelled" })).toEqual(["before", "cancelled"]);
});

test("the likeliest comes first: same address and amount, then a fee short, another address; at most five", () => {
  const candidates = [
    order("far", { dueUnits: usdt(9.5), priceUnits: usdt(9.5) }),
    order("settled", { status: "paid" }),
    order("fee", { dueUnits: usdt(11.0003), priceUnits: usdt(11) }),
    order("elsewhere", { address: "there" }),
    order("network", { network: "bsc", dueUnits: 10_000_300_000_000_000_000n }),
    order("older", { createdAt: at(-60) }),
    order("match"),
  ];
  expect(likelyOrders(transfer(10.0003), candidates).map((likely) => likely.order.id)).toEqual([
    "match",
    "older",
    "settled",
    "fee",
    "elsewhere",
  ]);
});

test("25 USDT is likelier too much for 21 at the same address than too little for 33.10 on another network", () => {
  const candidates = [
    order("33.10", { network: "tron", address: "there", dueUnits: usdt(33.1), priceUnits: usdt(33.1) }),
    order("21", { dueUnits: usdt(21), priceUnits: usdt(21), createdAt: at(-20 * 60) }),
    order("29", { network: "bsc", dueUnits: 29n * 10n ** 18n, priceUnits: 29n * 10n ** 18n }),
  ];
  const likely = likelyOrders(transfer(25), candidates);
  expect(likely.map(({ order, amount }) => [order.id, amount])).toEqual([
    ["21", "more"],
    ["29", "fee"],
    ["33.10", "less"],
  ]);
  expect(likely[0]?.shortUnits).toBe(-usdt(4));
});

test("exactly the distinct amount of an order on another network is likelier than a wrong amount at the same address", () => {
  const candidates = [
    order("other amount", { dueUnits: usdt(7.0001), priceUnits: usdt(7) }),
    order("other network", { network: "bsc", dueUnits: 10_000_300_000_000_000_000n }),
  ];
  expect(likelyOrders(transfer(10.0003), candidates)[0]?.order.id).toBe("other network");
});

test("a fee is at most 5 tokens, or 5 % of an amount above 100", () => {
  expect(clueOf(16, { dueUnits: usdt(21), priceUnits: usdt(21) })?.amount).toBe("fee");
  expect(clueOf(15, { dueUnits: usdt(21), priceUnits: usdt(21) })?.amount).toBe("less");
  expect(clueOf(950, { dueUnits: usdt(1_000), priceUnits: usdt(1_000) })?.amount).toBe("fee");
  expect(clueOf(949, { dueUnits: usdt(1_000), priceUnits: usdt(1_000) })?.amount).toBe("less");
});
