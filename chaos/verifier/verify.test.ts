import { describe, expect, test } from "vitest";
import type { Reported } from "@/chaos/callback-shop";
import type { TrueTransfer } from "@/chaos/chains/chain";
import type { CreatedOrder } from "@/chaos/create-orders";
import type { CancelAttempt, LedgerTransfer } from "@/chaos/operations/cancel-orders";
import { afterRestore } from "@/chaos/operations/restore-database";
import { createPlanner } from "@/chaos/plan/plan";
import { createRandom } from "@/chaos/plan/random";
import type { OrderPlan, PlanFacts } from "@/chaos/plan/steps";
import { type CallbackRow, verifyCallbacks, verifyDeliveredAmounts } from "@/chaos/verifier/callbacks";
import { verifyAttempts, verifyCancelled } from "@/chaos/verifier/cancellations";
import { verifyHolds } from "@/chaos/verifier/holds";
import {
  type LedgerRow,
  verifyLedger,
  verifySums,
  verifySweeps,
  verifyTimes,
  verifyUnreadable,
} from "@/chaos/verifier/ledger";
import { type OrderRow, verifyLost, verifyMisdirected, verifyOrders, verifyTooLate } from "@/chaos/verifier/orders";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second));
const NOW = at(59);
const facts: PlanFacts = {
  networks: [
    {
      id: "ethereum",
      family: "evm",
      currencies: ["USDT"],
      deepest: 5,
      hasPaces: true,
      falsifications: ["lags"],
      endpoints: 2,
      noises: ["zero"],
      ownSources: ["xpub", "receiver"],
      standstills: ["head"],
    },
  ],
  transportFaults: ["403"],
  workers: 1,
};

/** Returns the first planned order that has these traits, created at second 0, expired at 10, and no longer reserved after 20. */
function created(traits: { isDedicated: boolean }, change: Partial<CreatedOrder> = {}): CreatedOrder {
  const planner = createPlanner(facts, createRandom(1));
  for (;;) {
    const orders = planner.nextRound().flatMap((step) => (step.kind === "create" ? step.orders : []));
    const found = orders.find(
      ({ isDedicated, source, script }) =>
        isDedicated === traits.isDedicated && source === "pasted" && script.name === "exact",
    );
    if (!found) continue;
    const plan = { ...found, hasNotifyUrl: true };
    return {
      plan,
      tradeId: "order-1",
      address: "0xshop",
      baseUnits: 100n,
      minUnits: 100n,
      requestedAt: at(0),
      source: traits.isDedicated ? "pasted" : "shared",
      expiresAt: at(10),
      reservedUntil: at(20),
      isCancelled: false,
      isLost: false,
      ...change,
    };
  }
}

const transfer = (change: Partial<TrueTransfer> = {}): TrueTransfer => ({
  network: "ethereum",
  txId: "0x1",
  position: "0",
  currency: "USDT",
  to: "0xshop",
  baseUnits: 100n,
  blockTime: at(5),
  ...change,
});

const row = (change: Partial<LedgerRow> = {}): LedgerRow => ({
  network: "ethereum",
  txId: "0x1",
  position: "0",
  currency: "USDT",
  toAddress: "0xshop",
  baseUnits: 100n,
  blockTime: at(5),
  status: "confirmed",
  orderId: "order-1",
  unmatchedReason: null,
  meantOrderId: null,
  isSweep: false,
  isVerified: true,
  ...change,
});

const paid: OrderRow = { id: "order-1", status: "paid", exception: null, paidUnits: 100n };

