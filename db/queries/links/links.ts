import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { keyset, type Page, toPage } from "@/db/queries/keyset";
import { orders, paymentLinkOrders, paymentLinks, quotes } from "@/db/schema";
import type { LinkFilter } from "@/lib/domain/links/filter";
import type { LinkStatus, PaymentLink } from "@/lib/domain/links/link";
import type { LinkUses } from "@/lib/domain/links/link-wire";
import type { ListCursor } from "@/lib/domain/list-cursor";
import type { Currency } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderStatus } from "@/lib/domain/orders/order";

/** A link as stored, with the columns that only use cases read. */
export type StoredLink = typeof paymentLinks.$inferSelect;

/** A link with the number of its orders. */
export type ListedLink = PaymentLink & LinkUses;

type NewLink = Omit<StoredLink, "createdAt" | "closedAt" | "closedBy">;

/** Inserts a link. Returns false if the merchant already used its `mchLinkId`. */
export async function insertLink(db: Db, link: NewLink, now: Date): Promise<boolean> {
  const rows = await db
    .insert(paymentLinks)
    .values({ ...link, createdAt: now })
    .onConflictDoNothing({ target: [paymentLinks.merchantId, paymentLinks.mchLinkId] })
    .returning({ id: paymentLinks.id });
  return rows.length === 1;
}

/** An order uses its link if it is open or paid, or if part of its amount arrived. */
const IS_USE = sql`(o.status in ('pending', 'confirming', 'paid') or o.exception is not null)`;
const OWN_ORDERS = sql`payment_link_orders l join orders o on o.id = l.order_id and o.merchant_id = l.merchant_id
  where l.link_id = ${paymentLinks.id} and l.merchant_id = ${paymentLinks.merchantId}`;
const USES = sql<number>`(select count(*)::int from ${OWN_ORDERS} and ${IS_USE})`;

const COLUMNS = {
  id: paymentLinks.id,
  merchantId: paymentLinks.merchantId,
  mchLinkId: paymentLinks.mchLinkId,
  network: paymentLinks.network,
  currency: paymentLinks.currency,
  fiat: paymentLinks.fiat,
  amount: paymentLinks.amount,
  minAmount: paymentLinks.minAmount,
  maxAmount: paymentLinks.maxAmount,
  subject: paymentLinks.subject,
  noteLabel: paymentLinks.noteLabel,
  notifyUrl: paymentLinks.notifyUrl,
  redirectUrl: paymentLinks.redirectUrl,
  maxUses: paymentLinks.maxUses,
  expiresAt: paymentLinks.expiresAt,
  createdAt: paymentLinks.createdAt,
  closedAt: paymentLinks.closedAt,
} as const;
const COUNTED = {
  ...COLUMNS,
  uses: USES,
  paidOrders: sql<number>`(select count(*)::int from ${OWN_ORDERS} and o.status = 'paid')`,
} as const;

/** The names of a link: its id, or the merchant's own id. */
export type LinkNames = { id: string } | { mchLinkId: string };

/** Finds a link of a merchant; null if there is none. */
export async function findLink(db: Db, merchantId: string, names: LinkNames): Promise<ListedLink | null> {
  const isNamed = "id" in names ? eq(paymentLinks.id, names.id) : eq(paymentLinks.mchLinkId, names.mchLinkId);
  const [row] = await db
    .select(COUNTED)
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), isNamed));
  return row ?? null;
}

/** Finds the terms of a link by the id in its URL, for any merchant; null if there is none. They never change. */
export async function findLinkTerms(db: Db, id: string): Promise<StoredLink | null> {
  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.id, id));
  return row ?? null;
}

/** Locks a link until the transaction ends, so that only one of several concurrent payers gets its last use. */
export async function lockLink(db: Db, id: string): Promise<StoredLink | null> {
  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.id, id)).for("no key update");
  return row ?? null;
}

/**
 * Returns the number of orders of a link that are open or paid; 0 without a query if any number is allowed. Call it with the link locked.
 */
