import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { hasNoTarget } from "@/db/queries/credit-targets";
import { idList, isTurnOf, rowList } from "@/db/queries/many-rows";
import { refundRequests, refundTransfers } from "@/db/schema";
import type { Family, Network } from "@/lib/domain/networks";
import { type RefundTerms, type RefundTransferProblem, WATCH_AFTER_END_MS } from "@/lib/domain/refunds/refund";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

export type StoredRefundTransfer = typeof refundTransfers.$inferSelect;

/** A condition for refunds `r` that a transfer may still complete. */
const IS_OPEN = sql`r.status in ('approved', 'sent')`;
/**
 * A condition for refunds `r` that ended a short time ago: a transfer may be on its way to the address of a cancelled one, and a reorg may
 * have removed the transfer of a completed one.
 */
const hasJustEnded = (now: Date) => {
  const since = new Date(now.getTime() - WATCH_AFTER_END_MS).toISOString();
  return sql`(r.status in ('cancelled', 'completed') and r.approved_at is not null and r.changed_at > ${since}::timestamptz)`;
};

/**
 * Returns the addresses of refunds to watch on a network, in canonical form. The addresses are watched on all networks of their family, so
 * that a refund sent on the wrong one is found.
 */
export async function listRefundAddresses(db: Db, family: Family, now: Date): Promise<string[]> {
  const rows = await db.execute<{ address: string }>(sql`
    select r.address from refund_requests r where r.family = ${family} and ${IS_OPEN}
    union
    select r.address from refund_requests r where r.family = ${family} and ${hasJustEnded(now)}`);
  return rows.map(({ address }) => address);
}

/**
 * Writes the transfers that a scan found at addresses of watched refunds. A known transfer is moved to the block that contains it now; one
 * that a reorg dropped becomes seen again. A transfer whose content or block time differs is matched again.
 * @returns the number of new or changed rows
 */
export async function insertRefundTransfers(
  db: Db,
  { id: network, family }: Pick<Network, "id" | "family">,
  found: readonly ChainTransfer[],
  now: Date,
): Promise<number> {
  const rows = found.flatMap(({ currency, ...transfer }) =>
    currency === null ? [] : [{ ...transfer, currency, family }],
  );
  if (rows.length === 0) return 0;
  const at = sql`${now.toISOString()}::timestamptz`;
  const written = await db.execute(sql`
    insert into refund_transfers as x (network, tx_id, position, currency, token, from_address, to_address, family, base_units,
      block_height, block_hash, block_time, status, seen_at)
    select distinct on (f."txId", f.position) ${network}, f."txId", f.position, f.currency, f.token, f."from", f."to", f.family,
      f."baseUnits", f."blockHeight", f."blockHash", f."blockTime", 'seen', ${at}
    from jsonb_to_recordset(${rowList(rows)}) as f ("txId" text, position text, currency text, token text, "from" text, "to" text,
      family text, "baseUnits" numeric, "blockHeight" bigint, "blockHash" text, "blockTime" timestamptz)
    where exists (select from refund_requests r where r.family = f.family and r.address = f."to" and r.approved_at is not null
        and (${IS_OPEN} or ${hasJustEnded(now)}))
      or exists (select from refund_transfers known where known.network = ${network} and known.tx_id = f."txId"
        and known.position = f.position)
    on conflict (network, tx_id, position) do update set
      block_height = excluded.block_height, block_hash = excluded.block_hash, block_time = excluded.block_time,
      currency = excluded.currency, token = excluded.token, from_address = excluded.from_address,
      to_address = excluded.to_address, base_units = excluded.base_units, status = 'seen', confirmed_at = null,
      matched_at = case when x.refund_id is not null and x.status = 'seen'
        and (x.token, x.to_address, x.base_units, x.block_time)
          is not distinct from (excluded.token, excluded.to_address, excluded.base_units, excluded.block_time)
        then x.matched_at end
    where x.status = 'dropped' or x.block_hash <> excluded.block_hash
    returning 1`);
  return written.length;
}

/** The id of a transfer to a refund's address within its network, as `failing_rows` stores it. */
const ROW_ID = sql<string>`${refundTransfers.txId} || ' ' || ${refundTransfers.position}`;