describe("the ledger", () => {
  const verify = (expected: TrueTransfer[], ledger: LedgerRow[]) => {
    const { lost, double, unclear } = verifyLedger(expected, ledger);
    return { lost: lost.length, double: double.length, unclear: unclear.length };
  };
  const fine = { lost: 0, double: 0, unclear: 0 };

  test("with exactly the final transfers is correct, also after a reorg", () => {
    const dropped = row({ txId: "0x2", status: "dropped", orderId: null, unmatchedReason: "taken_back" });
    expect(verify([transfer()], [row(), dropped])).toEqual(fine);
  });

  test.each<[string, LedgerRow[], Partial<typeof fine>]>([
    ["without a final transfer has lost it", [], { lost: 1 }],
    ["that only saw a final transfer has lost it", [row({ status: "seen" })], { lost: 1, unclear: 1 }],
    ["that took a final transfer back has lost it", [row({ status: "dropped" })], { lost: 1 }],
    ["with another amount has lost it", [row({ baseUnits: 99n })], { lost: 1 }],
    ["with another currency has lost it", [row({ currency: "USDC" })], { lost: 1 }],
    ["with another receiver has lost it", [row({ toAddress: "0xelse" })], { lost: 1 }],
    ["with another position has lost it and made one up", [row({ position: "1" })], { lost: 1, double: 1 }],
    ["with a transfer that no chain has made it up", [row(), row({ txId: "0x2" })], { double: 1 }],
    ["with a transfer twice has doubled it", [row(), row()], { double: 1 }],
    ["with an unverified transfer is not done", [row({ isVerified: false })], { unclear: 1 }],
    ["with a transfer of no order and no reason is unclear", [row({ orderId: null })], { unclear: 1 }],
  ])("%s", (_what, ledger, invalid) => {
    expect(verify([transfer()], ledger)).toEqual({ ...fine, ...invalid });
  });
});

test("a confirmed transfer is stored with the time of its block", () => {
  const early = row({ blockTime: new Date(at(5).getTime() - 6 * 3_600_000) });
  expect(verifyTimes([transfer()], [row()])).toEqual([]);
  expect(verifyTimes([transfer()], [{ ...early, status: "dropped" }])).toEqual([]);
  expect(verifyTimes([transfer()], [early])).toHaveLength(1);
});

describe("sweeps of the merchants' addresses", () => {
  const swept = transfer({ from: "0xown", to: "0xshop" });
  const kept = row({ orderId: null, isSweep: true });

  test("is kept as a sweep and as nothing else, and nothing else is one", () => {
    expect(verifySweeps([swept], [], [kept])).toEqual([]);
    expect(verifyLedger([swept], [kept]).unclear).toEqual([]);
    expect(verifySweeps([swept], [], [row()])).toHaveLength(1);
    expect(verifySweeps([swept], [], [row({ orderId: null, unmatchedReason: "no_such_amount" })])).toHaveLength(1);
    expect(verifySweeps([swept], [], [row({ isSweep: true })])).toHaveLength(1);
    expect(verifySweeps([], [transfer()], [kept])).toHaveLength(1);
  });

  test("matches the chain's balance to the unit", () => {
    const addresses = new Set(["0xown"]);
    const sums = (held: bigint) => [{ network: "ethereum", currency: "USDT", held, addresses }];
    const arrived = [row({ toAddress: "0xown" }), row({ txId: "0x2", toAddress: "0xown", baseUnits: 7n })];
    const gone = row({ txId: "0x3", toAddress: "0xown", status: "dropped" });
    expect(verifySums(sums(7n), [swept], [...arrived, gone, row()])).toEqual([]);
    expect(verifySums(sums(8n), [swept], arrived)).toHaveLength(1);
    expect(verifySums(sums(7n), [], arrived)).toHaveLength(1);
    expect(verifySums(sums(107n), [transfer({ network: "bsc" })], [...arrived, row({ network: "bsc" })])).toEqual([]);
  });
});

