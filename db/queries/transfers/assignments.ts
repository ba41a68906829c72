import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { StoredTransfer } from "@/db/queries/transfers/matches";
import { transfers } from "@/db/schema";

export type { StoredTransfer };

/** Locks a transfer to an address of a merchant until the transaction ends; null when the merchant has no such transfer. */
export async function lockTransferOf(db: Db, merchantId: string, id: string): Promise<StoredTransfer | null> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), eq(transfers.merchantId, merchantId)))
    .for("update");
  return row ?? null;
}

/** Gives a transfer to an order, only while it pays none. False means that it was given before, or is of a look-alike. */
export async function linkTransfer(
  db: Db,
  id: string,
  to: { orderId: string; quoteId: string },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ ...to, isAssigned: true, unmatchedReason: null, matchedAt: now })
    .where(and(eq(transfers.id, id), isNull(transfers.orderId), isNotNull(transfers.currency)))
    .returning({ id: transfers.id });
  return rows.length === 1;
}
