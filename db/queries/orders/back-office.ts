import { and, desc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { listAttempts } from "@/db/queries/callbacks/callback-list";
import { isAddressOfQuote } from "@/db/queries/orders/address-macs";
import { callbacks, orders, quotes, receivingAddresses } from "@/db/schema";

/**
 * Returns an order with its shown quote (null while the payer has not chosen) and the MAC of its address, for the back
 * office; null if the merchant has no such order.
 */
export async function findOrderPage(db: Db, merchantId: string, id: string) {
  const rows = await db
    .select({
      order: orders,
      quote: quotes,
      addressMac: { kind: receivingAddresses.kind, mac: receivingAddresses.mac },
    })
    .from(orders)
    .leftJoin(quotes, isShownQuote)
    .leftJoin(receivingAddresses, isAddressOfQuote)
    .where(and(eq(orders.merchantId, merchantId), eq(orders.id, id)));
  return rows[0] ?? null;
}

const CALLBACKS_SHOWN = 20;

/** Returns the callbacks of an order, newest first, each with its newest attempts first. */
export async function listOrderCallbacks(db: Db, merchantId: string, orderId: string) {
  const pending = await db
    .select()
    .from(callbacks)
    .where(and(eq(callbacks.merchantId, merchantId), eq(callbacks.orderId, orderId)))
    .orderBy(desc(callbacks.createdAt), desc(callbacks.id))
    .limit(CALLBACKS_SHOWN);
  const found = await Promise.all(pending.map((callback) => listAttempts(db, merchantId, callback)));
  return pending.map((callback, index) => ({ ...callback, tries: found[index] ?? [] }));
}

/** A condition that joins an order with the quote that it shows. */
export const isShownQuote = and(
  eq(quotes.orderId, orders.id),
  eq(quotes.merchantId, orders.merchantId),
  eq(quotes.id, orders.quoteId),
);
