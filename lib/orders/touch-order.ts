import type { Db } from "@/db/client";
import { announceOrders, raiseVersion } from "@/db/queries/orders/order-moves";

/** Makes open pages of an order show it anew: something of it changed, though it did not move. Safe to repeat. */
export async function touchOrder(db: Db, orderId: string, now: Date): Promise<void> {
  const version = await raiseVersion(db, orderId, now);
  if (version !== null) await announceOrders(db, [{ id: orderId, version }]);
}
