import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import type { Db } from "@/db/client";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import { dropTransfersAbove } from "@/db/queries/transfers/reorgs";
import { findTransfer } from "@/db/queries/transfers/transfer-list";
import { callbacks, transfers } from "@/db/schema";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { unlinkTransfer } from "@/lib/ledger/unlink-transfer";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { moveOrder } from "@/lib/orders/move-order";
import { seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  ctx,
  db,
  finalize,
  match,
  merchant,
  open,
  owner,
  readOrder,
  readTransfer,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

const key = () => ({ merchantId: merchant.id, apiKeyId: merchant.keyId });
const byKey = (order: { id: string }, minutes: number) => cancelOrder(db(), ctx, key(), order.id, at(minutes));
const byUser = (order: { id: string }, minutes: number, tx: Db = db()) =>
  cancelOrder(tx, ctx, owner, order.id, at(minutes));
const send = (baseUnits: bigint, minutes: number, changes: Partial<Parameters<typeof seedTransfer>[1]> = {}) =>
  seedTransfer(db(), { address: addresses.ethereum, baseUnits, ...changes }, at(minutes));
const sendAll = (order: QuotedOrder, minutes: number) => send(order.quote.baseUnits, minutes);
const waiting = () =>
  vi.waitUntil(async () => {
    const [row] = await db().execute<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count;
  });

/** Includes the transaction of a transfer again, in a different block. */
async function include(sent: Awaited<ReturnType<typeof sendAll>>, minutes: number) {
  const { txId, position, network, token, currency, baseUnits } = sent;
  const found = { txId, position, network, token, currency, baseUnits, from: sent.fromAddress, to: sent.toAddress };
  const block = { blockHeight: sent.blockHeight + 1, blockHash: "0xb2", blockTime: at(minutes) };
  await insertScannedTransfers(
    db(),
    [{ ...found, ...block }],
    new Map([[sent.toAddress, sent.receivingAddressId]]),
    at(minutes),
  );
}

/**
 * Expects that the transfer is unmatched because of this order, that this order is its first suggestion, and that it can be assigned to
 * this order.
 */
async function expectUnmatched(sent: { id: string }, order: { id: string }) {
  expect(await readTransfer(sent)).toMatchObject({
    orderId: null,
    quoteId: null,
    isAssigned: false,
    unmatchedReason: "order_cancelled",
    meantOrderId: order.id,
    matchedAt: expect.any(Date),
  });
  const listed = await findTransfer(db(), merchant.id, sent.id);
  if (!listed) throw new Error("The transfer is not listed");
  const likely = (await suggestOrders(db(), merchant.id, [listed])).get(sent.id);
  expect(likely?.[0]?.order.id).toBe(order.id);
}

describe("a payment that a reorg removed before its order was cancelled", () => {
  test("is unmatched when the chain includes it again, pays no other order, and can be assigned", async () => {
    const order = await create("ethereum", 0);
    const sent = await sendAll(order, 1);
    await match(1);
    expect((await readOrder(order))?.status).toBe("confirming");
    await dropTransfersAbove(db(), "ethereum", sent.blockHeight - 1);
    await match(2);
    expect((await readOrder(order))?.status).toBe("pending");
    expect(await byKey(order, 3)).toEqual({ status: "cancelled" });
    expect(await readTransfer(sent)).toMatchObject({ orderId: null, quoteId: null, unmatchedReason: "taken_back" });
    await include(sent, 4);
    await match(4);
    await finalize(sent.id);
    await expectUnmatched(sent, order);
    expect(await readOrder(order)).toMatchObject({ status: "cancelled", paidUnits: 0n, exception: null });
    const assigned = await assignTransfer(db(), ctx, owner, { transferId: sent.id, orderId: order.id }, at(5));
    expect(assigned).toEqual({ status: "paid" });
    expect(await readOrder(order)).toMatchObject({ exception: "manual", settledByTransferId: sent.id });
  });

  test("is unmatched too if the chain included it again just before, and the matcher comes after the cancellation", async () => {
    const order = await create("ethereum", 0);
    const sent = await sendAll(order, 1);
    await match(1);
    await dropTransfersAbove(db(), "ethereum", sent.blockHeight - 1);
    await match(2);
    await include(sent, 3);
    expect(await byKey(order, 3)).toMatchObject({ problem: { code: "order_not_cancellable_transfer" } });
    expect(await byUser(order, 3)).toMatchObject({ problem: { code: "order_not_cancellable_amount" } });
    await moveOrder(db(), ctx, order.id, { type: "cancelled", by: key() }, at(3));
    await match(4);
    await expectUnmatched(sent, order);
    expect((await readOrder(order))?.status).toBe("cancelled");
  });
});

describe("a cancellation while the matcher is at work", () => {
  test.each(["new", "linked before"] as const)(
    "the matcher goes by the status of the locked order: a transfer that is %s is unmatched",
    async (kind) => {
      const order = await create("ethereum", 0);
      const sent = await sendAll(order, 1);
      if (kind === "linked before") {
        await match(1);
        await dropTransfersAbove(db(), "ethereum", sent.blockHeight - 1);
        await match(1);
        await include(sent, 2);
      }
      const running = await db().transaction(async (tx) => {
        await lockOrder(tx, order.id);
        const running = matchTransfers(db(), ctx, "ethereum", at(2));
        await waiting();
        await moveOrder(tx, ctx, order.id, { type: "cancelled", by: key() }, at(2));
        return { running };
      });
      expect(await running.running).toBe(1);
      await expectUnmatched(sent, order);
      expect((await readOrder(order))?.status).toBe("cancelled");
    },
  );

  test("locks transfers before their order, as the matcher does, so that neither waits for the other", async () => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    const part = await send(4_000_000n, 1);
    await match(1);
    const running = await db().transaction(async (tx) => {
      await tx.select().from(transfers).where(eq(transfers.id, part.id)).for("update");
      const running = byUser(order, 2);
      await waiting();
      await lockOrder(tx, order.id);
      return { running };
    });
    expect(await running.running).toEqual({ status: "cancelled" });
    await expectUnmatched(part, order);
  });

  test("a transfer that is linked between the two locks is unlinked too", async () => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    const part = await send(4_000_000n, 1);
    const running = await db().transaction(async (tx) => {
      await lockOrder(tx, order.id);
      const running = byUser(order, 2);
      await waiting();
      await matchTransfers(tx, ctx, "ethereum", at(1));
      return { running };
    });
    expect(await running.running).toEqual({ status: "cancelled" });
    await expectUnmatched(part, order);
  });
});

