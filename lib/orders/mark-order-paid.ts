import type { Db } from "@/db/client";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { type Actor, MAY_ONLY_LOOK, mayChange } from "@/lib/domain/keys/role";
import { NOTHING_CHOSEN } from "@/lib/domain/orders/order";
import { type ByHand, moveOrder, orderOf, type StoryContext } from "@/lib/orders/move-order";

const REASON_LENGTH = 200;

/** What is wrong with a reason, in words, or null. */
export function validateReason(reason: string): string | null {
  const length = [...reason.trim()].length;
  if (length === 0) return "Say why, for those who look at this order later";
  return length <= REASON_LENGTH ? null : `Use at most ${REASON_LENGTH} characters`;
}

/**
 * A person says that an order is paid, with the reason: it becomes paid with the exception `manual`, and its callback is owed
 * like any other. What the chain shows stays as it is. For every order that is not paid yet.
 */
export async function markOrderPaid(
  db: Db,
  ctx: StoryContext,
  actor: Actor,
  { orderId, reason }: { orderId: string; reason: string },
  now: Date,
): Promise<ByHand> {
  const problem = mayChange(actor.role) ? validateReason(reason) : MAY_ONLY_LOOK;
  if (problem) return { problem };
  return db.transaction(async (tx) => {
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: "You have no order with this id" };
    if (order.status === "paid") return { problem: "This order is paid already" };
    if (order.quoteId === null) return { problem: NOTHING_CHOSEN };
    const cause = { type: "markedPaid", userId: actor.userId, from: actor.from, reason: reason.trim() } as const;
    return { status: (await moveOrder(tx, ctx, orderId, cause, now)) ?? order.status };
  });
}