export async function countUses(
  db: Db,
  { id, merchantId, maxUses }: Pick<StoredLink, "id" | "merchantId" | "maxUses">,
): Promise<number> {
  if (maxUses === null) return 0;
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from payment_link_orders l join orders o on o.id = l.order_id and o.merchant_id = l.merchant_id
    where l.link_id = ${id} and l.merchant_id = ${merchantId} and ${IS_USE}`);
  return row?.count ?? 0;
}

/** Closes a link. Returns false if it was closed before, or if the merchant has no such link. */
export async function writeClosed(
  db: Db,
  { id, merchantId, closedBy }: { id: string; merchantId: string; closedBy: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(paymentLinks)
    .set({ closedAt: now, closedBy })
    .where(and(eq(paymentLinks.id, id), eq(paymentLinks.merchantId, merchantId), isNull(paymentLinks.closedAt)))
    .returning({ id: paymentLinks.id });
  return rows.length === 1;
}

/** The order of a payer who submitted the form of a link. */
export interface LinkOrder {
  orderId: string;
  status: OrderStatus;
  checkout: CheckoutTerms | null;
  note: string | null;
  expiresAt: Date;
}

/** Returns the orders that were created by one form, newest first. */
export async function listFormOrders(
  db: Db,
  { id, merchantId }: Pick<StoredLink, "id" | "merchantId">,
  formKey: string,
): Promise<LinkOrder[]> {
  return db
    .select({
      orderId: orders.id,
      status: orders.status,
      checkout: orders.checkout,
      note: paymentLinkOrders.note,
      expiresAt: orders.expiresAt,
    })
    .from(paymentLinkOrders)
    .innerJoin(orders, isOrderOf())
    .where(
      and(
        eq(paymentLinkOrders.linkId, id),
        eq(paymentLinkOrders.merchantId, merchantId),
        eq(paymentLinkOrders.formKey, formKey),
      ),
    )
    .orderBy(desc(paymentLinkOrders.orderId));
}

function isOrderOf(): SQL | undefined {
  return and(eq(orders.id, paymentLinkOrders.orderId), eq(orders.merchantId, paymentLinkOrders.merchantId));
}

/** Stores that an order was created with a link. */
export async function insertLinkOrder(db: Db, row: typeof paymentLinkOrders.$inferInsert): Promise<void> {
  await db.insert(paymentLinkOrders).values(row);
}

/** A search for links. Absent fields match every link. */
export interface LinkSearch {
  status: LinkStatus | null;
  /** The id of the last link of the previous page; null for the first page. */
  cursor: string | null;
  limit: number;
}

/** Returns a merchant's links that match a search, newest first, at most `limit`. */
export async function listLinks(
  db: Db,
  merchantId: string,
  { status, cursor, limit }: LinkSearch,
  now: Date,
): Promise<ListedLink[]> {
  return db
    .select(COUNTED)
    .from(paymentLinks)
    .where(
      and(
        eq(paymentLinks.merchantId, merchantId),
        status === null ? undefined : hasStatus(status, now),
        cursor === null ? undefined : lt(paymentLinks.id, cursor),
      ),
    )
    .orderBy(desc(paymentLinks.id))
    .limit(limit);
}

/** Returns a page of a merchant's links for the back office, newest first. */
export async function listLinkRows(
  db: Db,
  merchantId: string,
  filter: LinkFilter,
  at: { cursor: ListCursor; limit: number; now: Date },
): Promise<Page<ListedLink>> {
  const { where, order } = keyset(paymentLinks.id, at.cursor);
  const { status, text } = filter;
  const rows = await db
    .select(COUNTED)
    .from(paymentLinks)
    .where(
      and(
        eq(paymentLinks.merchantId, merchantId),
        status ? hasStatus(status, at.now) : undefined,
        text ? isNamed(text) : undefined,
        where,
      ),
    )
    .orderBy(order)
    .limit(at.limit + 1);
  return toPage(rows, at.cursor, at.limit);
}

function isNamed(text: string): SQL {
  return sql`(${paymentLinks.id} = ${text.toLowerCase()} or ${paymentLinks.mchLinkId} = ${text}
    or strpos(lower(${paymentLinks.subject}), lower(${text})) > 0)`;
}

/** The same rule as `linkStatus` of the domain. */
function hasStatus(status: LinkStatus, now: Date): SQL | undefined {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isExpired = sql`coalesce(${paymentLinks.expiresAt} <= ${at}, false)`;
  const isUsedUp = sql`(${paymentLinks.maxUses} is not null and ${USES} >= ${paymentLinks.maxUses})`;
  const isOpen = sql`${paymentLinks.closedAt} is null`;
  switch (status) {
    case "closed":
      return sql`${paymentLinks.closedAt} is not null`;
    case "expired":
      return sql`(${isOpen} and ${isExpired})`;
    case "used_up":
      return sql`(${isOpen} and not ${isExpired} and ${isUsedUp})`;
    case "open":
      return sql`(${isOpen} and not ${isExpired} and not ${isUsedUp})`;
  }
}

/** The sum that paid and partly paid orders of a link received in a token, in base units. */
interface LinkSum {
  linkId: string;
  network: string;
  currency: Currency;
  paidUnits: bigint;
}

/** Returns the sums that the orders of links received, by token. */
export async function listLinkSums(db: Db, merchantId: string, linkIds: readonly string[]): Promise<LinkSum[]> {
  if (linkIds.length === 0) return [];
  const rows = await db.execute<{ link_id: string; network: string; currency: Currency; units: string }>(sql`
    select l.link_id, q.network, q.currency, sum(o.paid_units)::text as units
    from payment_link_orders l
      join orders o on o.id = l.order_id and o.merchant_id = l.merchant_id
      join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id
    where l.merchant_id = ${merchantId} and l.link_id in (${sql.join(
      linkIds.map((id) => sql`${id}`),
      sql`, `,
    )}) and o.paid_units > 0
    group by 1, 2, 3 order by 1, 3, 2`);
  return rows.map(({ link_id, network, currency, units }) => ({
    linkId: link_id,
    network,
    currency,
    paidUnits: BigInt(units),
  }));
}

/** Returns the orders of a link, newest first, at most `limit`. Amounts are in base units of the shown quote's token. */
export async function listOrdersOfLink(db: Db, merchantId: string, linkId: string, limit: number) {
  return db
    .select({
      id: orders.id,
      mchOrderId: orders.mchOrderId,
      status: orders.status,
      exception: orders.exception,
      checkout: orders.checkout,
      price: orders.price,
      network: quotes.network,
      currency: quotes.currency,
      baseUnits: quotes.baseUnits,
      paidUnits: orders.paidUnits,
      createdAt: orders.createdAt,
      note: paymentLinkOrders.note,
    })
    .from(paymentLinkOrders)
    .innerJoin(orders, isOrderOf())
    .leftJoin(
      quotes,
      and(eq(quotes.orderId, orders.id), eq(quotes.merchantId, orders.merchantId), eq(quotes.id, orders.quoteId)),
    )
    .where(and(eq(paymentLinkOrders.linkId, linkId), eq(paymentLinkOrders.merchantId, merchantId)))
    .orderBy(desc(paymentLinkOrders.orderId))
    .limit(limit);
}

/** Returns the link with which the payer of an order created it, with the payer's note; null if there is none. */
export async function findLinkOfOrder(db: Db, merchantId: string, orderId: string) {
  const [row] = await db
    .select({
      id: paymentLinks.id,
      subject: paymentLinks.subject,
      noteLabel: paymentLinks.noteLabel,
      note: paymentLinkOrders.note,
    })
    .from(paymentLinkOrders)
    .innerJoin(
      paymentLinks,
      and(eq(paymentLinks.id, paymentLinkOrders.linkId), eq(paymentLinks.merchantId, paymentLinkOrders.merchantId)),
    )
    .where(and(eq(paymentLinkOrders.orderId, orderId), eq(paymentLinkOrders.merchantId, merchantId)));
  return row ?? null;
}
