import { and, eq, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { ADDRESS_MAC_COLUMN, type AddressMacColumn, joinAddressMac } from "@/db/queries/orders/address-macs";
import { orders } from "@/db/schema";
import type { Echo, IntegrationId } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import type { OrderStatus } from "@/lib/domain/orders/order";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";

/** Lists the ids of the orders that an integration created for a shop, newest first. */
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

/** The orders to search for. Empty lists and null match every order. */
export interface IntegrationOrderSearch {
  merchantId: string;
  integration: IntegrationId;
  /** The field of the data that the integration stored, and the values to find. */
  echo: { field: string; values: readonly string[] };
  /** A field of the same data; orders in which it has this value are left out. Null leaves out no orders. */
  hidden: { field: string; value: string } | null;
  /**
   * The forms in which a search text can be stored. An order matches if one of them is a part of its id, its subject, its metadata, or the id
   * of a transaction that paid it. The search ignores case. Empty: every order matches.
   */
  texts: readonly string[];
  statuses: readonly OrderStatus[];
  /** The earliest and the latest creation time, both inclusive. */
  from: Date | null;
  to: Date | null;
  limit: number;
  offset: number;
}

const MAX_SEARCHED = 2_000;

const SEARCH = `
  with newest as (
    select o.id, o.echo, o.status, o.created_at, o.subject, o.metadata from orders o
    where o.merchant_id = $1 and o.dialect = $2 and o.dialect <> 'api' order by o.id desc limit ${MAX_SEARCHED})
  select n.id from newest n
  where (jsonb_array_length($4::text::jsonb) = 0 or $4::text::jsonb ? (n.echo ->> $3::text))
    and (jsonb_array_length($5::text::jsonb) = 0 or $5::text::jsonb ? n.status)
    and ($6::timestamptz is null or n.created_at >= $6) and ($7::timestamptz is null or n.created_at <= $7)
    and ($10::text is null or n.echo ->> $10::text is distinct from $11::text)
    and (jsonb_array_length($12::text::jsonb) = 0 or exists (
      select from jsonb_array_elements_text($12::text::jsonb) form
      where strpos(lower(concat_ws(' ', n.id, n.subject, n.metadata)), lower(form)) > 0 or exists (
        select from transfers t where t.order_id = n.id and t.merchant_id = $1 and strpos(lower(t.tx_id), lower(form)) > 0)))
  order by n.id desc limit $8 offset $9`;

/**
 * Searches the newest 2,000 orders that an integration created for a shop.
 * @returns their ids, newest first
 */
export async function searchIntegrationOrders(db: Db, search: IntegrationOrderSearch): Promise<string[]> {
  const { merchantId, integration, echo, hidden, texts, statuses, from, to, limit, offset } = search;
  const rows = await runPrepared<{ id: string }>(db, SEARCH, [
    merchantId,
    integration,
    echo.field,
    JSON.stringify(echo.values),
    JSON.stringify(statuses),
    from?.toISOString() ?? null,
    to?.toISOString() ?? null,
    limit,
    offset,
    hidden?.field ?? null,
    hidden?.value ?? null,
    JSON.stringify(texts),
  ]);
  return rows.map(({ id }) => id);
}

/** A change to data that does not affect the payment of an order. Omitted fields are unchanged. */
export interface IntegrationOrderChange {
  metadata?: string | null;
  subject?: string | null;
  /** The fields to set in the data that the integration stored; its other fields are unchanged. */
  echo: Echo;
}

/**
 * Changes an order that an integration created for a shop, in one statement.
 * @returns its new version; null if the integration created no such order for the shop
 */
export async function updateIntegrationOrder(
  db: Db,
  { id, merchantId, integration }: { id: string; merchantId: string; integration: IntegrationId },
  { echo, ...change }: IntegrationOrderChange,
  now: Date,
): Promise<number | null> {
  const set = { ...change, echo: sql`${orders.echo} || ${JSON.stringify(echo)}::text::jsonb`, changedAt: now };
  const [row] = await db
    .update(orders)
    .set({ ...set, version: sql`${orders.version} + 1` })
    .where(and(eq(orders.id, id), eq(orders.merchantId, merchantId), eq(orders.integration, integration)))
    .returning({ version: orders.version });
  return row?.version ?? null;
}

/** A quote of an order. Base units are decimal strings. */
export interface OrderQuote extends Record<string, unknown>, AddressMacColumn {
  id: string;
  network: string;
  currency: Currency;
  /** The address in canonical form. */
  address: string;
  base_units: string;
  /** The price of one token; null if the amount was given in tokens. */
  rate: string | null;
}

/** A transfer that is or was credited to an order. */
export interface OrderPayment extends Record<string, unknown> {
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
  select q.id, q.network, q.currency, q.address, ${ADDRESS_MAC_COLUMN}, q.base_units::text, coalesce(q.price, o.price) ->> 'rate' as rate
  from orders o join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id ${joinAddressMac("q")}
  where o.id = $1 and o.merchant_id = $2 order by (q.id = o.quote_id) desc, q.id desc limit 100`;

/** Lists the quotes of an order: the current quote first, then the others from newest to oldest. */
export async function listOrderQuotes(db: Db, { id, merchantId }: OfOrder): Promise<OrderQuote[]> {
  return runPrepared<OrderQuote>(db, LIST_OF_QUOTES, [id, merchantId]);
}

const LIST_OF_PAYMENTS = `
  select t.quote_id, t.network, t.currency, t.token, t.tx_id, t.to_address as address, t.base_units::text, t.status,
    (extract(epoch from t.seen_at) * 1000)::float8 as seen_ms
  from transfers t where t.order_id = $1 and t.merchant_id = $2 order by t.seen_at, t.id limit 100`;

/** Lists the transfers of an order: at most 100, those that were seen first. */
export async function listOrderPayments(db: Db, { id, merchantId }: OfOrder): Promise<OrderPayment[]> {
  return runPrepared<OrderPayment>(db, LIST_OF_PAYMENTS, [id, merchantId]);
}
