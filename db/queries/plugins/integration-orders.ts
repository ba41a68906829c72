import { sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { joinSeal, SEAL_COLUMN, type SealColumn } from "@/db/queries/orders/seals";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import type { OrderStatus } from "@/lib/domain/orders/order";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";

/** Ids of a shop's orders of an integration, the newest first. */
export async function listIntegrationOrders(
  db: Db,
  page: { merchantId: string; integration: IntegrationId; limit: number; offset: number },
): Promise<string[]> {
  const { merchantId, integration, limit, offset } = page;
  const rows = await db.execute<{ id: string }>(sql`
    select o.id from orders o where o.merchant_id = ${merchantId} and o.dialect = ${integration} and o.dialect <> 'api'
    order by o.id desc limit ${limit} offset ${offset}`);
  return rows.map(({ id }) => id);
}

/** Which invoices of a store are listed; what is empty or null may be anything. */
export interface InvoiceSearch {
  orderIds: readonly string[];
  statuses: readonly OrderStatus[];
  /** Made at this time or later, and at this one at the latest. */
  from: Date | null;
  to: Date | null;
  limit: number;
  offset: number;
}

const MOST_LOOKED_AT = 2_000;

const SEARCH = `
  with looked as (
    select o.id, o.echo, o.status, o.created_at from orders o
    where o.merchant_id = $1 and o.dialect = 'greenfield' and o.dialect <> 'api' order by o.id desc limit ${MOST_LOOKED_AT})
  select l.id from looked l
  where (jsonb_array_length($2::text::jsonb) = 0 or $2::text::jsonb ? (l.echo ->> 'orderId'))
    and (jsonb_array_length($3::text::jsonb) = 0 or $3::text::jsonb ? l.status)
    and ($4::timestamptz is null or l.created_at >= $4) and ($5::timestamptz is null or l.created_at <= $5)
  order by l.id desc limit $6 offset $7`;

/** Ids of a store's invoices that are searched for among its newest 2,000, the newest first. */
export async function searchInvoices(
  db: Db,
  merchantId: string,
  { orderIds, statuses, from, to, limit, offset }: InvoiceSearch,
): Promise<string[]> {
  const rows = await runPrepared<{ id: string }>(db, SEARCH, [
    ...[merchantId, JSON.stringify(orderIds), JSON.stringify(statuses)],
    ...[from?.toISOString() ?? null, to?.toISOString() ?? null, limit, offset],
  ]);
  return rows.map(({ id }) => id);
}

/** A way in which an order asked to be paid. Base units are decimal texts. */
export interface InvoiceQuote extends Record<string, unknown>, SealColumn {
  id: string;
  network: string;
  currency: Currency;
  /** In canonical form. */
  address: string;
  base_units: string;
  /** What one token cost; null where the amount was given in tokens. */
  rate: string | null;
}

/** A transfer that counts, or counted, for an order. */
export interface InvoicePayment extends Record<string, unknown> {
  quote_id: string | null;
  network: string;
  currency: Currency | null;
  token: string;
  tx_id: string;
  address: string;
  base_units: string;
  status: TransferStatus;
  seen_ms: number;
}

type OfOrder = { id: string; merchantId: string };

const LIST_OF_QUOTES = `
  select q.id, q.network, q.currency, q.address, ${SEAL_COLUMN}, q.base_units::text, coalesce(q.price, o.price) ->> 'rate' as rate
  from orders o join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id ${joinSeal("q")}
  where o.id = $1 and o.merchant_id = $2 order by (q.id = o.quote_id) desc, q.id desc limit 100`;

/** How an order asked to be paid: first as it asks now. */
export async function listInvoiceQuotes(db: Db, { id, merchantId }: OfOrder): Promise<InvoiceQuote[]> {
  return runPrepared<InvoiceQuote>(db, LIST_OF_QUOTES, [id, merchantId]);
}

const LIST_OF_PAYMENTS = `
  select t.quote_id, t.network, t.currency, t.token, t.tx_id, t.to_address as address, t.base_units::text, t.status,
    (extract(epoch from t.seen_at) * 1000)::float8 as seen_ms
  from transfers t where t.order_id = $1 and t.merchant_id = $2 order by t.seen_at, t.id limit 100`;

/** What came for an order, as it was seen; the first hundred. */
export async function listInvoicePayments(db: Db, { id, merchantId }: OfOrder): Promise<InvoicePayment[]> {
  return runPrepared<InvoicePayment>(db, LIST_OF_PAYMENTS, [id, merchantId]);
}