describe("unreadable transactions", () => {
  const one = { network: "solana", txId: "5sig" };
  const verify = (expected: (typeof one)[], waiting: (typeof one)[], ledger: LedgerRow[] = []) => {
    const { lost, invalid } = verifyUnreadable(expected, waiting, ledger);
    return [lost.length, invalid.length];
  };

  test("waits for a person, on every account that it touches, and nothing else does", () => {
    expect(verify([one], [one, one])).toEqual([0, 0]);
    expect(verify([], [])).toEqual([0, 0]);
  });

  test("are lost when not reported, and a defect when readable, gone or in the ledger", () => {
    expect(verify([one], [])).toEqual([1, 0]);
    expect(verify([one], [{ ...one, network: "tron" }])).toEqual([1, 1]);
    expect(verify([], [one])).toEqual([0, 1]);
    expect(verify([one], [one], [row(one)])).toEqual([0, 1]);
    expect(verify([one], [one], [row({ ...one, status: "dropped" })])).toEqual([0, 0]);
  });
});

describe("an order", () => {
  const verify = (order: CreatedOrder, state: OrderRow, expected: TrueTransfer[], ledger: LedgerRow[]) =>
    verifyOrders([order], [state], expected, ledger, NOW);
  const shared = created({ isDedicated: false });
  const dedicated = created({ isDedicated: true });
  const unpaid: OrderRow = { ...paid, status: "expired", paidUnits: 0n };

  test("with a status that matches its transfers is correct", () => {
    expect(verify(shared, paid, [transfer()], [row()])).toEqual([]);
    expect(verify(shared, unpaid, [], [])).toEqual([]);
    const late = { ...paid, exception: "late" };
    expect(verify({ ...shared, expiresAt: at(1) }, late, [transfer()], [row()])).toEqual([]);
    const half = [transfer({ baseUnits: 40n }), transfer({ txId: "0x2", baseUnits: 70n })];
    const halves = [row({ baseUnits: 40n }), row({ txId: "0x2", baseUnits: 70n })];
    expect(verify(dedicated, { ...paid, exception: "overpaid", paidUnits: 110n }, half, halves)).toEqual([]);
    const under = { ...unpaid, exception: "underpaid", paidUnits: 40n };
    expect(verify(dedicated, under, half.slice(0, 1), halves.slice(0, 1))).toEqual([]);
  });

  test.each<[string, OrderRow, TrueTransfer[], LedgerRow[]]>([
    ["is paid without money", paid, [], []],
    ["is paid by a transfer that no chain has", paid, [], [row()]],
    ["is not paid though its money is there", unpaid, [transfer()], [row()]],
    ["is still confirming", { ...paid, status: "confirming", paidUnits: 0n }, [transfer()], [row()]],
    ["is still pending after its time", { ...unpaid, status: "pending" }, [], []],
    ["is paid with another sum", { ...paid, paidUnits: 101n }, [transfer()], [row()]],
    ["is called late though it was in time", { ...paid, exception: "late" }, [transfer()], [row()]],
    ["is paid by another amount", paid, [transfer({ baseUnits: 99n })], [row({ baseUnits: 99n })]],
    ["is paid in another currency", paid, [transfer({ currency: "USDC" })], [row({ currency: "USDC" })]],
    ["is paid on another network", paid, [transfer({ network: "bsc" })], [row({ network: "bsc" })]],
    ["is paid after its late window", paid, [transfer({ blockTime: at(21) })], [row()]],
  ])("that %s is wrong", (_what, state, expected, ledger) => {
    expect(verify(shared, state, expected, ledger).length).toBeGreaterThan(0);
  });

  test("on a dedicated address is paid within the tolerance, and by no earlier transfer", () => {
    const tolerant = { ...dedicated, minUnits: 98n };
    const short = [transfer({ baseUnits: 98n })];
    const changed = { ...paid, paidUnits: 98n };
    expect(verify(tolerant, changed, short, [row({ baseUnits: 98n })])).toEqual([]);
    expect(verify(dedicated, changed, short, [row({ baseUnits: 98n })]).length).toBeGreaterThan(0);
    expect(verify(tolerant, paid, short, [row({ baseUnits: 98n })]).length).toBeGreaterThan(0);
    const tooShort = [transfer({ baseUnits: 97n })];
    expect(
      verify(tolerant, { ...changed, paidUnits: 97n }, tooShort, [row({ baseUnits: 97n })]).length,
    ).toBeGreaterThan(0);
    const since = { ...dedicated, requestedAt: at(7) };
    expect(verify(since, unpaid, [transfer()], [row({ orderId: "order-0" })])).toEqual([]);
    expect(verify(since, paid, [transfer()], [row()]).length).toBeGreaterThan(0);
  });

  test("a newer order on an address does not make a payment for the previous order late", () => {
    const before = { ...dedicated, tradeId: "order-0", requestedAt: at(-60), reservedUntil: at(-30) };
    expect(verifyTooLate([before, dedicated], [transfer()], [row()])).toEqual([]);
    expect(verifyTooLate([before], [transfer()], [row()])).toHaveLength(1);
  });

  test("that is gone, or on an own address leaves money out, is wrong", () => {
    expect(verifyOrders([shared], [], [], [], NOW)).toHaveLength(1);
    const two = [transfer(), transfer({ txId: "0x2", baseUnits: 1n })];
    expect(verify(dedicated, paid, two, [row()]).length).toBeGreaterThan(0);
  });

  test("a transfer that was credited to another order than intended is misdirected", () => {
    expect(verifyMisdirected([shared], [transfer()], [row()])).toEqual([]);
    expect(verifyMisdirected([shared], [transfer()], [row({ orderId: null, unmatchedReason: "late" })])).toEqual([]);
    expect(verifyMisdirected([shared], [transfer()], [row({ orderId: "order-2" })])).toHaveLength(1);
  });

  test("money from after its late window is kept as late, and by no other word", () => {
    const expected = [transfer({ blockTime: at(21) })];
    const kept = row({ orderId: null, unmatchedReason: "late" });
    expect(verifyTooLate([shared], expected, [kept])).toEqual([]);
    expect(verifyTooLate([shared], expected, [row()])).toHaveLength(1);
    expect(verifyTooLate([shared], expected, [{ ...kept, unmatchedReason: "no_such_amount" }])).toHaveLength(1);
  });
});

