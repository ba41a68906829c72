import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { scanRows, toWalkedPage, type Walked, type WalkedPage } from "@/db/queries/keyset";
import { idList } from "@/db/queries/many-rows";
import { isShownQuote } from "@/db/queries/orders/back-office";
import { callbacks, orders, quotes, transfers } from "@/db/schema";
import { storedForms } from "@/lib/domain/addresses/address";
import { firstIdAt, idBefore } from "@/lib/domain/id";
import type { OrderIntegration } from "@/lib/domain/integration-id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";
import { allNetworks } from "@/lib/domain/networks";
import { amountSpan, type OrderFilter } from "@/lib/domain/orders/filter";

/** The maximum number of orders that are examined for a page, however few of them match. */
const MAX_EXAMINED = 2_000;
/**
 * The maximum number of matches of a text, or of failed callbacks, that are examined one by one. If there are more, the list is scanned.
 */
const FEW = 500;
/** A bound above every id, under any collation. */
const TOP = "z";
/** A suffix that turns a prefix into a bound above every string with that prefix, in bytewise order. */
const LAST_CHARACTER = "\u{10ffff}";

/**
 * An order in a list. Amounts are in base units of the displayed quote's token, given by `network` and `currency`. These are null until
 * the payer chooses.
 */
export type ListedOrder = Awaited<ReturnType<typeof readOrders>>[number];

/**
 * Returns a merchant's orders that match a filter, newest first. Examines a bounded number of orders along an index; if the filter's text
 * has few matches, examines only these matches. If the orders found do not fill the page, the next page continues where this one stopped.
 */
export async function listOrders(
  db: Db,
  merchantId: string,
  filter: OrderFilter,
  cursor: ListCursor,
  limit: number,
): Promise<WalkedPage<ListedOrder>> {
  const narrowed = await narrow(db, merchantId, filter);
  const found = await scanOrders(db, merchantId, filter, narrowed, { cursor, limit, max: MAX_EXAMINED });
  const rows = await readOrders(db, merchantId, found.ids.slice(0, limit));
  return toWalkedPage(rows, found, cursor, limit);
}

/** The result of resolving a filter's text and callback: either the ids of a few orders, or conditions on each scanned order `w`. */
interface Narrowed {
  ids: string[] | null;
  conditions: SQL[];
}

async function narrow(db: Db, merchantId: string, { text, callback }: OrderFilter): Promise<Narrowed> {
  const own = callback ? [hasCallback(callback)] : [];
  if (text) {
    const { ids, conditions } = await mentioned(db, merchantId, text);
    return { ids, conditions: [...conditions, ...own] };
  }
  if (callback !== "failed") return { ids: null, conditions: own };
  const rows = await db.execute<{ id: string }>(sql`
    select c.order_id as id from callbacks c
    where c.merchant_id = ${merchantId} and c.status = 'failed' order by c.created_at desc limit ${FEW + 1}`);
  return { ids: rows.length > FEW ? null : [...new Set(rows.map(({ id }) => id))], conditions: own };
}

/**
 * Returns a condition on an order's callback. A subquery looks up each callback, because a join would scan a whole table of ten thousand
 * rows for each page.
 */
function hasCallback(status: string): SQL {
  return sql`(select c.status from callbacks c
    where c.order_id = w.id and c.type = 'payment.confirmed' and c.merchant_id = w.merchant_id limit 1) = ${status}`;
}

/**
 * Returns the orders that match a text, each kind of match by its own index. Where one value may occur in nearly every row, the planner
 * scans the whole table unless the query sorts in the order of the index. A kind with more than a few matches becomes a condition, because
 * a scan of the list finds frequent matches quickly.
 */
