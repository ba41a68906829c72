import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { listQuotes, listReceived } from "@/db/queries/orders/order-moves";
import { merchants, orders, quotes, transfers } from "@/db/schema";
import type { AddressKind } from "@/lib/domain/addresses/load";
import type { Echo, IntegrationId } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import { type CheckoutTerms, hasMoreThanDust, type OrderPrice } from "@/lib/domain/orders/order";

/** An order without a quote: its payer chooses network and currency. */
export interface NewCheckout {
  id: string;
  merchantId: string;
  /** The key of the request, or of the payment link; null if there is none. */
  apiKeyId: string | null;
  /** True for a payment link, which remains valid after its key ended. */
  isKeyUnchecked?: true;
  mchOrderId: string;
  checkout: CheckoutTerms;
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
  subject: string | null;
  /** The text of a JSON object. */
  metadata: string | null;
  /** The integration of the request, and the values that its responses must echo; absent for the API itself. */
  integration?: IntegrationId;
  echo?: Echo;
  /** The lifetime; null for the merchant's default. */
  expiresInSeconds: number | null;
}

/**
 * Inserts an order whose payer chooses, unless the merchant has used its mch_order_id before.
 * @returns its expiry; null if the number was used; "deadKey" if the key is no longer live
 */
export async function insertCheckout(db: Db, order: NewCheckout, now: Date): Promise<Date | null | "deadKey"> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const text = (value: string | null) => value?.toWellFormed() ?? null;
  const mchOrderId = order.mchOrderId.toWellFormed();
  const { integration = "api" } = order;
  const [row] = await db.execute<{ is_key_live: boolean; expires_ms: number | null }>(sql`
    with asked as (
      select m.id, m.expires_in_seconds from merchants m
      where m.id = ${order.merchantId} and (${order.apiKeyId}::text is null or ${order.isKeyUnchecked ?? false} or exists (
        select from api_keys k where k.id = ${order.apiKeyId} and k.merchant_id = m.id and is_live(k.ends_at, ${at})))),
    made as (
      insert into orders (id, merchant_id, api_key_id, mch_order_id, checkout, status, notify_url, redirect_url, locale, subject,
        metadata, dialect, echo, expires_at, created_at, changed_at)
      select ${order.id}, asked.id, ${order.apiKeyId}, ${mchOrderId}, ${JSON.stringify(order.checkout)}::text::jsonb, 'pending',
        ${text(order.notifyUrl)}, ${text(order.redirectUrl)}, ${order.locale}, ${text(order.subject)}, ${order.metadata}, ${integration},
        ${order.echo ? JSON.stringify(order.echo) : null}::text::jsonb,
        date_trunc('second', ${at} + make_interval(secs => coalesce(${order.expiresInSeconds}::int, asked.expires_in_seconds))
          + interval '999 milliseconds'), ${at}, ${at}
      from asked
      where not exists (
        select from used_order_numbers u where u.merchant_id = ${order.merchantId} and u.mch_order_id = ${mchOrderId}
          and u.dialect = ${integration})
      on conflict (merchant_id, mch_order_id, dialect) do nothing
      returning expires_at)
    select exists (select from asked) as is_key_live, (select extract(epoch from expires_at) * 1000 from made)::float8 as expires_ms`);
  if (!row?.is_key_live) return "deadKey";
  return row.expires_ms === null ? null : new Date(row.expires_ms);
}

/** The columns of an order that a choice needs. */
export type ChoosableOrder = NonNullable<Awaited<ReturnType<typeof lockChoosable>>>;

/** Locks an order until the transaction ends, so that only one of several concurrent choices is made. */
export async function lockChoosable(db: Db, orderId: string) {
  const [order] = await db
    .select({
      id: orders.id,
      merchantId: orders.merchantId,
      mchOrderId: orders.mchOrderId,
      checkout: orders.checkout,
      network: orders.network,
      currency: orders.currency,
      amountUnits: orders.amountUnits,
      price: orders.price,
      quoteId: orders.quoteId,
      status: orders.status,
      version: orders.version,
      createdAt: orders.createdAt,
      expiresAt: orders.expiresAt,
      extensions: orders.extensions,
      lateWindowSeconds: merchants.lateWindowSeconds,
    })
    .from(orders)
    .innerJoin(merchants, eq(merchants.id, orders.merchantId))
    .where(eq(orders.id, orderId))
    .for("no key update", { of: orders });
  return order ?? null;
}

/** A quote of an order that its payer can pay. */
export type HeldQuote = Awaited<ReturnType<typeof listHeldQuotes>>[number];

type OrderRef = Pick<ChoosableOrder, "id" | "merchantId">;

