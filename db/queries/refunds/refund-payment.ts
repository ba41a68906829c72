import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { type RefundRow, withNumbers } from "@/db/queries/refunds/refund-list";
import { selectRefunds } from "@/db/queries/refunds/refund-requests";
import { refundRequests } from "@/db/schema";

const isOne = (merchantId: string, id: string) =>
  and(eq(refundRequests.merchantId, merchantId), eq(refundRequests.id, id));

/**
 * Records that a wallet is asked for the payment of a refund, before it is asked. The network of the refund is polled often from then on.
 * The first request that the user did not decline is kept.
 */
export async function writeWalletRequest(db: Db, merchantId: string, id: string, now: Date): Promise<void> {
  await db
    .update(refundRequests)
    .set({
      walletAskedAt: now,
      walletStartedAt: sql`coalesce(${refundRequests.walletStartedAt}, ${now.toISOString()})`,
    })
    .where(isOne(merchantId, id));
}

/** Removes the record of a request that the user declined in the wallet, unless there is an earlier one or a wallet sent a payment. */
export async function clearWalletRequest(db: Db, merchantId: string, id: string, askedAt: Date): Promise<void> {
  await db
    .update(refundRequests)
    .set({ walletStartedAt: null })
    .where(
      and(isOne(merchantId, id), eq(refundRequests.walletStartedAt, askedAt), isNull(refundRequests.walletSentAt)),
    );
}

/** Stores the transaction that a wallet returned for a refund. It is a hint for users; only the chain completes a refund. */
export async function writeWalletPayment(
  db: Db,
  { merchantId, id, txId }: { merchantId: string; id: string; txId: string | null },
  now: Date,
): Promise<void> {
  const startedAt = sql`coalesce(${refundRequests.walletStartedAt}, ${now.toISOString()})`;
  await db
    .update(refundRequests)
    .set({ walletTxId: txId, walletSentAt: now, walletStartedAt: startedAt })
    .where(isOne(merchantId, id));
}

/** Returns a merchant's approved refunds that no transfer paid yet, oldest approval first. */
export async function listPayableRefunds(db: Db, merchantId: string, limit: number): Promise<RefundRow[]> {
  const rows = await selectRefunds(db)
    .where(and(eq(refundRequests.merchantId, merchantId), eq(refundRequests.status, "approved")))
    .orderBy(refundRequests.approvedAt, refundRequests.id)
    .limit(limit);
  return withNumbers(db, merchantId, rows);
}

/** A refund to pay, with the token contract and the base units that its approval fixed. */
export type PayableRefund = Awaited<ReturnType<typeof lockPayableRefunds>>[number];

/**
 * Locks approved refunds of a merchant on a network and returns them, in the sequence of their ids. Refunds with another status are
 * omitted.
 */
export async function lockPayableRefunds(db: Db, merchantId: string, network: string, ids: readonly string[]) {
  return db
    .select()
    .from(refundRequests)
    .where(
      and(
        eq(refundRequests.merchantId, merchantId),
        eq(refundRequests.network, network),
        eq(refundRequests.status, "approved"),
        inArray(refundRequests.id, [...ids]),
      ),
    )
    .orderBy(refundRequests.id)
    .for("update");
}

/** Records the time at which refunds were written to a batch file. */
export async function markExported(db: Db, merchantId: string, ids: readonly string[], now: Date): Promise<void> {
  await db
    .update(refundRequests)
    .set({ exportedAt: now })
    .where(and(eq(refundRequests.merchantId, merchantId), sql`${refundRequests.id} = any(${idList(ids)})`));
}
