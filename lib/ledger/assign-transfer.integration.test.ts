import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { listOrderTransfers } from "@/db/queries/transfers/transfer-list";
import { auditEvents, callbacks, orders, quotes, transfers } from "@/db/schema";
import { outcomeName } from "@/lib/domain/callbacks/assignment";
import { checkoutView } from "@/lib/domain/checkout/view";
import type { Actor } from "@/lib/domain/keys/role";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { assignTransfer, foreseeAssignment } from "@/lib/ledger/assign-transfer";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { expireOrders } from "@/lib/orders/expire-orders";
import { findCheckout } from "@/lib/orders/find-checkout";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { moveOrder } from "@/lib/orders/move-order";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const now = new Date("2026-01-01T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const price = 10_000_000n;
const notifyUrl = "https://shop.example.com/hook";
const db = () => testDb.pool.db;

type Address = Awaited<ReturnType<typeof seedAddress>>;
let owner: Actor;
let stranger: Actor;
let shared: Address;

beforeEach(async () => {
  await empty(db(), "merchants", "users", "orders", "quotes", "audit_events", "cursors");
  const register = async (email: string): Promise<Actor> => ({
    ...(await createMerchantWithOwner(db(), { name: "Tea House", email, password: "correct horse battery" }, now)),
    role: "owner",
  });
  [owner, stranger] = [await register("owner@example.com"), await register("other@example.com")];
  shared = await seedAddress(db(), { merchantId: owner.merchantId }, now);
});

const readOrder = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0];
const readTransfer = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0];
const readQuote = async (id: string) => (await db().select().from(quotes).where(eq(quotes.id, id)))[0];
const countCallbacks = (orderId: string) => db().$count(callbacks, eq(callbacks.orderId, orderId));
const actionsOf = async (orderId: string) =>
  (await db().select().from(auditEvents).where(eq(auditEvents.orderId, orderId)).orderBy(auditEvents.id)).map(
    ({ action, userId }) => [action, userId],
  );
const assign = (transferId: string, orderId: string, actor = owner) =>
  assignTransfer(db(), ctx, actor, { transferId, orderId }, later(5));
const order = (changes: Partial<Parameters<typeof seedOrder>[1]> = {}) =>
  seedOrder(db(), { address: shared, baseUnits: price, notifyUrl, ...changes }, now);

/** Stores an unmatched transfer; final by default. */
async function unmatched(seed: Partial<Parameters<typeof seedTransfer>[1]> = {}, isFinal = true) {
  const seenAt = seed.blockTime ?? now;
  const row = await seedTransfer(db(), { address: shared, baseUnits: 9_000_000n, ...seed }, seenAt);
  await matchTransfers(db(), ctx, row.network, seenAt);
  if (isFinal) await finalize(row.id);
  expect((await readTransfer(row.id))?.unmatchedReason).not.toBeNull();
  return row;
}

const finalize = (id: string) =>
  db().update(transfers).set({ status: "confirmed", confirmedAt: now, confirmations: 12 }).where(eq(transfers.id, id));

