import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { hasReceived, lengthenOrder, lockChoosable } from "@/db/queries/orders/choices";
import { announceOrders } from "@/db/queries/orders/order-moves";
import { extensionMs, MOST_EXTENSIONS } from "@/lib/domain/checkout/state";
import { isId } from "@/lib/domain/id";

/**
 * The payer of a pending order for which nothing came needs more time, at most three times. What is held for the order is held as
 * much longer, in the same transaction; one that expires at this moment either got it before, or gets none.
 * @param extensions how often they got it when they asked: asking again for the same changes nothing
 * @returns whether there is more time now than there was
 */
export async function extendOrder(
  db: Db,
  { tradeId, extensions }: { tradeId: string; extensions: number },
  now: Date,
): Promise<boolean> {
  if (!isId(tradeId) || !(extensions >= 0 && extensions < MOST_EXTENSIONS)) return false;
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (order?.status !== "pending" || order.extensions !== extensions || (await hasReceived(tx, order))) return false;
    const ms = extensionMs(order);
    const version = await lengthenOrder(tx, order, ms, now);
    if (version === null) return false;
    const { merchantId } = order;
    const event = { merchantId, orderId: order.id, action: "order.extended", detail: { seconds: ms / 1_000 } } as const;
    await insertAuditEvent(tx, event, now);
    await announceOrders(tx, [{ id: order.id, version }]);
    return true;
  });
}