describe("money that came too late for one order while another is open at the address, on another network", () => {
  const asked = (price: number, network: string, change: Partial<CreatedOrder>) => {
    const order = created({ isDedicated: true });
    const baseUnits = BigInt(price) * (network === "bsc" ? 1_000n : 1n);
    return { ...order, plan: { ...order.plan, price, network }, baseUnits, ...change };
  };
  const late = asked(100, "ethereum", { tradeId: "late", requestedAt: at(0), reservedUntil: at(20) });
  const open = asked(70, "bsc", { tradeId: "open", requestedAt: at(22), reservedUntil: at(50) });

  test.each([
    { what: "the late order's amount", baseUnits: 100n, reason: "late" },
    { what: "the open order's amount", baseUnits: 70n, reason: "other_network" },
    { what: "another amount", baseUnits: 30n, reason: "late" },
  ])("is kept as $reason if it is $what", ({ baseUnits, reason }) => {
    const expected = [transfer({ baseUnits, blockTime: at(30) })];
    for (const unmatchedReason of ["late", "other_network"]) {
      const kept = row({ baseUnits, orderId: null, unmatchedReason });
      expect(verifyTooLate([late, open], expected, [kept])).toHaveLength(unmatchedReason === reason ? 0 : 1);
    }
  });
});

