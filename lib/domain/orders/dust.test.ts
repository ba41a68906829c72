import { describe, expect, test } from "vitest";
import { maxDustUnits } from "@/lib/domain/orders/dust";
import { hasMoreThanDust, heldFunds, nextException, type OrderStatus } from "@/lib/domain/orders/order";

const expiresAt = new Date("2026-01-01T01:00:00Z");
const USDT = { network: "ethereum", currency: "USDT" } as const;
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";

describe.each([
  { amount: "10 USDT", due: 10_000_000n, dust: 99_999n, more: 100_000n },
  { amount: "9 USDT", due: 9_000_000n, dust: 89_999n, more: 90_000n },
  { amount: "10.01 USDT", due: 10_010_000n, dust: 100_000n, more: 100_001n },
  { amount: "5000 USDT", due: 5_000_000_000n, dust: 100_000n, more: 100_001n },
  { amount: "0.0001 USDT", due: 100n, dust: 0n, more: 1n },
])("of $amount on a dedicated address, $dust base units are dust and $more are not", ({ due, dust, more }) => {
  const quote = { id: "q", ...USDT, baseUnits: due, maxDustUnits: maxDustUnits(due, 1n) };
  const sent = (baseUnits: bigint, isConfirmed = true) => ({
    id: `t-${baseUnits}`,
    quoteId: "q",
    ...USDT,
    token,
    baseUnits,
    isConfirmed,
    isAssigned: false,
    paidAt: expiresAt,
  });
  const exceptionOf = (status: OrderStatus, ...units: bigint[]) => {
    const order = { quoteId: "q", status, expiresAt };
    const held = heldFunds(
      order,
      [quote],
      units.filter((one) => one > 0n).map((one) => sent(one)),
    );
    return nextException({ ...order, ...held, exception: null }, status, held.funds);
  };

  test("as a sum", () => {
    expect([exceptionOf("pending", dust), exceptionOf("pending", more)]).toEqual([null, "underpaid"]);
    expect([exceptionOf("expired", dust), exceptionOf("cancelled", more)]).toEqual([null, "underpaid"]);
    expect(hasMoreThanDust([quote], dust > 0n ? [sent(dust)] : [])).toBe(false);
    expect(hasMoreThanDust([quote], [sent(more, false)])).toBe(true);
  });

  test("as a sum of several", () => {
    const halves = [sent(more / 2n), sent(more - more / 2n)].filter(({ baseUnits }) => baseUnits > 0n);
    expect(hasMoreThanDust([quote], halves)).toBe(true);
  });

  test("as an excess", () => {
    expect([exceptionOf("paid", due + dust), exceptionOf("paid", due + more)]).toEqual([null, "overpaid"]);
    expect([exceptionOf("paid", due, dust), exceptionOf("paid", due, more)]).toEqual([null, "overpaid"]);
  });
});

describe("dust at an address that the payer left for another network", () => {
  const left = { id: "a", ...USDT, baseUnits: 10_000_000n, maxDustUnits: maxDustUnits(10_000_000n, 1n) };
  const shown = { id: "b", ...USDT, baseUnits: 10_000_000n, maxDustUnits: maxDustUnits(10_000_000n, 1n) };
  const dust = {
    id: "dust",
    quoteId: "a",
    ...USDT,
    token,
    baseUnits: 50_000n,
    isConfirmed: true,
    isAssigned: false,
    paidAt: expiresAt,
  };

  test("does not undo the choice, and is on top of the payment without an exception", () => {
    const order = { quoteId: "b", status: "pending", expiresAt } as const;
    expect(heldFunds(order, [left, shown], [dust])).toMatchObject({ quoteId: "b", firstConfirmed: null });
    const payment = { ...dust, id: "payment", quoteId: "b", baseUnits: 10_000_000n };
    const held = heldFunds(order, [left, shown], [dust, payment]);
    expect(held).toMatchObject({ quoteId: "b", settledBy: "payment", funds: { confirmedUnits: 10_050_000n } });
    expect(nextException({ ...order, ...held, exception: null }, "paid", held.funds)).toBeNull();
  });

  test("does not count as a manual payment", () => {
    const order = { quoteId: "a", status: "paid", expiresAt } as const;
    expect(heldFunds(order, [left], [dust]).firstConfirmed).toBeNull();
  });
});
