import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { linkTransfer, lockTransferOf, type StoredTransfer } from "@/db/queries/transfers/matches";
import { type Actor, MAY_ONLY_LOOK, mayChange } from "@/lib/domain/keys/role";
import { NOTHING_CHOSEN } from "@/lib/domain/orders/order";
import { isLookAlike, LOOK_ALIKE_ADVICE, tokenOf } from "@/lib/domain/transfers/transfer";
import { type ByHand, moveOrder, orderOf, type StoryContext, touchOrders } from "@/lib/orders/move-order";

interface Assignment {
  transferId: string;
  orderId: string;
}

/**
 * A person gives an unmatched transfer to an order of the same merchant. It counts for the order's shown quote by its public
 * amount, one unit for one unit, whatever its token; the order then moves as far as its funds allow: paid with the exception
 * `manual` once they are confirmed, or `underpaid`; a cancelled one too, once the sum is whole. A transfer is given once, and it is not taken back.
 * Repeating the same assignment changes nothing and answers the same.
 */
export async function assignTransfer(
  db: Db,
  ctx: StoryContext,
  actor: Actor,
  { transferId, orderId }: Assignment,
  now: Date,
): Promise<ByHand> {
  if (!mayChange(actor.role)) return { problem: MAY_ONLY_LOOK };
  return db.transaction(async (tx) => {
    const transfer = await lockTransferOf(tx, actor.merchantId, transferId);
    if (!transfer) return { problem: "There is no such transfer" };
    const order = orderOf(await lockOrder(tx, orderId), actor);
    if (!order) return { problem: "You have no order with this id" };
    if (transfer.isAssigned && transfer.orderId === orderId) return { status: order.status };
    const problem = whyNot(transfer);
    if (problem) return { problem };
    if (order.quoteId === null) return { problem: NOTHING_CHOSEN };
    await linkTransfer(tx, transferId, { orderId, quoteId: order.quoteId }, now);
    await insertAuditEvent(tx, { ...actor, orderId, action: "transfer.assigned", detail: detailOf(transfer) }, now);
    const status = await moveOrder(tx, ctx, orderId, { type: "fundsChanged" }, now);
    const { meantOrderId } = transfer;
    if (meantOrderId && meantOrderId !== orderId) await touchOrders(tx, [meantOrderId], now);
    return { status: status ?? order.status };
  });
}

function whyNot(transfer: StoredTransfer): string | null {
  const { orderId, status, matchedAt } = transfer;
  const token = tokenOf(transfer);
  if (isLookAlike(token)) return `This is ${token.name}, which pays no order. ${LOOK_ALIKE_ADVICE}`;
  if (orderId) return "This transfer pays an order already";
  if (status === "dropped") return "The chain took this transfer back: there is nothing to assign";
  if (matchedAt === null) return "This transfer is being matched at this moment. Try again";
  return null;
}

function detailOf(transfer: StoredTransfer): Record<string, unknown> {
  const { id, network, currency, txId, baseUnits, unmatchedReason } = transfer;
  return { transferId: id, network, currency, txId, baseUnits: baseUnits.toString(), unmatchedReason };
}