describe("a cancelled order", () => {
  const order = created({ isDedicated: false }, { isCancelled: true });
  const cancelled: OrderRow = { ...paid, status: "cancelled", paidUnits: 0n };
  const unmatched = row({ orderId: null, unmatchedReason: "order_cancelled", meantOrderId: "order-1" });
  const verify = (state: OrderRow, ledger: LedgerRow[], expected = [transfer()]) =>
    verifyCancelled([order], [state], expected, ledger);

  test("stays cancelled, and transfers within its hold stay unmatched and refer to it", () => {
    expect(verify(cancelled, [], [])).toEqual([]);
    expect(verify(cancelled, [unmatched])).toEqual([]);
    expect(verifyOrders([order], [cancelled], [transfer()], [unmatched], NOW)).toEqual([]);
    expect(verifyMisdirected([order], [transfer()], [{ ...unmatched, orderId: "order-2" }])).toHaveLength(1);
  });

  test.each<[string, OrderRow, LedgerRow[]]>([
    ["is paid", paid, [unmatched]],
    ["holds a sum", { ...cancelled, paidUnits: 40n }, [unmatched]],
    ["is underpaid", { ...cancelled, exception: "underpaid" }, [unmatched]],
    ["has a removed transfer", cancelled, [unmatched, row({ txId: "0x2", status: "dropped" })]],
    ["has its transfer", cancelled, [row()]],
    ["lost its transfer to another order", cancelled, [row({ orderId: "order-2" })]],
    ["has its transfer unmatched for another reason", cancelled, [{ ...unmatched, unmatchedReason: "late" }]],
    ["is not named by its transfer", cancelled, [{ ...unmatched, meantOrderId: null }]],
  ])("that %s is wrong", (_what, state, ledger) => {
    expect(verify(state, ledger).length).toBeGreaterThan(0);
  });

  test("has transfers from after its hold unmatched for the same reason", () => {
    const expected = [transfer({ blockTime: at(21) })];
    expect(verifyTooLate([order], expected, [unmatched])).toEqual([]);
    expect(verifyTooLate([order], expected, [{ ...unmatched, unmatchedReason: "late" }])).toHaveLength(1);
  });
});

describe("an attempt to cancel", () => {
  const order = created({ isDedicated: false });
  const seen: LedgerTransfer = { ...row(), status: "seen", currency: "USDT", blockTime: at(5), seenAt: at(6) };
  const attempt = (change: Partial<CancelAttempt>): CancelAttempt => ({
    tradeId: "order-1",
    by: "apiKey",
    isRepeat: false,
    before: [],
    after: [],
    problem: null,
    status: "cancelled",
    at: at(7),
    ...change,
  });
  const refused = (change: Partial<CancelAttempt>) => attempt({ problem: "no", status: "confirming", ...change });

  test.each<[string, CancelAttempt]>([
    ["accepted while nothing arrived", attempt({})],
    ["accepted before the transfer was read", attempt({ after: [seen] })],
    [
      "accepted after a reorg removed the transfer",
      attempt({ before: [seen], after: [{ ...seen, status: "dropped" }] }),
    ],
    [
      "accepted while another amount arrived",
      attempt({ before: [{ ...seen, baseUnits: 9n }], after: [{ ...seen, baseUnits: 9n }] }),
    ],
    ["accepted by a user after a part was paid", attempt({ by: "user", before: [seen], after: [seen] })],
    ["repeated after a transfer arrived", attempt({ isRepeat: true, before: [seen], after: [seen] })],
    ["refused once the transfer was read", refused({ after: [seen] })],
    ["refused for a transfer that is not matched yet", refused({ status: "pending", before: [seen], after: [seen] })],
    ["refused while a reorg removes the transfer", refused({ after: [{ ...seen, status: "dropped" }] })],
    ["refused after the order expired", refused({ status: "expired", at: at(11) })],
  ])("%s is right", (_what, one) => {
    expect(verifyAttempts([one], [order])).toEqual([]);
  });

  test.each<[string, CancelAttempt]>([
    ["accepted by the API with the transfer in the ledger", attempt({ before: [seen], after: [seen] })],
    ["refused while nothing arrived", refused({})],
    ["refused as a repeat", refused({ isRepeat: true, after: [seen] })],
    ["refused for another amount", refused({ after: [{ ...seen, baseUnits: 9n }] })],
    [
      "refused for a transfer from after the hold",
      refused({ after: [{ ...seen, blockTime: at(30), seenAt: at(31) }] }),
    ],
    ["refused for a removed transfer", refused({ status: "pending", after: [{ ...seen, status: "dropped" }] })],
    ["refused as expired before its time", refused({ status: "expired", at: at(7) })],
  ])("%s is wrong", (_what, one) => {
    expect(verifyAttempts([one], [order])).toHaveLength(1);
  });
});

