import type { Db } from "@/db/client";
import { listFunds, lockOrder } from "@/db/queries/orders/order-moves";
import type { PluginDialect } from "@/lib/domain/dialect";
import { type Actor, MAY_ONLY_LOOK, mayChange } from "@/lib/domain/keys/role";
import type { OrderStatus } from "@/lib/domain/orders/order";
import type { Caller } from "@/lib/orders/create-order";
import { type ByHand, moveOrder, orderOf, type StoryContext } from "@/lib/orders/move-order";

/** A shop's plugin, which has proved itself. */
interface PluginActor {
  merchantId: string;
  dialect: PluginDialect;
}

/**
 * A person, or a merchant's server by its key or its plugin, cancels an order that waits for its payment. What it was to be paid to is held
 * on until its late window is over; what arrives until then is kept as unmatched, as meant for it, and pays no other order.
 * Where a part of it has arrived already, only a person may decide.
 */
export async function cancelOrder(
  db: Db,
  ctx: StoryContext,
  actor: Actor | Caller | PluginActor,
  orderId: string,
  now: Date,
): Promise<ByHand> {
  if ("role" in actor && !mayChange(actor.role)) return { problem: MAY_ONLY_LOOK };
  return db.transaction(async (tx) => {
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: "You have no order with this id" };
    const problem = WHY_NOT[order.status];
    if (problem) return { problem };
    if (!("role" in actor) && (await listFunds(tx, [orderId])).length > 0) return { problem: HAS_MONEY };
    return {
      status: (await moveOrder(tx, ctx, orderId, { type: "cancelled", by: whoOf(actor) }, now)) ?? order.status,
    };
  });
}

function whoOf(actor: Actor | Caller | PluginActor) {
  if ("role" in actor) return { userId: actor.userId, from: actor.from };
  return "dialect" in actor ? { dialect: actor.dialect } : { apiKeyId: actor.apiKeyId };
}

const HAS_MONEY = "Money for this order was seen already: a person may still cancel it in the back office";
const WHY_NOT: Readonly<Record<OrderStatus, string | null>> = {
  pending: null,
  confirming: "A payment of this order is being confirmed: it cannot be cancelled now",
  paid: "This order is paid: it cannot be cancelled",
  expired: "This order has expired already",
  cancelled: "This order is cancelled already",
};