describe("assigning", () => {
  test("a transfer that covers the amount pays the order manually, with one callback and the recorded user", async () => {
    const { id, quoteId, reservedUntil } = await order();
    const row = await unmatched({ baseUnits: 10_500_000n });
    expect(await assign(row.id, id)).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({
      status: "paid",
      exception: "manual",
      paidUnits: 10_500_000n,
      settledByTransferId: row.id,
    });
    expect(await readTransfer(row.id)).toMatchObject({ orderId: id, isAssigned: true, unmatchedReason: null });
    expect(await countCallbacks(id)).toBe(1);
    expect(await readQuote(quoteId)).toMatchObject({ releasedAt: null, reservedUntil });
    expect((await actionsOf(id)).toSorted()).toEqual([
      ["order.paid", null],
      ["transfer.assigned", owner.userId],
    ]);
    expect((await findOrderDetail(db(), { id }))?.settledTxId).toBe(row.txId);
  });

  test("one that covers only a part leaves the order open as underpaid; another completes it", async () => {
    const { id } = await order();
    expect(await assign((await unmatched()).id, id)).toEqual({ status: "pending" });
    expect(await readOrder(id)).toMatchObject({ status: "pending", exception: "underpaid", paidUnits: 9_000_000n });
    expect(await countCallbacks(id)).toBe(0);
    expect(await assign((await unmatched({ baseUnits: 1_000_000n })).id, id)).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({ exception: "manual", paidUnits: price });
  });

  test("one that is not final yet makes the order confirming, and paid when it is final", async () => {
    const { id } = await order();
    const row = await unmatched({ baseUnits: 10_000_001n }, false);
    expect(await assign(row.id, id)).toEqual({ status: "confirming" });
    await finalize(row.id);
    expect(await moveOrder(db(), ctx, id, { type: "fundsChanged" }, later(6))).toBe("paid");
    expect(await readOrder(id)).toMatchObject({ exception: "manual" });
  });

  test("a reorg that takes an assigned transfer back opens the order again; it stays assigned when it returns", async () => {
    const { id } = await order();
    const row = await unmatched({ baseUnits: 10_000_001n }, false);
    await assign(row.id, id);
    await db().update(transfers).set({ status: "dropped", matchedAt: null }).where(eq(transfers.id, row.id));
    await matchTransfers(db(), ctx, "ethereum", later(6));
    expect(await readOrder(id)).toMatchObject({ status: "pending", exception: null });
    await db().update(transfers).set({ status: "seen", matchedAt: null }).where(eq(transfers.id, row.id));
    await matchTransfers(db(), ctx, "ethereum", later(7));
    expect((await readOrder(id))?.status).toBe("confirming");
  });

  test("a transfer on another network with other decimals counts by its public amount, also on the payment page", async () => {
    const onBsc = await seedAddress(db(), { merchantId: owner.merchantId, network: "bsc" }, now);
    const { id } = await order();
    const row = await unmatched({ address: onBsc, currency: "USDC", baseUnits: 10n ** 19n });
    expect(await assign(row.id, id)).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({ paidUnits: price, exception: "manual" });
    expect((await findCheckout(db(), id))?.transfers).toMatchObject([{ network: "bsc", countedUnits: price }]);
    const short = await order({ baseUnits: 20_000_000n });
    const dust = await unmatched({ address: onBsc, baseUnits: 2n * 10n ** 19n - 1n });
    expect(await assign(dust.id, short.id)).toEqual({ status: "pending" });
    expect(await readOrder(short.id)).toMatchObject({ paidUnits: 19_999_999n, exception: "underpaid" });
  });

  test("a transfer on another network that is not final requires that network's confirmations: page, API and back office", async () => {
    const onBsc = await seedAddress(db(), { merchantId: owner.merchantId, network: "bsc" }, now);
    await seedCursor(db(), "ethereum", now, 20_000_000);
    await seedCursor(db(), "bsc", now, 106);
    const { id } = await order();
    const row = await unmatched({ address: onBsc, baseUnits: 10n ** 19n, blockHeight: 104 }, false);
    expect(await assign(row.id, id)).toEqual({ status: "confirming" });
    const facts = await findCheckout(db(), id);
    expect(facts && checkoutView(facts, now)).toMatchObject({
      network: { id: "ethereum" },
      progress: { network: "BNB Smart Chain", confirmations: 3, required: 5 },
    });
    const detail = await findOrderDetail(db(), { id });
    expect(detail?.transfers).toMatchObject([{ network: "bsc", confirmations: 3, requiredConfirmations: 5 }]);
    expect(await listOrderTransfers(db(), owner.merchantId, id)).toMatchObject([
      { network: "bsc", blockHeight: 104, headHeight: 106, finalizedHeight: 102 },
    ]);
  });

  test("an expired order takes it and is paid", async () => {
    const { id } = await order();
    await seedCursor(db(), "ethereum", later(400));
    await expireOrders(db(), ctx, later(400));
    const row = await unmatched({ baseUnits: price, blockTime: later(401) });
    expect((await readTransfer(row.id))?.unmatchedReason).toBe("late");
    expect(await assign(row.id, id)).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({ exception: "manual", paidUnits: price });
  });

  test("a paid order accepts a duplicate payment: overpaid, no second callback", async () => {
    const { id } = await order();
    const first = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
    await finalize(first.id);
    await matchTransfers(db(), ctx, "ethereum", now);
    expect((await readOrder(id))?.status).toBe("paid");
    const twice = await unmatched({ baseUnits: price, blockTime: later(300) });
    expect((await readTransfer(twice.id))?.unmatchedReason).toBe("order_settled");
    expect(await assign(twice.id, id)).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({
      exception: "overpaid",
      paidUnits: 2n * price,
      settledByTransferId: first.id,
    });
    expect(await countCallbacks(id)).toBe(1);
  });

  test("is done once: repeats change nothing, two concurrent users pay one order", async () => {
    const a = await order();
    const b = await order({ baseUnits: price + 100n });
    const row = await unmatched({ baseUnits: 11_000_000n });
    const answers = await Promise.all([assign(row.id, a.id), assign(row.id, b.id), assign(row.id, a.id)]);
    expect(answers.some((answer) => "problem" in answer)).toBe(true);
    const statuses = [await readOrder(a.id), await readOrder(b.id)].map((found) => found?.status);
    expect(statuses.toSorted()).toEqual(["paid", "pending"]);
    const winner = statuses[0] === "paid" ? a : b;
    const before = await readOrder(winner.id);
    expect(await assign(row.id, winner.id)).toEqual({ status: "paid" });
    expect(await readOrder(winner.id)).toEqual(before);
    expect(await countCallbacks(winner.id)).toBe(1);
  });

  test("is refused to viewers, to other merchants and for other merchants' orders", async () => {
    const { id } = await order();
    const row = await unmatched();
    expect(await assign(row.id, id, { ...owner, role: "viewer" })).toEqual({ problem: problem("role_read_only") });
    expect(await assign(row.id, id, stranger)).toEqual({ problem: problem("transfer_unknown") });
    const theirs = await seedAddress(db(), { merchantId: stranger.merchantId }, now);
    const foreign = await order({ address: theirs });
    expect(await assign(row.id, foreign.id)).toEqual({ problem: problem("order_unknown") });
    expect(await readTransfer(row.id)).toMatchObject({ orderId: null, isAssigned: false });
  });

  test("a cancelled order accepts it: still cancelled while it is short, then paid manually", async () => {
    const { id } = await order();
    const part = await unmatched();
    const rest = await unmatched({ baseUnits: 1_000_000n });
    await cancelOrder(db(), ctx, owner, id, now);
    expect(await assign(part.id, id)).toEqual({ status: "cancelled" });
    expect(await readOrder(id)).toMatchObject({ exception: "underpaid", paidUnits: 9_000_000n });
    expect(await assign(rest.id, id)).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({ exception: "manual", paidUnits: price });
    expect(await countCallbacks(id)).toBe(1);
  });

  test("dropped, unprocessed and already credited transfers cannot be assigned", async () => {
    const { id } = await order();
    const row = await seedTransfer(db(), { address: shared, baseUnits: 1n }, now);
    expect(await assign(row.id, id)).toEqual({ problem: problem("transfer_being_matched") });
    await db().update(transfers).set({ status: "dropped", matchedAt: now }).where(eq(transfers.id, row.id));
    expect(await assign(row.id, id)).toEqual({ problem: problem("transfer_dropped") });
    const paying = await seedTransfer(db(), { address: shared, baseUnits: price }, now);
    await matchTransfers(db(), ctx, "ethereum", now);
    const other = await order({ baseUnits: 5n });
    expect(await assign(paying.id, other.id)).toEqual({ problem: problem("transfer_pays_order") });
  });
});

