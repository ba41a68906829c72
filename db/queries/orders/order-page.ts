import { and, desc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isShownQuote } from "@/db/queries/orders/quotes";
import { callbackAttempts, callbacks, orders, quotes } from "@/db/schema";

/** An order with its shown quote, as the back office shows it; null when the merchant has no such order. */
export async function findOrderPage(db: Db, merchantId: string, id: string) {
  const rows = await db
    .select({ order: orders, quote: quotes })
    .from(orders)
    .innerJoin(quotes, isShownQuote)
    .where(and(eq(orders.merchantId, merchantId), eq(orders.id, id)));
  return rows[0] ?? null;
}

const ATTEMPTS_SHOWN = 50;

/** The callback of an order with its newest attempts first; null when none is owed. */
export async function findOrderCallback(db: Db, merchantId: string, orderId: string) {
  const [callback] = await db
    .select()
    .from(callbacks)
    .where(and(eq(callbacks.merchantId, merchantId), eq(callbacks.orderId, orderId)));
  if (!callback) return null;
  const attempts = await db
    .select()
    .from(callbackAttempts)
    .where(and(eq(callbackAttempts.callbackId, callback.id), eq(callbackAttempts.merchantId, merchantId)))
    .orderBy(desc(callbackAttempts.number))
    .limit(ATTEMPTS_SHOWN);
  return { ...callback, tries: attempts };
}