/** Returns the quotes of an order that can settle it, oldest first. */
export async function listHeldQuotes(db: Db, { id, merchantId }: OrderRef) {
  const { network, currency, baseUnits, askedUnits, price, reservedUntil, releasedAt } = quotes;
  return db
    .select({ id: quotes.id, network, currency, baseUnits, askedUnits, price, reservedUntil, releasedAt })
    .from(quotes)
    .where(
      and(
        eq(quotes.orderId, id),
        eq(quotes.merchantId, merchantId),
        isNull(quotes.supersededAt),
        isNull(quotes.completesQuoteId),
      ),
    )
    .orderBy(quotes.id);
}

/**
 * Returns true if the order has received more than dust: transfers that are credited to it or fit one of its holds, matched or not. Any
 * transfer that was certainly meant for it counts as well. Call it with the order locked.
 */
export async function hasReceived(db: Db, order: OrderRef & { createdAt: Date }): Promise<boolean> {
  const { id, merchantId } = order;
  if (hasMoreThanDust(await listQuotes(db, [id]), await listReceived(db, order))) return true;
  const isMeant = and(eq(transfers.meantOrderId, id), eq(transfers.merchantId, merchantId));
  const [meant] = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(isMeant, ne(transfers.status, "dropped")))
    .limit(1);
  return meant !== undefined;
}

/** The quote to reserve. Amounts are in base units of the token; `unitsPerStep` is the number of base units in 0.000001 of the token. */
export interface WantedQuote {
  id: string;
  orderId: string;
  merchantId: string;
  network: string;
  currency: Currency;
  token: string;
  amountUnits: bigint;
  unitsPerStep: bigint;
  reservedUntil: Date;
}

/** The address of a reserved quote. */
export interface ReservedQuote {
  receivingAddressId: string;
  address: string;
  kind: AddressKind;
  mac: string;
}

/**
 * Reserves a quote by the same rules as the creation of an order. Returns null if the merchant has no address on the network, or if no
 * amount or address is available.
 */
export async function reserveQuote(db: Db, quote: WantedQuote, now: Date): Promise<ReservedQuote | null> {
  const wanted = {
    id: quote.id,
    order_id: quote.orderId,
    merchant_id: quote.merchantId,
    network: quote.network,
    currency: quote.currency,
    token: quote.token,
    base_units: quote.amountUnits.toString(),
    micro_units: (quote.amountUnits / quote.unitsPerStep).toString(),
    reserved_until: quote.reservedUntil.toISOString(),
  };
  const [row] = await db.execute<{ id: string; address: string; kind: AddressKind; mac: string }>(sql`
    select receiving_address_id as id, address, kind, mac
    from reserve_one(${JSON.stringify(wanted)}::text::jsonb, ${now.toISOString()}::timestamptz) where code is null`);
  if (!row) return null;
  const { id: receivingAddressId, address, kind, mac } = row;
  return { receivingAddressId, address, kind, mac };
}

/** Deletes a quote that no response or event has shown yet. */
export async function deleteQuote(db: Db, { id, orderId, merchantId }: WantedQuote): Promise<void> {
  await db.delete(quotes).where(and(eq(quotes.orderId, orderId), eq(quotes.merchantId, merchantId), eq(quotes.id, id)));
}

/** Stores a quote as the original network, currency and amount of its order. Call it with the order locked. */
export async function writeFirstChoice(
  db: Db,
  { id, orderId, merchantId, network, currency, amountUnits }: WantedQuote,
  { price, version }: { price: OrderPrice | null; version: number },
  now: Date,
): Promise<void> {
  await db
    .update(orders)
    .set({ network, currency, amountUnits, price, quoteId: id, version, changedAt: now })
    .where(and(eq(orders.id, orderId), eq(orders.merchantId, merchantId)));
}

/** Changes the quote of an order that the API and the page show. Call it with the order locked. */
export async function showQuote(
  db: Db,
  { id, merchantId }: OrderRef,
  { quoteId, version }: { quoteId: string; version: number },
  now: Date,
): Promise<void> {
  await db
    .update(orders)
    .set({ quoteId, version, changedAt: now })
    .where(and(eq(orders.id, id), eq(orders.merchantId, merchantId)));
}

/** Stores the order amount with a quote, in the quote's token. */
export async function writeAsked(
  db: Db,
  { id, orderId, merchantId, amountUnits }: WantedQuote,
  price: OrderPrice | null,
): Promise<void> {
  await db
    .update(quotes)
    .set({ askedUnits: amountUnits, price })
    .where(and(eq(quotes.orderId, orderId), eq(quotes.merchantId, merchantId), eq(quotes.id, id)));
}

/**
 * Stores the order amount with the first quote of an order, in the quote's token, before the order gets a different first quote. From then
 * on, the quote is found by its own network, like quotes that the payer switched to. Call it with the order locked.
 */
