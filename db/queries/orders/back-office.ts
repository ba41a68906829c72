import { and, desc, eq, exists, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { keyset, type Page, toPage } from "@/db/queries/keyset";
import { callbackAttempts, callbacks, orders, quotes, transfers } from "@/db/schema";
import { storedForms } from "@/lib/domain/addresses/address";
import type { ListPlace } from "@/lib/domain/list-place";
import type { Currency } from "@/lib/domain/networks";
import type { OrderFilter } from "@/lib/domain/orders/filter";
import type { CheckoutTerms, OrderException, OrderStatus } from "@/lib/domain/orders/order";

/**
 * An order in a list. Amounts are base units of `network` and `currency`, which are those of the shown quote; null while the payer
 * has not chosen.
 */
export interface ListedOrder {
  id: string;
  mchOrderId: string;
  /** What was left to the payer; null where the merchant named network and currency. */
  checkout: CheckoutTerms | null;
  network: string | null;
  currency: Currency | null;
  /** What the payer is asked for. */
  baseUnits: bigint | null;
  paidUnits: bigint;
  status: OrderStatus;
  exception: OrderException | null;
  createdAt: Date;
  expiresAt: Date;
  callback: "pending" | "delivered" | "failed" | null;
}

/** A merchant's orders that a filter lets through, newest first. */
export async function listOrders(
  db: Db,
  merchantId: string,
  filter: OrderFilter,
  place: ListPlace,
  limit: number,
): Promise<Page<ListedOrder>> {
  const { where, order } = keyset(orders.id, place);
  const read = await db
    .select({
      id: orders.id,
      mchOrderId: orders.mchOrderId,
      checkout: orders.checkout,
      network: quotes.network,
      currency: quotes.currency,
      baseUnits: quotes.baseUnits,
      paidUnits: orders.paidUnits,
      status: orders.status,
      exception: orders.exception,
      createdAt: orders.createdAt,
      expiresAt: orders.expiresAt,
      callback: callbacks.status,
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
    .where(and(eq(orders.merchantId, merchantId), matches(db, filter), where))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(read, place, limit);
}

function matches(db: Db, { status, network, currency, callback, text }: OrderFilter): SQL | undefined {
  return and(
    status && eq(orders.status, status),
    network ? eq(quotes.network, network) : undefined,
    currency && eq(quotes.currency, currency),
    callback && eq(callbacks.status, callback),
    text ? mentions(db, text) : undefined,
  );
}

function mentions(db: Db, text: string): SQL | undefined {
  const lower = text.toLowerCase();
  const forms = storedForms(text);
  const ofOrder = and(eq(transfers.orderId, orders.id), eq(transfers.merchantId, orders.merchantId));
  return or(
    eq(orders.id, lower),
    ilike(orders.mchOrderId, `%${text.replace(/[\\%_]/g, "\\$&")}%`),
    inArray(quotes.address, forms),
    exists(
      db
        .select({ one: sql`1` })
        .from(transfers)
        .where(and(ofOrder, or(inArray(transfers.txId, forms), inArray(transfers.fromAddress, forms)))),
    ),
  );
}

/** An order with its shown quote (null while the payer has not chosen), as the back office shows it; null when the merchant has no such order. */
export async function findOrderPage(db: Db, merchantId: string, id: string) {
  const rows = await db
    .select({ order: orders, quote: quotes })
    .from(orders)
    .leftJoin(quotes, isShownQuote)
    .where(and(eq(orders.merchantId, merchantId), eq(orders.id, id)));
  return rows[0] ?? null;
}

const [CALLBACKS_SHOWN, ATTEMPTS_SHOWN] = [20, 50];

/** The callbacks of an order, the newest first, each with its newest attempts first. */
export async function listOrderCallbacks(db: Db, merchantId: string, orderId: string) {
  const owed = await db
    .select()
    .from(callbacks)
    .where(and(eq(callbacks.merchantId, merchantId), eq(callbacks.orderId, orderId)))
    .orderBy(desc(callbacks.createdAt), desc(callbacks.id))
    .limit(CALLBACKS_SHOWN);
  const tries = owed.map(({ id }) =>
    db
      .select()
      .from(callbackAttempts)
      .where(and(eq(callbackAttempts.callbackId, id), eq(callbackAttempts.merchantId, merchantId)))
      .orderBy(desc(callbackAttempts.number))
      .limit(ATTEMPTS_SHOWN),
  );
  const found = await Promise.all(tries);
  return owed.map((callback, index) => ({ ...callback, tries: found[index] ?? [] }));
}

/** Joins an order with the quote that it shows. */
export const isShownQuote = and(
  eq(quotes.orderId, orders.id),
  eq(quotes.merchantId, orders.merchantId),
  eq(quotes.id, orders.quoteId),
);