describe("manually", () => {
  test("an order is marked as paid with a reason: manual, callback enqueued, amount still held, user and reason recorded", async () => {
    const { id, quoteId, reservedUntil } = await order();
    const mark = (actor: Actor, reason: string) => markOrderPaid(db(), ctx, actor, { orderId: id, reason }, later(1));
    expect(await mark(owner, "  ")).toMatchObject({ problem: problem("reason_missing") });
    expect(await mark({ ...owner, role: "viewer" }, "cash")).toMatchObject({ problem: problem("role_read_only") });
    expect(await mark(stranger, "cash")).toMatchObject({ problem: problem("order_unknown") });
    expect(await mark(owner, " Paid in cash ")).toEqual({ status: "paid" });
    expect(await readOrder(id)).toMatchObject({ exception: "manual", paidUnits: 0n, settledByTransferId: null });
    expect(await readQuote(quoteId)).toMatchObject({ releasedAt: null, reservedUntil });
    expect(await countCallbacks(id)).toBe(1);
    const [event] = await db().select().from(auditEvents).where(eq(auditEvents.orderId, id));
    expect(event).toMatchObject({ userId: owner.userId, action: "order.paid", detail: { reason: "Paid in cash" } });
    expect(await mark(owner, "again")).toMatchObject({ problem: problem("order_paid") });
    expect(await countCallbacks(id)).toBe(1);
  });

  test("an expired order can be marked as paid, and so can a cancelled one", async () => {
    const { id } = await order();
    await seedCursor(db(), "ethereum", later(31));
    await expireOrders(db(), ctx, later(31));
    expect(await markOrderPaid(db(), ctx, owner, { orderId: id, reason: "cash" }, later(32))).toEqual({
      status: "paid",
    });
    const other = await order({ baseUnits: 7n });
    await cancelOrder(db(), ctx, owner, other.id, now);
    expect(await markOrderPaid(db(), ctx, owner, { orderId: other.id, reason: "cash" }, now)).toEqual({
      status: "paid",
    });
    expect(await readOrder(other.id)).toMatchObject({ status: "paid", exception: "manual" });
  });

  test("cancelling releases nothing early; later transfers are unmatched with a reason that names the order", async () => {
    const { id, quoteId, reservedUntil } = await order();
    expect(await cancelOrder(db(), ctx, stranger, id, now)).toMatchObject({
      problem: problem("order_unknown"),
    });
    expect(await cancelOrder(db(), ctx, { ...owner, role: "viewer" }, id, now)).toMatchObject({
      problem: problem("role_read_only"),
    });
    expect(await cancelOrder(db(), ctx, owner, id, later(1))).toEqual({ status: "cancelled" });
    expect(await readQuote(quoteId)).toMatchObject({ releasedAt: null, reservedUntil });
    expect(await actionsOf(id)).toEqual([["order.cancelled", owner.userId]]);
    const row = await unmatched({ baseUnits: price });
    expect(await readTransfer(row.id)).toMatchObject({ unmatchedReason: "order_cancelled", meantOrderId: id });
    expect(await cancelOrder(db(), ctx, owner, id, later(2))).toMatchObject({ problem: { code: expect.any(String) } });
  });

  test("the dedicated address of a cancelled order cools down, and no payment is credited to that order", async () => {
    const own = await seedAddress(db(), { merchantId: owner.merchantId, kind: "dedicated" }, now);
    const { id, quoteId } = await order({ address: own });
    await cancelOrder(db(), ctx, owner, id, now);
    expect((await readQuote(quoteId))?.releasedAt).toBeNull();
    const row = await unmatched({ address: own, baseUnits: price });
    expect(await readTransfer(row.id)).toMatchObject({ orderId: null, unmatchedReason: "order_cancelled" });
    expect(await readOrder(id)).toMatchObject({ status: "cancelled", paidUnits: 0n });
  });

  test("an order whose payment is being confirmed is not cancelled", async () => {
    const { id } = await order();
    await seedTransfer(db(), { address: shared, baseUnits: price }, now);
    await matchTransfers(db(), ctx, "ethereum", now);
    expect(await cancelOrder(db(), ctx, owner, id, now)).toMatchObject({
      problem: problem("order_not_cancellable_confirming"),
    });
  });
});

