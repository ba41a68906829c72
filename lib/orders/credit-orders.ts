import type { Db } from "@/db/client";
import { lockOrders } from "@/db/queries/orders/order-moves";
import { type FundsChange, targetsOf } from "@/lib/domain/credit-target";
import { enqueueEvents, type Moved, moveFunded, type OrderContext, touchOrders } from "@/lib/orders/move-order";

/**
 * Updates the statuses of the orders whose transfers changed, in the transaction of the change, and enqueues their callbacks. The status
 * of an order whose transfer was lost does not change: its merchant is notified and decides. A callback is sent if a transfer of a paid
 * order is final again.
 * @returns each order that changed status, or was eligible to, with its status before and after
 */
export async function creditOrders(
  tx: Db,
  ctx: OrderContext,
  changes: readonly FundsChange[],
  now: Date,
): Promise<Moved[]> {
  const lost = targetsOf(changes, "lost");
  if (lost.length > 0) await noteLost(tx, ctx, lost, now);
  const changed = targetsOf(changes, "matched", "unmatched", "confirmed", "restored");
  if (changed.length === 0) return [];
  const moved = await moveFunded(tx, ctx, changed, now);
  const restored = new Set(targetsOf(changes, "restored"));
  const paidBefore = moved.filter(({ id, before }) => before === "paid" && restored.has(id));
  await enqueueEvents(tx, ctx, new Map(paidBefore.map(({ id }) => [id, ["payment.restored"]])), now);
  return moved;
}

async function noteLost(tx: Db, ctx: OrderContext, orderIds: readonly string[], now: Date): Promise<void> {
  await lockOrders(tx, orderIds);
  await touchOrders(tx, orderIds, now);
  await enqueueEvents(tx, ctx, new Map(orderIds.map((id) => [id, ["payment.reversed"]])), now);
}
