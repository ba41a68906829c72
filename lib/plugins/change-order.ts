import type { Db } from "@/db/client";
import { announceOrders } from "@/db/queries/orders/order-moves";
import { type IntegrationOrderChange, updateIntegrationOrder } from "@/db/queries/plugins/integration-orders";
import { isId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";

/**
 * Changes the metadata, the subject or the integration's own data of a shop's order, and updates its open pages. The payment is unaffected.
 * @returns false if the integration created no order with this id for the shop
 */
export async function changePluginOrder(
  db: Db,
  order: { id: string; merchantId: string; integration: IntegrationId },
  change: IntegrationOrderChange,
  now: Date,
): Promise<boolean> {
  if (!isId(order.id)) return false;
  return db.transaction(async (tx) => {
    const version = await updateIntegrationOrder(tx, order, change, now);
    if (version !== null) await announceOrders(tx, [{ id: order.id, version }]);
    return version !== null;
  });
}
