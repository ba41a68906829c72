import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isUnmatched } from "@/db/queries/transfers/transfer-list";
import { orders, paymentClaims, transfers } from "@/db/schema";

interface OrderRef {
  id: string;
  merchantId: string;
}

/** The maximum number of claims that are kept per order. A link can be opened by anyone, any number of times. */
const MAX_CLAIMS = 10;

/**
 * Stores that the payer of an order named a transaction. An order keeps its first ten claims. Lock the order first.
 * @returns false if the claim was stored before, or the order has ten
 */
export async function insertClaim(db: Db, { id, merchantId }: OrderRef, txId: string, now: Date): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into payment_claims (merchant_id, order_id, tx_id, claimed_at)
    select ${merchantId}, ${id}, ${txId}, ${now.toISOString()}::timestamptz
    where (select count(*) from payment_claims where order_id = ${id} and merchant_id = ${merchantId}) < ${MAX_CLAIMS}
    on conflict do nothing returning tx_id`);
  return rows.length > 0;
}

/** Deletes the claims of an order to these transactions. */
export async function deleteClaims(db: Db, { id, merchantId }: OrderRef, txIds: readonly string[]): Promise<void> {
  const { orderId, merchantId: merchant, txId } = paymentClaims;
  await db.delete(paymentClaims).where(and(eq(orderId, id), eq(merchant, merchantId), inArray(txId, [...txIds])));
}

/** A transaction that the payer of an order named, with the merchant's transfers of it. */
export interface OrderClaim {
  txId: string;
  claimedAt: Date;
  /** The transfer, and the order to which it is credited; null if the ledger has no transfer of the transaction. */
  transfer: { id: string; network: string; orderId: string | null } | null;
}

/** Returns the claims of an order, newest first. */
export async function listOrderClaims(db: Db, merchantId: string, orderId: string): Promise<OrderClaim[]> {
  return db
    .selectDistinctOn([paymentClaims.claimedAt, paymentClaims.txId], {
      txId: paymentClaims.txId,
      claimedAt: paymentClaims.claimedAt,
      transfer: { id: transfers.id, network: transfers.network, orderId: transfers.orderId },
    })
    .from(paymentClaims)
    .leftJoin(
      transfers,
      and(eq(transfers.merchantId, paymentClaims.merchantId), eq(transfers.txId, paymentClaims.txId)),
    )
    .where(and(eq(paymentClaims.orderId, orderId), eq(paymentClaims.merchantId, merchantId)))
    .orderBy(desc(paymentClaims.claimedAt), paymentClaims.txId, transfers.id);
}

/** A claim to a transaction, by the payer of an order. */
export interface TransactionClaim {
  orderId: string;
  mchOrderId: string;
  claimedAt: Date;
}

/** Returns the claims of a merchant's payers to a transaction, oldest first. */
export async function listClaimsOf(db: Db, merchantId: string, txId: string): Promise<TransactionClaim[]> {
  const { orderId, claimedAt } = paymentClaims;
  return db
    .select({ orderId, mchOrderId: orders.mchOrderId, claimedAt })
    .from(paymentClaims)
    .innerJoin(orders, and(eq(orders.id, orderId), eq(orders.merchantId, paymentClaims.merchantId)))
    .where(and(eq(paymentClaims.merchantId, merchantId), eq(paymentClaims.txId, txId)))
    .orderBy(claimedAt, orderId)
    .limit(100);
}

/** Returns the number of a merchant's unmatched transfers whose transaction a payer entered. */
export async function countClaimedTransfers(db: Db, merchantId: string): Promise<number> {
  const isClaimed = sql`exists (select from ${paymentClaims} where ${paymentClaims.merchantId} = ${transfers.merchantId}
    and ${paymentClaims.txId} = ${transfers.txId})`;
  return db.$count(transfers, and(eq(transfers.merchantId, merchantId), isUnmatched, isClaimed));
}