describe("the likeliest orders", () => {
  const suggestionsFor = async (row: { id: string }) => {
    const found = await readTransfer(row.id);
    if (!found) throw new Error("no transfer");
    return (await suggestOrders(db(), owner.merchantId, [found])).get(row.id) ?? [];
  };

  test("are found by an amount short by a fee, by another network, by the missing amount of an underpaid order; never of another merchant", async () => {
    const fee = await order({ baseUnits: 12_000_300n });
    const theirs = await seedAddress(db(), { merchantId: stranger.merchantId }, now);
    await order({ address: theirs, baseUnits: 11_000_000n });
    const row = await unmatched({ baseUnits: 11_000_300n });
    expect((await suggestionsFor(row)).map((likely) => [likely.order.id, likely.amount])).toEqual([[fee.id, "fee"]]);

    const onBsc = await seedAddress(
      db(),
      { merchantId: owner.merchantId, network: "bsc", address: shared.address },
      now,
    );
    const away = await unmatched({ address: onBsc, baseUnits: 12_000_300_000_000_000_000n });
    expect((await suggestionsFor(away))[0]).toMatchObject({
      order: { id: fee.id },
      amount: "exact",
      clues: ["otherNetwork"],
    });

    const open = await order({ baseUnits: 90_000_000n });
    await assign((await unmatched({ baseUnits: 30_000_000n })).id, open.id);
    const rest = await unmatched({ baseUnits: 60_000_000n });
    expect((await suggestionsFor(rest))[0]).toMatchObject({ order: { id: open.id }, amount: "rest", shortUnits: 0n });
  });

  test("are first those at the same address, with any excess and any shortfall, then another network's", async () => {
    const onTron = await seedAddress(db(), { merchantId: owner.merchantId, network: "tron" }, now);
    await order({ address: onTron, baseUnits: 33_100_000n });
    const small = await order({ baseUnits: 2_000_000n });
    const large = await order({ baseUnits: 400_000_000n });
    const row = await unmatched({ baseUnits: 30_000_100n });
    const found = (await suggestionsFor(row)).map((likely) => [likely.order.id, likely.amount, likely.shortUnits]);
    expect(found.slice(0, 2)).toEqual(
      expect.arrayContaining([
        [small.id, "more", -28_000_100n],
        [large.id, "less", 369_999_900n],
      ]),
    );
    expect(found[2]).toMatchObject([expect.any(String), "less", 3_099_900n]);
  });

  test("a dedicated address that another currency came to names the order that has it", async () => {
    const own = await seedAddress(db(), { merchantId: owner.merchantId, kind: "dedicated" }, now);
    const { id } = await order({ address: own });
    const row = await unmatched({ address: own, currency: "USDC", baseUnits: 3_000_000n });
    expect((await readTransfer(row.id))?.unmatchedReason).toBe("other_currency");
    expect(await assign(row.id, id)).toEqual({ status: "pending" });
  });
});

