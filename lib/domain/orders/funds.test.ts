import { expect, test } from "vitest";
import { type FundsTransfer, leadingFunds } from "@/lib/domain/orders/order";

const expiresAt = new Date("2026-01-01T00:30:00Z");
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const quote = { id: "q1", baseUnits: 10_000_000n };

function transfer(part: Partial<FundsTransfer>): FundsTransfer {
  return {
    id: "t1",
    quoteId: "q1",
    baseUnits: 10_000_000n,
    isConfirmed: true,
    isAssigned: false,
    paidAt: at(5),
    ...part,
  };
}

test("nothing has arrived where nothing was sent", () => {
  const held = leadingFunds([quote], [], expiresAt);
  expect(held).toMatchObject({ quoteId: "q1", dueUnits: 10_000_000n, settledBy: null });
  expect(held.funds).toEqual({ arrivedUnits: 0n, confirmedUnits: 0n, isLate: false, isAssigned: false });
});

test("a payer who is one base unit short has not settled", () => {
  const held = leadingFunds([quote], [transfer({ baseUnits: 9_999_999n })], expiresAt);
  expect(held.settledBy).toBeNull();
  expect(held.funds.confirmedUnits).toBe(9_999_999n);
});

test("the transfer that completes the sum settles, in the order of payment", () => {
  const parts = [
    transfer({ id: "b", baseUnits: 6_000_000n, paidAt: at(9) }),
    transfer({ id: "a", baseUnits: 4_000_000n, paidAt: at(3) }),
  ];
  expect(leadingFunds([quote], parts, expiresAt).settledBy).toBe("b");
});

test("an unconfirmed transfer arrives but does not settle", () => {
  const held = leadingFunds([quote], [transfer({ isConfirmed: false })], expiresAt);
  expect(held.funds.arrivedUnits).toBe(10_000_000n);
  expect(held.funds.confirmedUnits).toBe(0n);
  expect(held.settledBy).toBeNull();
});

test("late is determined by the transfer that completes the amount, not by a later tip", () => {
  const tip = transfer({ id: "tip", baseUnits: 1n, paidAt: at(50) });
  expect(leadingFunds([quote], [transfer({}), tip], expiresAt).funds.isLate).toBe(false);
  expect(leadingFunds([quote], [transfer({ paidAt: at(31) })], expiresAt).funds.isLate).toBe(true);
});

test("paid in the second of the expiry is in time", () => {
  expect(leadingFunds([quote], [transfer({ paidAt: expiresAt })], expiresAt).funds.isLate).toBe(false);
});

test("of two quotes in tokens of different decimals, the one nearer to settling leads", () => {
  const wei = { id: "q2", baseUnits: 10_000_000_000_000_000_000n };
  const half = transfer({ id: "half", baseUnits: 5_000_000n });
  const whole = transfer({ id: "whole", quoteId: "q2", baseUnits: 10_000_000_000_000_000_000n });
  expect(leadingFunds([quote, wei], [half, whole], expiresAt)).toMatchObject({ quoteId: "q2", settledBy: "whole" });
  expect(leadingFunds([quote, wei], [half], expiresAt)).toMatchObject({ quoteId: "q1", settledBy: null });
});

test("a fully received quote precedes a partly confirmed one", () => {
  const other = { id: "q2", baseUnits: 10_000_000n };
  const part = transfer({ id: "part", baseUnits: 6_000_000n });
  const whole = transfer({ id: "whole", quoteId: "q2", baseUnits: 10_000_000n, isConfirmed: false });
  expect(leadingFunds([quote, other], [part, whole], expiresAt)).toMatchObject({
    quoteId: "q2",
    funds: { arrivedUnits: 10_000_000n },
  });
});

test("an order without a quote is an internal error", () => {
  expect(() => leadingFunds([], [], expiresAt)).toThrow("without a quote");
});
