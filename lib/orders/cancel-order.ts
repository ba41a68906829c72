import type { Db } from "@/db/client";
import { listQuotes, listReceived, lockOrder } from "@/db/queries/orders/order-moves";
import { sumRefunds } from "@/db/queries/refunds/refund-requests";
import { listLinkedTransfers, lockLinkedTransfers, unlinkFromCancelled } from "@/db/queries/transfers/matches";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { hasMoreThanDust, heldFunds, type OrderStatus, type QuoteFunds } from "@/lib/domain/orders/order";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { Caller } from "@/lib/orders/create-order";
import { type ManualChange, moveOrder, type OrderContext, orderOf } from "@/lib/orders/move-order";

/** The authenticated plugin of a shop. */
interface PluginActor {
  merchantId: string;
  integration: IntegrationId;
}

/**
 * Cancels a pending order for a user, or for a merchant's server by its key or its plugin. Its holds are not released early: a transfer
 * that arrives during a hold is unmatched and pays no other order, and this order is its first suggestion. A program may cancel only if no
 * more than dust has arrived for a hold, matched or not. A user may also cancel a partly paid order, unless it has refunds: its transfers
 * could be refunded a second time. Transfers linked to the order become unmatched in the same transaction.
 */
export async function cancelOrder(
  db: Db,
  ctx: OrderContext,
  actor: Actor | Caller | PluginActor,
  orderId: string,
  now: Date,
): Promise<ManualChange> {
  if ("role" in actor && !mayChange(actor.role)) return { problem: READ_ONLY };
  for (;;) {
    const done = await attempt(db, ctx, actor, orderId, now);
    if (done !== null) return done;
  }
}

/**
 * Cancels an order after locking its transfers first, as all other code does.
 * @returns null if a transfer was linked between the two locks: nothing was written, and both locks must be taken again
 */
async function attempt(
  db: Db,
  ctx: OrderContext,
  actor: Actor | Caller | PluginActor,
  orderId: string,
  now: Date,
): Promise<ManualChange | null> {
  return db.transaction(async (tx) => {
    const locked = new Set(await lockLinkedTransfers(tx, orderId));
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: problem("order_unknown") };
    const invalid = WHY_NOT[order.status];
    if (invalid) return { problem: invalid };
    const received = await listReceived(tx, order);
    const linked = await listLinkedTransfers(tx, orderId);
    if (linked.some((id) => !locked.has(id))) return null;
    const quotes = await listQuotes(tx, [orderId]);
    if (!("role" in actor) && hasMoreThanDust(quotes, received))
      return { problem: problem("order_not_cancellable_transfer") };
    if (order.quoteId !== null && isArrived(heldFunds(order, quotes, received)))
      return { problem: problem("order_not_cancellable_amount") };
    const { count: refunds } = await sumRefunds(tx, order.merchantId, { orderId, transferId: null });
    if (refunds > 0) return { problem: problem("order_not_cancellable_refunds") };
    await unlinkFromCancelled(tx, orderId, now);
    const cause = { type: "cancelled", by: whoOf(actor) } as const;
    return { status: (await moveOrder(tx, ctx, orderId, cause, now)) ?? order.status };
  });
}

/** Returns true if enough has arrived to pay the order. The matcher is then about to change its status to confirming. */
function isArrived({ funds, minUnits }: QuoteFunds): boolean {
  return funds.arrivedUnits >= minUnits;
}

function whoOf(actor: Actor | Caller | PluginActor) {
  if ("role" in actor) return { userId: actor.userId, from: actor.from };
  return "integration" in actor ? { integration: actor.integration } : { apiKeyId: actor.apiKeyId };
}

const WHY_NOT: Readonly<Record<OrderStatus, Problem | null>> = {
  pending: null,
  confirming: problem("order_not_cancellable_confirming"),
  paid: problem("order_not_cancellable_paid"),
  expired: problem("order_expired"),
  cancelled: problem("order_cancelled"),
};
