import type { Db } from "@/db/client";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { type Actor, MAY_ONLY_LOOK, mayChange } from "@/lib/domain/keys/role";
import type { OrderStatus } from "@/lib/domain/orders/order";
import { type ByHand, moveOrder, orderOf, type StoryContext } from "@/lib/orders/move-order";

/**
 * A person cancels an order that waits for its payment. What it was to be paid to is held on until its late window is over;
 * what arrives until then is kept as unmatched, as meant for it, and pays no other order.
 */
export async function cancelOrder(
  db: Db,
  ctx: StoryContext,
  actor: Actor,
  orderId: string,
  now: Date,
): Promise<ByHand> {
  if (!mayChange(actor.role)) return { problem: MAY_ONLY_LOOK };
  return db.transaction(async (tx) => {
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: "You have no order with this id" };
    const problem = WHY_NOT[order.status];
    if (problem) return { problem };
    return {
      status: (await moveOrder(tx, ctx, orderId, { type: "cancelled", userId: actor.userId }, now)) ?? order.status,
    };
  });
}

const WHY_NOT: Readonly<Record<OrderStatus, string | null>> = {
  pending: null,
  confirming: "A payment of this order is being confirmed: it cannot be cancelled now",
  paid: "This order is paid: it cannot be cancelled",
  expired: "This order has expired already",
  cancelled: "This order is cancelled already",
};