export async function keepFirstAsked(db: Db, order: ChoosableOrder): Promise<void> {
  const { id, merchantId, amountUnits: askedUnits, price } = order;
  if (askedUnits === null) return;
  await db
    .update(quotes)
    .set({ askedUnits, price })
    .where(and(eq(quotes.orderId, id), eq(quotes.merchantId, merchantId), isNull(quotes.askedUnits)));
}

/**
 * Extends a pending order and its live quotes by the same time, and extends the cool-down of their dedicated addresses to match. Call it
 * with the order locked.
 * @returns the order's new version; null if it has expired
 */
export async function lengthenOrder(
  db: Db,
  { id, merchantId }: OrderRef,
  ms: number,
  now: Date,
): Promise<number | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const more = sql`make_interval(secs => ${ms / 1_000}::float8)`;
  const [row] = await db.execute<{ version: number }>(sql`
    with lengthened as (
      update orders o set expires_at = o.expires_at + ${more}, extensions = o.extensions + 1, version = o.version + 1, changed_at = ${at}
      where o.id = ${id} and o.merchant_id = ${merchantId} and o.status = 'pending' and o.expires_at > ${at}
      returning o.id, o.merchant_id, o.version),
    held as (
      update quotes q set reserved_until = q.reserved_until + ${more} from lengthened l
      where q.order_id = l.id and q.merchant_id = l.merchant_id and q.released_at is null and q.reserved_until > ${at}
      returning q.receiving_address_id, q.merchant_id, q.kind, q.reserved_until),
    resting as (
      update receiving_addresses r set rests_until = greatest(r.rests_until, h.reserved_until) from held h
      where r.id = h.receiving_address_id and r.merchant_id = h.merchant_id and h.kind = 'dedicated')
    select version from lengthened`);
  return row?.version ?? null;
}

/**
 * Gives an expired order a new expiry, and extends its live holds to match it; its next status change makes it pending.
 * Call it with the order locked.
 * @returns true if its shown quote is still held
 */
export async function reopenOrder(db: Db, order: ChoosableOrder, expiresAt: Date, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const until = sql`${expiresAt.toISOString()}::timestamptz + make_interval(secs => ${order.lateWindowSeconds}::float8)`;
  const [row] = await db.execute<{ is_held: boolean }>(sql`
    with reopened as (
      update orders o set expires_at = ${expiresAt.toISOString()}::timestamptz, extensions = 0, changed_at = ${at}
      where o.id = ${order.id} and o.merchant_id = ${order.merchantId} and o.status = 'expired'
      returning o.id, o.merchant_id),
    held as (
      update quotes q set reserved_until = greatest(q.reserved_until, ${until},
        case when q.kind = 'shared' then ${expiresAt.toISOString()}::timestamptz + interval '1 hour' end) from reopened o
      where q.order_id = o.id and q.merchant_id = o.merchant_id and q.superseded_at is null and q.released_at is null
        and q.reserved_until > ${at}
      returning q.id, q.receiving_address_id, q.merchant_id, q.kind, q.reserved_until),
    resting as (
      update receiving_addresses r set rests_until = greatest(r.rests_until, h.reserved_until) from held h
      where r.id = h.receiving_address_id and r.merchant_id = h.merchant_id and h.kind = 'dedicated')
    select exists (select from held where held.id = ${order.quoteId}) as is_held`);
  return row?.is_held ?? false;
}

/**
 * Sets new terms and a new expiry for a pending order. It shows no quote until the next one is chosen. Its previous quotes remain held
 * until their end, and transfers to them are credited by value only. Call it with the order locked.
 * @returns the number of its previous quotes
 */
export async function replaceTerms(db: Db, order: ChoosableOrder, terms: NewTerms, now: Date): Promise<number> {
  const { checkout, notifyUrl, redirectUrl, subject, echo, expiresAt } = terms;
  const own = and(eq(quotes.orderId, order.id), eq(quotes.merchantId, order.merchantId));
  await db
    .update(quotes)
    .set({ supersededAt: now })
    .where(and(own, isNull(quotes.supersededAt)));
  await keepFirstAsked(db, order);
  await db
    .update(orders)
    .set({
      checkout,
      notifyUrl,
      redirectUrl,
      subject,
      echo: echo ?? null,
      expiresAt,
      changedAt: now,
      network: null,
      currency: null,
      amountUnits: null,
      price: null,
      quoteId: null,
      version: order.version + 1,
    })
    .where(and(eq(orders.id, order.id), eq(orders.merchantId, order.merchantId)));
  return db.$count(quotes, own);
}

type NewTerms = Pick<NewCheckout, "checkout" | "notifyUrl" | "redirectUrl" | "subject" | "echo"> & { expiresAt: Date };
