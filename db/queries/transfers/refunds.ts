import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isTurnOf } from "@/db/queries/many-rows";
import { refunds, transfers, users } from "@/db/schema";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import type { RefundedTransfer, RefundObservation, RefundState } from "@/lib/domain/transfers/refund";

interface RefundKey {
  merchantId: string;
  transferId: string;
  txId: string;
}

/**
 * Records a refund to check, and notifies its network's worker. A refund that was refused or never found is checked again; an open or
 * final one is unchanged.
 * @returns true if a check was scheduled
 */
export async function noteRefund(
  db: Db,
  refund: RefundKey & { network: string; notedBy: string },
  now: Date,
): Promise<boolean> {
  const fresh = { ...refund, state: "open", observation: null, notedAt: now, lookAt: now } as const;
  const rows = await db
    .insert(refunds)
    .values(fresh)
    .onConflictDoUpdate({
      target: [refunds.transferId, refunds.merchantId, refunds.txId],
      set: fresh,
      setWhere: sql`${refunds.state} in ('refused', 'never')`,
    })
    .returning({ txId: refunds.txId });
  if (rows.length > 0) await db.execute(sql`select pg_notify(${LOOKUP_ASKED}, ${refund.network})`);
  return rows.length > 0;
}

/** A refund that is due for a check, with the transfer that it refunds. */
export interface DueRefund extends RefundKey, RefundedTransfer {
  network: string;
  notedAt: Date;
}

/**
 * Returns the open refunds on a network that are due, longest overdue first. Refunds whose check failed are included only if they are due
 * for a retry.
 */
export async function listDueRefunds(db: Db, network: string, now: Date, limit: number): Promise<DueRefund[]> {
  const { merchantId, transferId, txId, notedAt } = refunds;
  const { token, fromAddress, blockHeight } = transfers;
  return db
    .select({ merchantId, transferId, txId, notedAt, network: refunds.network, token, fromAddress, blockHeight })
    .from(refunds)
    .innerJoin(transfers, and(eq(transfers.id, transferId), eq(transfers.merchantId, merchantId)))
    .where(and(eq(refunds.network, network), lte(refunds.lookAt, now), isTurnOf("refund", refunds.transferId, now)))
    .orderBy(asc(refunds.lookAt))
    .limit(limit);
}

/** Locks a refund and all others of the same transaction. Returns false if it is no longer open, or was recorded again in the meantime. */
export async function lockRefund(db: Db, { merchantId, network, txId, transferId, notedAt }: DueRefund) {
  const rows = await db
    .select({ transferId: refunds.transferId, state: refunds.state, notedAt: refunds.notedAt })
    .from(refunds)
    .where(and(eq(refunds.merchantId, merchantId), eq(refunds.network, network), eq(refunds.txId, txId)))
    .orderBy(refunds.transferId)
    .for("update");
  return rows.some(
    (row) => row.transferId === transferId && row.state === "open" && row.notedAt.getTime() === notedAt.getTime(),
  );
}

/**
 * Returns two sums over other final refunds: the refunds of the same transfer, and the refunds with the same transaction, token and
 * recipient address.
 */
export async function sumCounted(
  db: Db,
  { merchantId, transferId, network, txId, token }: DueRefund,
  to: string,
): Promise<{ ofTransfer: bigint; ofTransaction: bigint }> {
  const [row] = await db.execute<{ own: string; tx: string }>(sql`
    select (select coalesce(sum(r.base_units), 0) from refunds r
        where r.transfer_id = ${transferId} and r.merchant_id = ${merchantId} and r.state = 'final')::text as own,
      (select coalesce(sum(r.base_units), 0) from refunds r
          join transfers t on t.id = r.transfer_id and t.merchant_id = r.merchant_id
        where r.merchant_id = ${merchantId} and r.network = ${network} and r.tx_id = ${txId} and r.state = 'final'
          and r.to_address = ${to} and t.token = ${token})::text as tx`);
  return { ofTransfer: BigInt(row?.own ?? 0), ofTransaction: BigInt(row?.tx ?? 0) };
}

/** The result of checking a refund. */
export interface RefundLook {
  state: RefundState;
  observation: RefundObservation;
  lookAt: Date | null;
  toAddress?: string;
  movedUnits?: bigint;
  baseUnits?: bigint;
  sentAt?: Date | undefined;
}

/**
 * Writes the result of a check, if the refund was not recorded again meanwhile.
 * @returns true if it was written
 */
export async function updateRefund(db: Db, refund: DueRefund, look: RefundLook): Promise<boolean> {
  const { merchantId, transferId, txId, notedAt } = refund;
  const isSame = and(
    ...[eq(refunds.transferId, transferId), eq(refunds.merchantId, merchantId), eq(refunds.txId, txId)],
    ...[eq(refunds.notedAt, notedAt), eq(refunds.state, "open")],
  );
  const rows = await db.update(refunds).set(look).where(isSame).returning({ txId: refunds.txId });
  return rows.length > 0;
}

const MAX_LISTED = 100;

/** Returns the recorded refunds of a transfer, newest first. */
export async function listRefunds(db: Db, merchantId: string, transferId: string) {
  const { txId, notedAt, state, observation, toAddress, movedUnits, baseUnits, sentAt } = refunds;
  return db
    .select({ txId, notedAt, state, observation, toAddress, movedUnits, baseUnits, sentAt, by: users.email })
    .from(refunds)
    .leftJoin(users, eq(users.id, refunds.notedBy))
    .where(and(eq(refunds.transferId, transferId), eq(refunds.merchantId, merchantId)))
    .orderBy(desc(notedAt), txId)
    .limit(MAX_LISTED);
}
