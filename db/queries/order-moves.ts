import { and, eq, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditEvents, orders, quotes, transfers } from "@/db/schema";
import type { FundsTransfer } from "@/lib/domain/funds";
import { newId } from "@/lib/domain/id";
import type { Currency } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/order";
import { paidAtOf } from "@/lib/domain/transfer";

/** Locks an order until the transaction ends, so that its moves follow one another. */
export async function lockOrder(db: Db, orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId)).for("update");
  return order ?? null;
}

/** The quotes of an order, oldest first. */
export async function listQuotes(db: Db, orderId: string) {
  return db.select().from(quotes).where(eq(quotes.orderId, orderId)).orderBy(quotes.id);
}

/** A transfer that counts for an order; its base units are those of its own token. */
export interface CountedTransfer extends FundsTransfer {
  network: string;
  token: string;
  currency: Currency;
}

/** The transfers that count for an order: seen and confirmed, not dropped. */
export async function listFunds(db: Db, orderId: string): Promise<CountedTransfer[]> {
  const rows = await db
    .select({
      id: transfers.id,
      quoteId: transfers.quoteId,
      network: transfers.network,
      token: transfers.token,
      currency: transfers.currency,
      baseUnits: transfers.baseUnits,
      status: transfers.status,
      isAssigned: transfers.isAssigned,
      blockTime: transfers.blockTime,
      seenAt: transfers.seenAt,
    })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), ne(transfers.status, "dropped")))
    .orderBy(transfers.id);
  return rows.flatMap(({ quoteId, currency, status, blockTime, seenAt, ...row }) =>
    quoteId === null || currency === null
      ? []
      : [
          {
            ...row,
            currency,
            quoteId,
            isConfirmed: status === "confirmed",
            paidAt: paidAtOf({ blockTime, seenAt }),
          },
        ],
  );
}

export interface OrderChange {
  status: OrderStatus;
  exception: OrderException | null;
  quoteId: string;
  paidUnits: bigint;
  settledByTransferId: string | null;
  paidAt: Date | null;
}

/** Writes a move, only onto the version it was judged by. False means that another writer won. */
export async function updateOrder(
  db: Db,
  order: { id: string; version: number },
  change: OrderChange,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set({ ...change, version: order.version + 1, changedAt: now })
    .where(and(eq(orders.id, order.id), eq(orders.version, order.version)))
    .returning({ id: orders.id });
  return rows.length === 1;
}

/** Raises the version of an order that did not move, because something else of it changed. Null: there is no such order. */
export async function raiseVersion(db: Db, orderId: string, now: Date): Promise<number | null> {
  const [row] = await db
    .update(orders)
    .set({ version: sql`${orders.version} + 1`, changedAt: now })
    .where(eq(orders.id, orderId))
    .returning({ version: orders.version });
  return row?.version ?? null;
}

/** Tells every process that shows this order, once the transaction commits. */
export async function announceOrder(db: Db, orderId: string, version: number): Promise<void> {
  await db.execute(sql`select pg_notify('order_changed', ${`${orderId} ${version}`})`);
}

interface OrderAudit {
  merchantId: string;
  orderId: string;
  userId: string | null;
  action: string;
  detail: Record<string, unknown>;
}

/** Adds to the order's history. */
export async function insertOrderAudit(db: Db, audit: OrderAudit, now: Date): Promise<void> {
  await db.insert(auditEvents).values({ id: newId(now), at: now, ...audit });
}