describe("a partly paid order", () => {
  test("is cancelled by a user only; its parts are unmatched, whether matched or assigned, seen or confirmed", async () => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    const parts = [await send(2_000_000n, 1), await send(3_000_000n, 2)];
    await match(2);
    await finalize(parts[0]?.id ?? "");
    await moveOrder(db(), ctx, order.id, { type: "fundsChanged" }, at(2));
    const other = await send(1_000_000n, 3, { currency: "USDC" });
    await match(3);
    await assignTransfer(db(), ctx, owner, { transferId: other.id, orderId: order.id }, at(3));
    expect(await readOrder(order)).toMatchObject({ status: "pending", exception: "underpaid", paidUnits: 2_000_000n });
    expect(await byKey(order, 4)).toMatchObject({ problem: { code: "order_not_cancellable_transfer" } });
    expect(await byUser(order, 4)).toEqual({ status: "cancelled" });
    for (const part of [...parts, other]) await expectUnmatched(part, order);
    expect(await readOrder(order)).toMatchObject({ status: "cancelled", exception: null, paidUnits: 0n });
    await match(5);
    for (const part of [...parts, other]) await expectUnmatched(part, order);
    const types = await db().select({ type: callbacks.type }).from(callbacks).where(eq(callbacks.orderId, order.id));
    expect(types).toEqual([]);
  });

  test("can be cancelled by a program once a user unlinked the part, which is never matched again", async () => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    const part = await send(2_000_000n, 1);
    await match(1);
    const unlinking = { transferId: part.id, orderId: order.id, reason: "Meant for another shop" };
    expect(await unlinkTransfer(db(), ctx, owner, unlinking, at(2))).toEqual({ status: "pending" });
    expect(await byKey(order, 3)).toEqual({ status: "cancelled" });
    expect(await readTransfer(part)).toMatchObject({ unmatchedReason: "unlinked", orderId: null });
  });
});

describe("a program cannot cancel an order while the ledger holds its payment", () => {
  test("that is not matched yet, in full or in part", async () => {
    const shared = await create("ethereum", 0);
    await sendAll(shared, 1);
    expect(await byKey(shared, 1)).toMatchObject({ problem: { code: "order_not_cancellable_transfer" } });
    await open("dedicated");
    const dedicated = await create("ethereum", 0);
    await send(2_000_000n, 1);
    expect(await byKey(dedicated, 1)).toMatchObject({ problem: { code: "order_not_cancellable_transfer" } });
    expect(await byUser(dedicated, 1)).toEqual({ status: "cancelled" });
  });

  test("that the matcher looked at before the order was made, within the two minutes that its hold takes", async () => {
    await create("ethereum", 0, "5");
    const early = await send(10_000_000n, 1);
    await match(1);
    expect((await readTransfer(early))?.unmatchedReason).toBe("no_such_amount");
    const order = await create("ethereum", 2);
    expect(order.quote.baseUnits).toBe(10_000_000n);
    expect(await byKey(order, 3)).toMatchObject({ problem: { code: "order_not_cancellable_transfer" } });
  });

  test("but can if the transfer fits no hold: another amount, an earlier time, another token, another order's", async () => {
    const old = await send(10_000_000n, -3);
    await match(0);
    const order = await create("ethereum", 0);
    await send(order.quote.baseUnits + 1n, 1);
    await send(order.quote.baseUnits, 1, { currency: "USDC" });
    expect(await byKey(order, 1)).toEqual({ status: "cancelled" });
    expect((await readTransfer(old))?.orderId).toBeNull();
  });

  test.each([
    { units: 99_999n, isDust: true },
    { units: 100_000n, isDust: false },
  ])("that is more than dust on a dedicated address: $units of 10 USDT", async ({ units, isDust }) => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    await send(units, 1);
    await match(1);
    expect((await readOrder(order))?.exception).toBe(isDust ? null : "underpaid");
    expect("status" in (await byKey(order, 2))).toBe(isDust);
  });
});