/**
 * Returns the transfers of a network that must be matched with refunds, lowest block first. Transfers whose matching failed are included
 * only if they are due for a retry.
 */
export async function listRefundTransfersToMatch(
  db: Db,
  network: string,
  now: Date,
  limit: number,
): Promise<{ id: string; network: string; txId: string; position: string }[]> {
  return db
    .select({
      id: ROW_ID,
      network: refundTransfers.network,
      txId: refundTransfers.txId,
      position: refundTransfers.position,
    })
    .from(refundTransfers)
    .where(
      and(
        eq(refundTransfers.network, network),
        isNull(refundTransfers.matchedAt),
        isTurnOf("match_refund", ROW_ID, now),
      ),
    )
    .orderBy(asc(refundTransfers.blockHeight), asc(refundTransfers.txId), asc(refundTransfers.position))
    .limit(limit);
}

/** Locks a transfer to a refund's address until the transaction ends; null if it does not exist. */
export async function lockRefundTransfer(
  db: Db,
  key: Pick<StoredRefundTransfer, "network" | "txId" | "position">,
): Promise<StoredRefundTransfer | null> {
  const [row] = await db.select().from(refundTransfers).where(isSame(key)).for("update");
  return row ?? null;
}

/** A refund whose claimed address received a transfer. */
export interface AddressedRefund extends RefundTerms {
  merchantId: string;
}

const isAt = ({ family, toAddress }: Pick<StoredRefundTransfer, "family" | "toAddress">) =>
  and(
    eq(refundRequests.family, family),
    eq(refundRequests.address, toAddress),
    sql`${refundRequests.approvedAt} is not null`,
  );

/** Returns the orders whose refunds a transfer may complete, or completes. Orders are locked before their refunds. */
export async function listOrdersOfRefundsAt(db: Db, transfer: StoredRefundTransfer): Promise<string[]> {
  const rows = await db
    .select({ orderId: refundRequests.orderId })
    .from(refundRequests)
    .where(sql`(${isAt(transfer)}) or ${refundRequests.id} = ${transfer.refundId ?? ""}`);
  return [...new Set(rows.flatMap(({ orderId }) => orderId ?? []))];
}

/** Locks the approved refunds with the address of a transfer, also ended ones, and returns their terms. */
export async function lockRefundsAt(db: Db, transfer: StoredRefundTransfer): Promise<AddressedRefund[]> {
  const rows = await db
    .select()
    .from(refundRequests)
    .where(isAt(transfer))
    .orderBy(asc(refundRequests.id))
    .for("update");
  return rows.flatMap((row) => {
    const { id, merchantId, status, network, token, baseUnits, approvedAt, endedAt } = row;
    if (network === null || token === null || baseUnits === null || approvedAt === null) return [];
    return [{ id, merchantId, status, network, token, baseUnits, approvedAt, endedAt }];
  });
}

const isSame = ({ network, txId, position }: Pick<StoredRefundTransfer, "network" | "txId" | "position">) =>
  and(eq(refundTransfers.network, network), eq(refundTransfers.txId, txId), eq(refundTransfers.position, position));

/** The result of matching a transfer: the refund that it completes, or the reason why it completes none. */
export type RefundMatch =
  | { refundId: string; merchantId: string; problem: null }
  | { refundId: null; merchantId: null; problem: RefundTransferProblem | null };

/**
 * Writes the result of matching a locked transfer. The finality of a transfer that completes a refund is checked from now on, and also
 * that of one that is too early: the endpoints may agree on another time of its block.
 */
export async function writeRefundMatch(
  db: Db,
  transfer: StoredRefundTransfer,
  match: RefundMatch,
  now: Date,
): Promise<void> {
  const lookAt = match.refundId !== null || match.problem === "early" ? now : null;
  await db
    .update(refundTransfers)
    .set({ ...match, matchedAt: now, lookAt })
    .where(isSame(transfer));
}

/**
 * Schedules the other transfers that are equal to a refund to be matched again, because the refund has no transfer any more. Skips locked
 * ones: they are being matched, and wait for this refund.
 */
