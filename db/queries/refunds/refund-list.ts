import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { keyset, type Page, toPage } from "@/db/queries/keyset";
import { idList } from "@/db/queries/many-rows";
import { selectRefunds } from "@/db/queries/refunds/refund-requests";
import { orders, refundRequests, refundTransfers } from "@/db/schema";
import { storedForms } from "@/lib/domain/addresses/address";
import type { ListCursor } from "@/lib/domain/list-cursor";
import type { RefundFilter } from "@/lib/domain/refunds/filter";
import type { Refund } from "@/lib/domain/refunds/refund";

/** The number of refunds that are read at a time for an exported file. */
const STEP = 500;

/** A refund in a list of the back office, with the merchant's number of its order. */
export type RefundRow = Refund & { mchOrderId: string | null };

/** Returns a merchant's refunds that match a filter, newest first. */
export async function listRefundRows(
  db: Db,
  merchantId: string,
  filter: RefundFilter,
  cursor: ListCursor,
  limit: number,
): Promise<Page<RefundRow>> {
  const { where, order } = keyset(refundRequests.id, cursor);
  const rows = await selectRefunds(db)
    .where(and(eq(refundRequests.merchantId, merchantId), ...conditionsOf(filter), where))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(await withNumbers(db, merchantId, rows), cursor, limit);
}

/**
 * Yields all refunds that match a filter, newest first, in batches. The next batch is read on demand, and no transaction stays open in
 * between.
 */
export async function* readAllRefunds(db: Db, merchantId: string, filter: RefundFilter): AsyncGenerator<RefundRow[]> {
  for (let cursor: ListCursor = null; ; ) {
    const page: Page<RefundRow> = await listRefundRows(db, merchantId, filter, cursor, STEP);
    if (page.rows.length > 0) yield page.rows;
    if (page.older === null) return;
    cursor = page.older;
  }
}

function conditionsOf({ text, status, network }: RefundFilter): SQL[] {
  return [
    ...(status ? [eq(refundRequests.status, status)] : []),
    ...(network ? [eq(refundRequests.network, network)] : []),
    ...(text ? [isNamed(text)] : []),
  ];
}

function isNamed(text: string): SQL {
  const forms = idList([text, ...storedForms(text)]);
  return sql`(${refundRequests.id} = ${text} or ${refundRequests.orderId} = ${text} or ${refundRequests.mchRefundId} = ${text}
    or ${refundRequests.address} = any(${forms}) or ${refundTransfers.txId} = any(${forms})
    or ${refundRequests.orderId} in (select o.id from orders o where o.merchant_id = ${refundRequests.merchantId} and o.mch_order_id = ${text}))`;
}

/** Adds the merchant's numbers of their orders to refunds. */
export async function withNumbers(db: Db, merchantId: string, refunds: readonly Refund[]): Promise<RefundRow[]> {
  const orderIds = [...new Set(refunds.flatMap(({ orderId }) => orderId ?? []))];
  const found =
    orderIds.length === 0
      ? []
      : await db
          .select({ id: orders.id, mchOrderId: orders.mchOrderId })
          .from(orders)
          .where(and(eq(orders.merchantId, merchantId), sql`${orders.id} = any(${idList(orderIds)})`));
  const numbers = new Map(found.map(({ id, mchOrderId }) => [id, mchOrderId]));
  return refunds.map((refund) => ({ ...refund, mchOrderId: numbers.get(refund.orderId ?? "") ?? null }));
}
