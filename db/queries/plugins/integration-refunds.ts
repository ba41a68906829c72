import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { selectRefunds } from "@/db/queries/refunds/refund-requests";
import { orders, refundRequests } from "@/db/schema";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Refund } from "@/lib/domain/refunds/refund";

/** The refunds of the orders that an integration created, of one merchant or of all (null). */
interface OfIntegration {
  merchantId: string | null;
  integration: IntegrationId;
}

const isOfOrders = ({ merchantId, integration }: OfIntegration) =>
  and(
    merchantId === null ? undefined : eq(refundRequests.merchantId, merchantId),
    sql`exists (select from orders o where o.id = ${refundRequests.orderId} and o.merchant_id = ${refundRequests.merchantId} and o.dialect = ${integration})`,
  );

/** Finds a refund of an order that an integration created, also one that a user requested; null if there is none. */
export async function findIntegrationRefund(db: Db, of: OfIntegration, id: string): Promise<Refund | null> {
  const [row] = await selectRefunds(db).where(and(eq(refundRequests.id, id), isOfOrders(of)));
  return row ?? null;
}

/** Lists the refunds of a merchant's orders that an integration created, newest first, at most `limit`. */
export async function listIntegrationRefunds(
  db: Db,
  of: OfIntegration & { merchantId: string },
  limit: number,
): Promise<Refund[]> {
  return selectRefunds(db).where(isOfOrders(of)).orderBy(desc(refundRequests.id)).limit(limit);
}

/** The number of orders among which a shop's order number is searched. */
const MAX_SEARCHED = 20_000;

/**
 * Returns the orders of an integration that received a payment and whose stored data has one of the given values in a field, newest first.
 * The newest 20,000 orders of the merchant and the integration are searched.
 */
export async function listPaidByEcho(
  db: Db,
  { merchantId, integration }: { merchantId: string; integration: IntegrationId },
  { field, values }: { field: string; values: readonly string[] },
): Promise<{ id: string; value: string }[]> {
  const newest = db
    .select({ id: orders.id, echo: orders.echo, paidUnits: orders.paidUnits })
    .from(orders)
    .where(and(eq(orders.merchantId, merchantId), eq(orders.integration, integration)))
    .orderBy(desc(orders.id))
    .limit(MAX_SEARCHED)
    .as("newest");
  const value = sql<string>`${newest.echo} ->> ${field}::text`;
  return db
    .select({ id: newest.id, value })
    .from(newest)
    .where(and(sql`${newest.paidUnits} > 0`, sql`${value} = any(${idList(values)})`))
    .orderBy(desc(newest.id));
}