export async function rematchRepeated(
  db: Db,
  {
    family,
    network,
    token,
    address,
    baseUnits,
  }: Pick<typeof refundRequests.$inferSelect, "family" | "network" | "token" | "address" | "baseUnits">,
): Promise<void> {
  await db.execute(sql`
    update refund_transfers x set matched_at = null from (
      select network, tx_id, position from refund_transfers
      where network = ${network} and family = ${family} and to_address = ${address} and token = ${token}
        and base_units = ${String(baseUnits)}::numeric
        and problem = 'repeated' and status <> 'dropped' and matched_at is not null
      for update skip locked) freed
    where (x.network, x.tx_id, x.position) = (freed.network, freed.tx_id, freed.position)`);
}

/**
 * Returns true if the same transfer to a receiving address is income for good: it is confirmed and credited, or a user assigned it. Locks
 * it until the transaction ends.
 */
export async function isIncome(
  db: Db,
  { network, txId, position }: Pick<StoredRefundTransfer, "network" | "txId" | "position">,
): Promise<boolean> {
  const rows = await db.execute(sql`
    select from transfers t where t.network = ${network} and t.tx_id = ${txId} and t.position = ${position} and not (${hasNoTarget("t")})
      and (t.status = 'confirmed' or t.is_assigned) for update`);
  return rows.length > 0;
}

/** Returns the transfers of a network whose finality is due for a check, longest overdue first. */
export async function listRefundTransfersToConfirm(
  db: Db,
  network: string,
  now: Date,
  limit: number,
): Promise<StoredRefundTransfer[]> {
  return db
    .select()
    .from(refundTransfers)
    .where(
      and(
        eq(refundTransfers.network, network),
        eq(refundTransfers.status, "seen"),
        // A transfer that must be matched again may complete another refund, or none.
        isNotNull(refundTransfers.matchedAt),
        lte(refundTransfers.lookAt, now),
        isTurnOf("confirm_refund", ROW_ID, now),
      ),
    )
    .orderBy(asc(refundTransfers.lookAt), asc(refundTransfers.blockHeight))
    .limit(limit);
}

const asObserved = (seen: StoredRefundTransfer) =>
  and(
    isSame(seen),
    eq(refundTransfers.status, "seen"),
    isNotNull(refundTransfers.matchedAt),
    eq(refundTransfers.blockHash, seen.blockHash),
    eq(refundTransfers.blockTime, seen.blockTime),
    eq(refundTransfers.baseUnits, seen.baseUnits),
    seen.refundId === null ? isNull(refundTransfers.refundId) : eq(refundTransfers.refundId, seen.refundId),
  );

/** Confirms a transfer that is unchanged since the network was queried about it. Returns false if it changed. */
export async function confirmRefundTransfer(db: Db, seen: StoredRefundTransfer, now: Date): Promise<boolean> {
  const rows = await db
    .update(refundTransfers)
    .set({ status: "confirmed", confirmedAt: now, lookAt: null })
    .where(asObserved(seen))
    .returning({ txId: refundTransfers.txId });
  return rows.length === 1;
}

/** Drops a transfer that the chain no longer has, if it is unchanged. It is matched again, which returns its refund to `approved`. */
export async function dropRefundTransfer(db: Db, seen: StoredRefundTransfer): Promise<boolean> {
  const rows = await db
    .update(refundTransfers)
    .set(DROPPED)
    .where(asObserved(seen))
    .returning({ txId: refundTransfers.txId });
  return rows.length === 1;
}

const DROPPED = { status: "dropped", confirmedAt: null, matchedAt: null, lookAt: null } as const;

/** Moves a transfer to the block that contains it now, if it is unchanged since the network was queried. It is matched again. */
export async function relocateRefundTransfer(
  db: Db,
  seen: StoredRefundTransfer,
  block: { height: number; hash: string; time: Date },
): Promise<boolean> {
  const rows = await db
    .update(refundTransfers)
    .set({ blockHeight: block.height, blockHash: block.hash, blockTime: block.time, matchedAt: null })
    .where(asObserved(seen))
    .returning({ txId: refundTransfers.txId });
  return rows.length === 1;
}

/**
 * Moves a transfer to a refund's address together with the same transfer to a receiving address, for which the endpoints agreed on another
 * block or time. Call it before that transfer is scheduled to be matched again.
 */
