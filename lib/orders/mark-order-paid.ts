import type { Db } from "@/db/client";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { readReason } from "@/lib/domain/orders/reason";
import { problem } from "@/lib/domain/problems/problem";
import { type ManualChange, moveOrder, type OrderContext, orderOf } from "@/lib/orders/move-order";

/**
 * Marks an order as paid for a user who provides a reason. The order gets the exception `manual`, and its callback is enqueued like any
 * other. Transfers and their confirmations do not change. Applies to every order that is not paid yet.
 */
export async function markOrderPaid(
  db: Db,
  ctx: OrderContext,
  actor: Actor,
  { orderId, reason }: { orderId: string; reason: string },
  now: Date,
): Promise<ManualChange> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const read = readReason(reason);
  if ("problem" in read) return read;
  return db.transaction(async (tx) => {
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: problem("order_unknown") };
    if (order.status === "paid") return { problem: problem("order_paid") };
    if (order.quoteId === null) return { problem: problem("order_without_quote") };
    const cause = { type: "markedPaid", userId: actor.userId, from: actor.from, reason: read.value } as const;
    return { status: (await moveOrder(tx, ctx, orderId, cause, now)) ?? order.status };
  });
}