async function mentioned(db: Db, merchantId: string, text: string): Promise<Narrowed> {
  const forms = sql`any(${idList(storedForms(text))})`;
  const networks = sql`any(${idList(allNetworks().map(({ id }) => id))})`;
  const addresses = sql`select a.id from receiving_addresses a where a.merchant_id = ${merchantId} and a.address = ${forms}`;
  const ways = [
    {
      find: sql`select o.id from orders o where o.merchant_id = ${merchantId} and o.id = ${text.toLowerCase()}`,
      is: sql`w.id = ${text.toLowerCase()}`,
    },
    {
      find: sql`select o.id from orders o where o.merchant_id = ${merchantId} and o.mch_order_id ~>=~ ${text}
        and o.mch_order_id ~<~ ${text + LAST_CHARACTER}`,
      is: sql`starts_with(w.mch_order_id, ${text})`,
    },
    {
      find: sql`select t.order_id as id from transfers t
        where t.network = ${networks} and t.tx_id = ${forms} and t.merchant_id = ${merchantId} and t.order_id is not null`,
      is: sql`(select true from transfers t where t.order_id = w.id and t.merchant_id = w.merchant_id and t.tx_id = ${forms} limit 1)`,
    },
    {
      find: sql`select o.id from unnest(${idList(storedForms(text))}) form cross join lateral (
        select t.order_id as id from transfers t where t.merchant_id = ${merchantId} and t.from_address = form
        and t.order_id is not null order by t.id limit ${FEW + 1}) o`,
      is: sql`(select true from transfers t where t.order_id = w.id and t.merchant_id = w.merchant_id and t.from_address = ${forms} limit 1)`,
    },
    {
      find: sql`select o.id from (${addresses}) a cross join lateral (
        select q.order_id as id from quotes q where q.receiving_address_id = a.id and q.merchant_id = ${merchantId}
        order by q.base_units limit ${FEW + 1}) o`,
      is: sql`(select true from quotes q where q.order_id = w.id and q.merchant_id = w.merchant_id
        and q.receiving_address_id = any(array(${addresses})) limit 1)`,
    },
  ];
  const parts = ways.map(({ find }, way) => sql`(select ${way}::int as way, f.id from (${find} limit ${FEW + 1}) f)`);
  const rows = await db.execute<{ way: number; id: string }>(sql.join(parts, sql` union all `));
  const counts = ways.map((_, way) => rows.filter((row) => row.way === way).length);
  const isCommon = (way: number) => (counts[way] ?? 0) > FEW;
  const common = ways.filter((_, way) => isCommon(way)).map(({ is }) => is);
  const ids = [...new Set(rows.filter(({ way }) => !isCommon(way)).map(({ id }) => id))];
  if (common.length === 0) return { ids, conditions: [] };
  const isOneOf = [sql`w.id = any(${idList(ids)})`, ...common];
  return { ids: null, conditions: [sql`(${sql.join(isOneOf, sql` or `)})`] };
}

const STEP = 1_000;
const MAX_PER_STEP = 5_000;

/**
 * Yields all of a merchant's orders that match a filter, newest first, in chunks that are read on demand. No transaction stays open
 * between chunks. Orders that are created after the first chunk are not included.
 */
export async function* readAllOrders(db: Db, merchantId: string, filter: OrderFilter): AsyncGenerator<ListedOrder[]> {
  const narrowed = await narrow(db, merchantId, filter);
  for (let cursor: ListCursor = null; ; ) {
    const found: Walked = await scanOrders(db, merchantId, filter, narrowed, {
      cursor,
      limit: STEP,
      max: MAX_PER_STEP,
    });
    const ids = found.ids.slice(0, STEP);
    if (ids.length > 0) yield await readOrders(db, merchantId, ids);
    const last = found.ids.length > STEP ? ids.at(-1) : found.isCut ? found.last : null;
    if (!last) return;
    cursor = { after: last };
  }
}

interface Step {
  cursor: ListCursor;
  limit: number;
  /** The maximum number of orders that are examined. */
  max: number;
}

