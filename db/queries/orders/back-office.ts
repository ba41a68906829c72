import { and, desc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { callbackAttempts, callbacks, orders, quotes } from "@/db/schema";

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