describe("after a restore", () => {
  const kept = created({ isDedicated: false });
  const lost = { ...kept, tradeId: "order-9", isLost: true };
  const misdirected = row({ orderId: null, unmatchedReason: "no_such_amount" });

  test("an order created after the dump is lost, and its payment is credited to no other order", () => {
    expect(verifyLost([kept, lost], [paid])).toEqual([]);
    expect(verifyLost([kept, lost], [{ ...paid, id: "order-9" }])).toHaveLength(1);
    expect(verifyOrders([lost], [], [transfer()], [misdirected], NOW)).toEqual([]);
    expect(verifyMisdirected([lost], [transfer()], [misdirected])).toEqual([]);
    expect(verifyMisdirected([lost], [transfer()], [row()])).toHaveLength(1);
  });

  test("a cancellation of after the dump is gone too", () => {
    const dump = { file: "", created: new Set([kept.plan.index]), cancelled: new Set<number>() };
    expect(afterRestore({ ...kept, isCancelled: true }, dump)).toEqual(kept);
    expect(afterRestore(kept, { ...dump, cancelled: dump.created })).toMatchObject({
      isCancelled: true,
      isLost: false,
    });
    expect(afterRestore(kept, { ...dump, created: new Set() })).toMatchObject({ isLost: true });
  });

  const later = { ...kept, tradeId: "order-2", requestedAt: at(15) };
  const other = (change: Partial<OrderPlan>, baseUnits = later.baseUnits) => ({
    ...later,
    plan: { ...later.plan, ...change },
    baseUnits,
  });

  test.each<[string, CreatedOrder, CreatedOrder, number]>([
    ["the amount of a lost order is taken", lost, later, 1],
    ["an amount is taken", kept, later, 1],
    ["an amount is taken for every currency", kept, other({ currency: "USDC" }), 1],
    ["an amount is taken on every network of the family", kept, other({ network: "bsc" }, 100n * 10n ** 12n), 1],
    ["another amount is free", kept, { ...later, baseUnits: 101n }, 0],
    ["an amount is free at another address", kept, { ...later, address: "0xelse" }, 0],
    ["an amount is taken until two minutes after its hold", kept, { ...later, requestedAt: at(20 + 119) }, 1],
    ["an amount is free two minutes after its hold", kept, { ...later, requestedAt: at(20 + 120) }, 0],
    [
      "a dedicated address is taken for any amount",
      { ...lost, source: "xpub" },
      { ...later, source: "xpub", baseUnits: 7n },
      1,
    ],
  ])("%s", (_what, earlier, one, count) => {
    expect(verifyHolds([one, earlier])).toHaveLength(count);
  });

  const event: CallbackRow = { id: "evt_2", orderId: "order-1", status: "delivered" };
  const reported = (...ids: string[]): Map<string, Reported> =>
    new Map([["order-1", { events: new Set(ids), deliveries: ids.length, paidAmount: "1" }]]);

  test.each<
    [
      string,
      CreatedOrder,
      boolean,
      CallbackRow[],
      Map<string, Reported>,
      Map<string, Reported>,
      [number, number, number],
    ]
  >([
    [
      "an event that is not in the dump is sent again",
      kept,
      true,
      [event],
      reported("evt_2"),
      reported("evt_1"),
      [0, 0, 0],
    ],
    [
      "an event that the dump has as sent is not sent again",
      kept,
      true,
      [event],
      new Map(),
      reported("evt_2"),
      [0, 0, 0],
    ],
    ["an event that was never reported is missing", kept, true, [event], new Map(), reported("evt_1"), [1, 0, 0]],
    [
      "an event that was sent twice since is double",
      kept,
      true,
      [event],
      reported("evt_2", "evt_3"),
      reported("evt_1"),
      [0, 2, 0],
    ],
    ["an event that no longer holds is a contradiction", kept, false, [], new Map(), reported("evt_1"), [0, 0, 1]],
    [
      "an event of a lost order from before the restore does not count",
      { ...kept, isLost: true },
      false,
      [],
      new Map(),
      reported("evt_1"),
      [0, 0, 0],
    ],
    [
      "a new event of a lost order is double",
      { ...kept, isLost: true },
      false,
      [],
      reported("evt_2"),
      new Map(),
      [0, 2, 0],
    ],
  ])("%s", (_what, order, isPaid, rows, since, before, counts) => {
    const verdict = verifyCallbacks([order], new Set(isPaid ? ["order-1"] : []), rows, since, before);
    expect([verdict.missing.length, verdict.double.length, verdict.contradicted.length]).toEqual(counts);
  });
});