/** Scans the merchant's orders, or only those with a given exception, and returns those that match the filter. */
function scanOrders(
  db: Db,
  merchantId: string,
  filter: OrderFilter,
  { ids, conditions }: Narrowed,
  step: Step,
): Promise<Walked> {
  const { since, before } = createdSpan(filter);
  const { cursor } = step;
  return scanRows(db, {
    from: sql`orders o`,
    columns: sql`o.id, o.merchant_id, o.mch_order_id, o.quote_id, o.status, o.created_at`,
    sortedBy: [sql`o.id`],
    along: [
      sql`o.merchant_id = ${merchantId}`,
      sql`o.id < ${before ? firstIdAt(before) : TOP}`,
      ...(since ? [sql`o.id >= ${idBefore(since)}`] : []),
      ...(cursor ? ["before" in cursor ? sql`o.id > ${cursor.before}` : sql`o.id < ${cursor.after}`] : []),
      ...(filter.exception ? [sql`o.exception = ${filter.exception}`] : []),
      ...(filter.integration ? [integrationIs(filter.integration)] : []),
      ...(ids ? [sql`o.id = any(${idList(ids)})`] : []),
    ],
    kept: [...conditionsOf(filter), ...conditions],
    ...step,
  });
}

/**
 * Returns a condition on the integration, written so that PostgreSQL can use the partial index on orders of integrations other than the
 * API.
 */
function integrationIs(integration: OrderIntegration): SQL {
  return integration === "api" ? sql`o.dialect = 'api'` : sql`o.dialect = ${integration} and o.dialect <> 'api'`;
}

/** Returns the conditions on each scanned order `w`. */
function conditionsOf(filter: OrderFilter): SQL[] {
  const { since, before } = createdSpan(filter);
  const { min, max } = amountSpan(filter);
  const ofQuote = [
    ...(filter.network ? [sql`q.network = ${filter.network}`] : []),
    ...(filter.currency ? [sql`q.currency = ${filter.currency}`] : []),
    ...(min === null ? [] : [sql`q.micro_units >= ${min.toString()}::bigint`]),
    ...(max === null ? [] : [sql`q.micro_units <= ${max.toString()}::bigint`]),
  ];
  const quote = sql`(select ${sql.join([sql`true`, ...ofQuote], sql` and `)} from quotes q
    where q.order_id = w.id and q.merchant_id = w.merchant_id and q.id = w.quote_id)`;
  return [
    ...(filter.status ? [sql`w.status = ${filter.status}`] : []),
    ...(since ? [sql`w.created_at >= ${since.toISOString()}::timestamptz`] : []),
    ...(before ? [sql`w.created_at < ${before.toISOString()}::timestamptz`] : []),
    ...(ofQuote.length > 0 ? [quote] : []),
  ];
}

const settling = alias(transfers, "settling");

/** Returns orders with the columns for a list or a file, newest first. */
async function readOrders(db: Db, merchantId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .select({
      id: orders.id,
      mchOrderId: orders.mchOrderId,
      subject: orders.subject,
      checkout: orders.checkout,
      network: quotes.network,
      currency: quotes.currency,
      /** The amount that is requested from the payer. */
      baseUnits: quotes.baseUnits,
      address: quotes.address,
      paidUnits: orders.paidUnits,
      price: sql<typeof orders.$inferSelect.price>`coalesce(${quotes.price}, ${orders.price})`,
      status: orders.status,
      exception: orders.exception,
      createdAt: orders.createdAt,
      expiresAt: orders.expiresAt,
      paidAt: orders.paidAt,
      txId: settling.txId,
      fromAddress: settling.fromAddress,
      callback: callbacks.status,
      callbackAttempts: callbacks.seriesAttempts,
    })
    .from(orders)
    .leftJoin(quotes, isShownQuote)
    .leftJoin(
      callbacks,
      and(
        eq(callbacks.orderId, orders.id),
        eq(callbacks.merchantId, orders.merchantId),
        eq(callbacks.type, "payment.confirmed"),
      ),
    )
    .leftJoin(settling, and(eq(settling.id, orders.settledByTransferId), eq(settling.merchantId, orders.merchantId)))
    .where(and(eq(orders.merchantId, merchantId), sql`${orders.id} = any(${idList(ids)})`))
    .orderBy(desc(orders.id), asc(callbacks.id));
}
