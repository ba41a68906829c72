import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { dropTransfersAbove } from "@/db/queries/transfers/reorgs";
import { auditEvents, orders, transfers } from "@/db/schema";
import { problem } from "@/lib/domain/problems/problem";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { unlinkTransfer } from "@/lib/ledger/unlink-transfer";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { moveOrder } from "@/lib/orders/move-order";
import { seedMerchant, seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  ctx,
  db,
  finalize,
  match,
  open,
  owner,
  pass,
  pay,
  readOrder,
  readTransfer,
  start,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

const reason = "The customer paid for another order";
const unlink = (transfer: { id: string }, order: { id: string }, minutes: number, changes: object = {}) =>
  unlinkTransfer(
    db(),
    ctx,
    { ...owner, ...changes },
    { transferId: transfer.id, orderId: order.id, reason },
    at(minutes),
  );
const assign = (transfer: { id: string }, order: { id: string }, minutes: number) =>
  assignTransfer(db(), ctx, owner, { transferId: transfer.id, orderId: order.id }, at(minutes));
const seen = async (order: Awaited<ReturnType<typeof create>>, minutes: number) => {
  const sent = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: order.quote.baseUnits }, at(minutes));
  await match(minutes);
  return sent;
};

describe("unlinking a transfer", () => {
  test("takes it from its order with the reason on record; it is never matched again, and a user can assign it", async () => {
    const order = await create("ethereum", 0);
    const sent = await seen(order, 1);
    expect(await unlink(sent, order, 2)).toEqual({ status: "pending" });
    const unlinked = { orderId: null, quoteId: null, unmatchedReason: "unlinked", unlinkedAt: at(2) };
    expect(await readTransfer(sent)).toMatchObject(unlinked);
    const events = await db().select().from(auditEvents).where(eq(auditEvents.action, "transfer.unlinked"));
    expect(events).toMatchObject([
      { orderId: order.id, userId: owner.userId, detail: { transferId: sent.id, reason, isAssigned: false } },
    ]);
    await dropTransfersAbove(db(), "ethereum", sent.blockHeight - 1);
    await match(3);
    expect(await readTransfer(sent)).toMatchObject({ status: "dropped", unmatchedReason: "taken_back" });
    await db().update(transfers).set({ status: "seen", matchedAt: null }).where(eq(transfers.id, sent.id));
    await match(4);
    await finalize(sent.id);
    expect(await readTransfer(sent)).toMatchObject(unlinked);
    expect((await readOrder(order))?.status).toBe("pending");
    expect(await assign(sent, order, 5)).toEqual({ status: "paid" });
    expect(await readOrder(order)).toMatchObject({ exception: "manual", settledByTransferId: sent.id });
  });

  test("moves a confirming order back to pending, or to expired once its time is over", async () => {
    const first = await create("ethereum", 0);
    const second = await create("ethereum", 0);
    const one = await seen(first, 1);
    const two = await seen(second, 1);
    expect(await unlink(one, first, 2)).toEqual({ status: "pending" });
    expect(await unlink(two, second, 31)).toEqual({ status: "expired" });
  });

  test("clears the exception of an underpaid order, and of a cancelled one that a user assigned a part to", async () => {
    await open("dedicated");
    const order = await create("ethereum", 0);
    const part = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: 4_000_000n }, at(1));
    await match(1);
    await finalize(part.id);
    await moveOrder(db(), ctx, order.id, { type: "fundsChanged" }, at(1));
    expect(await readOrder(order)).toMatchObject({ exception: "underpaid", paidUnits: 4_000_000n });
    await unlink(part, order, 2);
    expect(await readOrder(order)).toMatchObject({ status: "pending", exception: null, paidUnits: 0n });
    await cancelOrder(db(), ctx, owner, order.id, at(3));
    expect(await assign(part, order, 4)).toEqual({ status: "cancelled" });
    expect(await readOrder(order)).toMatchObject({ exception: "underpaid" });
    expect(await unlink(part, order, 5)).toEqual({ status: "cancelled" });
    expect(await readOrder(order)).toMatchObject({ exception: null, paidUnits: 0n });
    expect(await readTransfer(part)).toMatchObject({ isAssigned: false, unmatchedReason: "unlinked" });
  });

  test("an unlinked payment does not keep the order from expiring", async () => {
    const order = await create("ethereum", 0);
    const sent = await seen(order, 1);
    await unlink(sent, order, 2);
    await pass(31);
    expect((await readOrder(order))?.status).toBe("expired");
  });

  test("is repeatable, and refused for a paid order, another order, another merchant, a viewer and without a reason", async () => {
    const order = await create("ethereum", 0);
    const other = await create("ethereum", 0);
    const sent = await seen(order, 1);
    expect(await unlink(sent, other, 2)).toEqual({ problem: problem("transfer_not_linked") });
    expect(await unlink(sent, order, 2, { role: "viewer" })).toMatchObject({ problem: { code: "role_read_only" } });
    const stranger = { merchantId: (await seedMerchant(db(), start)).id };
    expect(await unlink(sent, order, 2, stranger)).toEqual({ problem: problem("transfer_unknown") });
    const bare = { transferId: sent.id, orderId: order.id, reason: " " };
    expect(await unlinkTransfer(db(), ctx, owner, bare, at(2))).toMatchObject({ problem: { code: "reason_missing" } });
    expect((await readTransfer(sent))?.orderId).toBe(order.id);
    expect(await unlink(sent, order, 2)).toEqual({ status: "pending" });
    expect(await unlink(sent, order, 3)).toEqual({ status: "pending" });
    expect(await db().$count(auditEvents, eq(auditEvents.action, "transfer.unlinked"))).toBe(1);
    const paid = await pay(other, 4);
    await match(4);
    expect(await unlink(paid, other, 5)).toMatchObject({ problem: { code: "transfer_of_paid_order" } });
    expect(await db().$count(orders, eq(orders.status, "paid"))).toBe(1);
  });
});