const foresee = async (transferId: string, orderId: string, actor = owner) => {
  const seen = await foreseeAssignment(db(), ctx, actor, { transferId, orderId }, later(5));
  if ("problem" in seen) throw new Error(inEnglish(seen.problem));
  return seen.outcome;
};

test.each([
  {
    baseUnits: price,
    isFinal: true,
    status: "paid",
    exception: "manual",
    reported: ["payment.confirmed"],
    laterHost: null,
  },
  {
    baseUnits: price + 1n,
    isFinal: false,
    status: "confirming",
    exception: "manual",
    reported: [],
    laterHost: "shop.example.com",
  },
  {
    baseUnits: price - 1n,
    isFinal: true,
    status: "pending",
    exception: "underpaid",
    reported: [],
    laterHost: "shop.example.com",
  },
])("the preview equals the result, and has no effects: $status, $exception", async (one) => {
  const { baseUnits, isFinal, status, exception, reported, laterHost } = one;
  const transfer = await unmatched({ baseUnits }, isFinal);
  const { id } = await order();
  const outcome = await foresee(transfer.id, id);
  expect(outcome).toMatchObject({ status, exception, dueUnits: price, arrivedUnits: baseUnits, laterHost });
  expect(outcome.callbacks).toEqual(reported.map((type) => ({ type, host: "shop.example.com" })));
  expect([(await readTransfer(transfer.id))?.orderId, await countCallbacks(id)]).toEqual([null, 0]);
  expect(await actionsOf(id)).toEqual([]);
  const assignment = { transferId: transfer.id, orderId: id, expected: outcomeName(outcome) };
  expect(await assignTransfer(db(), ctx, owner, assignment, later(5))).toEqual({ status });
  expect((await readOrder(id))?.exception).toBe(exception);
  expect(await countCallbacks(id)).toBe(reported.length);
  expect(await assignTransfer(db(), ctx, owner, assignment, later(6))).toEqual({ status });
});

test("when the state changed since the user saw it, nothing is done and the new preview is shown", async () => {
  const { id } = await order();
  const part = await unmatched({ baseUnits: 4n });
  const rest = await unmatched({ baseUnits: price + 5n });
  const shown = await foresee(part.id, id);
  expect(shown).toMatchObject({ status: "pending", exception: "underpaid" });
  await assign(rest.id, id);
  const assignment = { transferId: part.id, orderId: id, expected: outcomeName(shown) };
  const answer = await assignTransfer(db(), ctx, owner, assignment, later(6));
  expect(answer).toMatchObject({ changed: { status: "paid", arrivedUnits: price + 9n, callbacks: [] } });
  expect((await readTransfer(part.id))?.orderId).toBeNull();
  await expect(foresee(part.id, id, stranger)).rejects.toThrow("This transfer does not exist");
});
