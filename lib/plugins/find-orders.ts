import type { Db } from "@/db/client";
import { findOrderDetail, listOrderDetailRows, orderDetailOf } from "@/db/queries/orders/orders";
import {
  type IntegrationOrderSearch,
  listIntegrationOrders,
  searchIntegrationOrders,
} from "@/db/queries/plugins/integration-orders";
import { isId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";

/** A reference to an order: its id, for any merchant or for one, or a merchant's order number in the namespace of the integration. */
type OrderName = { id: string } | { merchantId: string; tradeId: string } | { merchantId: string; mchOrderId: string };

/** Finds an order of an integration; null if there is none, or if a different integration or the API created it. */
export async function findPluginOrder(
  db: Db,
  integration: IntegrationId,
  name: OrderName,
): Promise<OrderDetail | null> {
  const id = "id" in name ? name.id : "tradeId" in name ? name.tradeId : null;
  if (id !== null && !isId(id)) return null;
  const order = await findOrderDetail(db, "id" in name ? name : { ...name, integration });
  return order?.integration === integration ? order : null;
}

/** Lists a shop's orders of an integration, newest first. */
export async function listPluginOrders(
  db: Db,
  page: { merchantId: string; integration: IntegrationId; limit: number; offset: number },
): Promise<OrderDetail[]> {
  return readOrders(db, await listIntegrationOrders(db, page));
}

/**
 * Searches a shop's newest 2,000 orders of an integration.
 * @returns the matching orders, newest first
 */
export async function searchPluginOrders(db: Db, search: IntegrationOrderSearch): Promise<OrderDetail[]> {
  return readOrders(db, await searchIntegrationOrders(db, search));
}

async function readOrders(db: Db, ids: readonly string[]): Promise<OrderDetail[]> {
  const found = new Map((await listOrderDetailRows(db, ids)).map((row) => [row.id, orderDetailOf(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
