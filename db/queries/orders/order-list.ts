import { and, eq, exists, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { keyset, type Page, toPage } from "@/db/queries/keyset";
import { isShownQuote } from "@/db/queries/orders/quotes";
import { callbacks, orders, quotes, transfers } from "@/db/schema";
import { storedForms } from "@/lib/domain/addresses/address";
import type { ListPlace } from "@/lib/domain/list-place";
import type { Currency } from "@/lib/domain/networks";
import type { OrderFilter } from "@/lib/domain/orders/filter";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** An order in a list. Amounts are base units of `network` and `currency`, which are those of the shown quote. */
export interface ListedOrder {
  id: string;
  mchOrderId: string;
  network: string;
  currency: Currency;
  /** What the payer is asked for. */
  baseUnits: bigint;
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
    .innerJoin(quotes, isShownQuote)
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