describe("the callbacks", () => {
  const order = created({ isDedicated: false });
  const event: CallbackRow = { id: "evt_1", orderId: "order-1", status: "delivered" };
  const received = (...ids: string[]): Map<string, Reported> =>
    new Map([["order-1", { events: new Set(ids), deliveries: ids.length, paidAmount: "1" }]]);
  const verify = (isPaid: boolean, rows: CallbackRow[], reported: Map<string, Reported>) => {
    const { missing, double } = verifyCallbacks([order], new Set(isPaid ? ["order-1"] : []), rows, reported);
    return [missing.length > 0, double.length > 0];
  };

  test("of a paid order are one received event, with any number of deliveries", () => {
    expect(verify(true, [event], received("evt_1"))).toEqual([false, false]);
    expect(verify(false, [], new Map())).toEqual([false, false]);
  });

  test("report the paid amount: at least what was due, at most what arrived", () => {
    const asked = { ...order, baseUnits: 2_500_000n, minUnits: 2_500_000n };
    const paidUnits = 3_000_000n;
    const verifyAmount = (paidAmount: string) =>
      verifyDeliveredAmounts([asked], [{ ...paid, paidUnits }], new Map([["order-1", { ...reported, paidAmount }]]));
    const reported: Reported = { events: new Set(["evt_1"]), deliveries: 1, paidAmount: "" };
    for (const right of ["2.5", "2.500001", "3"]) expect(verifyAmount(right)).toEqual([]);
    for (const invalid of ["2.499999", "3.000001", "0"]) expect(verifyAmount(invalid)).toHaveLength(1);
  });

  test.each<[string, boolean, CallbackRow[], Map<string, Reported>, [boolean, boolean]]>([
    ["no event is missing", true, [], new Map(), [true, false]],
    ["an event that was not received is missing", true, [event], new Map(), [true, false]],
    [
      "an event that is not delivered is missing",
      true,
      [{ ...event, status: "pending" }],
      received("evt_1"),
      [true, false],
    ],
    ["two events are double", true, [event, { ...event, id: "evt_2" }], received("evt_1"), [false, true]],
    ["two received events are double", true, [event], received("evt_1", "evt_2"), [false, true]],
    ["one of an order that is not paid is double", false, [event], received("evt_1"), [false, true]],
    ["an unrecorded event is double, and the other is missing", true, [event], received("evt_9"), [true, true]],
  ])("%s", (_what, isPaid, rows, reported, verdict) => {
    expect(verify(isPaid, rows, reported)).toEqual(verdict);
  });
});