export async function moveRefundTransfer(
  db: Db,
  { network, txId, position, blockHash }: Pick<StoredRefundTransfer, "network" | "txId" | "position" | "blockHash">,
  block: { height: number; hash: string; time: Date },
): Promise<void> {
  await db
    .update(refundTransfers)
    .set({ blockHeight: block.height, blockHash: block.hash, blockTime: block.time, matchedAt: null })
    .where(
      and(
        isSame({ network, txId, position }),
        eq(refundTransfers.blockHash, blockHash),
        eq(refundTransfers.status, "seen"),
      ),
    );
}

/** Sets the time of the next check of finality, if the transfer is unchanged. */
export async function postponeRefundTransfer(db: Db, seen: StoredRefundTransfer, lookAt: Date): Promise<void> {
  await db.update(refundTransfers).set({ lookAt }).where(asObserved(seen));
}

/**
 * Drops the transfers above a height, because their blocks are no longer on the chain, including confirmed ones. They are matched again,
 * which returns their refunds to `approved`, and they return when the new blocks contain them: the addresses of their refunds are watched
 * again from now on.
 * @returns the number of dropped transfers
 */
export async function dropRefundTransfersAbove(db: Db, network: string, height: number, now: Date): Promise<number> {
  const rows = await db
    .update(refundTransfers)
    .set(DROPPED)
    .where(
      and(
        eq(refundTransfers.network, network),
        gt(refundTransfers.blockHeight, height),
        inArray(refundTransfers.status, ["seen", "confirmed"]),
      ),
    )
    .returning({ refundId: refundTransfers.refundId });
  const refundIds = rows.flatMap(({ refundId }) => refundId ?? []);
  if (refundIds.length > 0)
    await db
      .update(refundRequests)
      .set({ changedAt: now })
      .where(sql`${refundRequests.id} = any(${idList(refundIds)})`);
  return rows.length;
}

/** A condition for transfers `t` to a receiving address that complete a refund, or would have if it had not been cancelled. */
const IS_OF_REFUND = sql`exists (select from refund_transfers x where x.network = t.network and x.tx_id = t.tx_id
  and x.position = t.position and (x.refund_id is not null or x.problem = 'cancelled'))`;

/** Returns, of transfers to receiving addresses, those that complete a refund, or would have if it had not been cancelled. */
export async function listRefundsAmong(db: Db, transferIds: readonly string[]): Promise<string[]> {
  if (transferIds.length === 0) return [];
  const rows = await db.execute<{ id: string }>(sql`
    select t.id from transfers t where t.id = any(${idList(transferIds)}) and ${IS_OF_REFUND}`);
  return rows.map(({ id }) => id);
}

/**
 * Schedules the same transfer to a receiving address to be matched again, if its part in a refund changed: it is unmatched as a refund and
 * completes none any more, or it is credited or unmatched for another reason and completes one now.
 */
export async function rematchIncoming(
  db: Db,
  { network, txId, position }: Pick<StoredRefundTransfer, "network" | "txId" | "position">,
): Promise<void> {
  await db.execute(sql`
    update transfers t set matched_at = null
    where t.network = ${network} and t.tx_id = ${txId} and t.position = ${position} and t.matched_at is not null
      and t.unlinked_at is null and not t.is_assigned and (t.status <> 'confirmed' or ${hasNoTarget("t")}) and ${IS_OF_REFUND} <> (t.unmatched_reason is not distinct from 'refund')`);
}

/** Returns the transfers to the address of a refund, newest first, at most 50: the one that completes it, and those that do not. */
export async function listTransfersOfRefund(
  db: Db,
  { id, family, address, approvedAt }: { id: string; family: Family; address: string; approvedAt: Date },
): Promise<StoredRefundTransfer[]> {
  return db
    .select()
    .from(refundTransfers)
    .where(
      and(
        eq(refundTransfers.family, family),
        eq(refundTransfers.toAddress, address),
        sql`(${refundTransfers.refundId} = ${id} or (${refundTransfers.refundId} is null
          and ${refundTransfers.blockTime} >= ${new Date(approvedAt.getTime() - 3_600_000).toISOString()}::timestamptz))`,
      ),
    )
    .orderBy(sql`${refundTransfers.blockTime} desc`)
    .limit(50);
}
