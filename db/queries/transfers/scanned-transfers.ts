import { and, asc, desc, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import { listOwners } from "@/db/queries/merchants/receiving-addresses";
import { receivingAddresses, transfers, unreadableTransactions as unreadable } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

const ROWS_AT_ONCE = 500;

/**
 * Writes transfers that a scan found. One that is known already follows the block it is in now; one that a reorg took back is
 * seen again and will be judged again, and so will one that pays something else there. A confirmed one stays as it is.
 * @param ids receiving address → id of its row
 * @returns how many rows were new or changed
 */
export async function insertScannedTransfers(
  db: Db,
  found: readonly ChainTransfer[],
  ids: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  const once = [...new Map(found.map((transfer) => [`${transfer.txId} ${transfer.position}`, transfer])).values()];
  const owners = await listOwners(
    db,
    once.flatMap(({ to }) => ids.get(to) ?? []),
  );
  let written = 0;
  for (let index = 0; index < once.length; index += ROWS_AT_ONCE) {
    const rows = once
      .slice(index, index + ROWS_AT_ONCE)
      .flatMap((transfer) => toRow(transfer, owners.get(ids.get(transfer.to) ?? ""), now));
    if (rows.length > 0) written += await upsert(db, rows);
  }
  return written;
}

async function upsert(db: Db, rows: (typeof transfers.$inferInsert)[]): Promise<number> {
  const written = await db
    .insert(transfers)
    .values(rows)
    .onConflictDoUpdate({
      target: [transfers.network, transfers.txId, transfers.position, transfers.merchantId],
      set: {
        blockHeight: sql`excluded.block_height`,
        blockHash: sql`excluded.block_hash`,
        blockTime: sql`excluded.block_time`,
        ...contentOfOpen(),
        status: sql`case when ${transfers.status} = 'dropped' then 'seen' else ${transfers.status} end`,
        seenAt: sql`case when ${IS_OPEN} and ${IS_OTHER} then excluded.seen_at else ${transfers.seenAt} end`,
        matchedAt: sql`case when ${transfers.status} = 'dropped' or (${IS_OPEN} and ${IS_OTHER}) then null else ${transfers.matchedAt} end`,
        lostAt: null,
        lostAcknowledgedAt: null,
      },
      setWhere: sql`${transfers.status} = 'dropped' or ${transfers.blockHash} <> excluded.block_hash or ${transfers.lostAt} is not null`,
    })
    .returning({ id: transfers.id });
  return written.length;
}

const IS_OPEN = sql`${transfers.status} <> 'confirmed'`;
/** It pays another address or amount than before: another payment, which was first seen now. */
const IS_OTHER = sql`(${transfers.token}, ${transfers.toAddress}, ${transfers.baseUnits})
  is distinct from (excluded.token, excluded.to_address, excluded.base_units)`;

/** A transaction that ran again in another block may have moved another amount: what is not confirmed takes what is true now. */
function contentOfOpen() {
  const now = (column: AnyPgColumn) =>
    sql`case when ${IS_OPEN} then excluded.${sql.identifier(column.name)} else ${column} end`;
  return {
    currency: now(transfers.currency),
    token: now(transfers.token),
    fromAddress: now(transfers.fromAddress),
    toAddress: now(transfers.toAddress),
    baseUnits: now(transfers.baseUnits),
    receivingAddressId: now(transfers.receivingAddressId),
  };
}

/** Takes back what was seen above a height, because the chain no longer has those blocks. The matcher judges it again. */
export async function dropTransfersAbove(db: Db, network: string, height: number): Promise<number> {
  const rows = await db
    .update(transfers)
    .set({ status: "dropped", matchedAt: null, contradiction: null })
    .where(and(eq(transfers.network, network), eq(transfers.status, "seen"), gt(transfers.blockHeight, height)))
    .returning({ id: transfers.id });
  return rows.length;
}

/** Where a reader of transfers by height stopped. */
interface Place {
  blockHeight: number;
  id: string;
}

/** Confirmed transfers above a place, lowest first, at most `limit`. */
export async function listConfirmedAfter(db: Db, network: string, place: Place, limit: number) {
  return db
    .select({
      id: transfers.id,
      txId: transfers.txId,
      position: transfers.position,
      token: transfers.token,
      to: transfers.toAddress,
      baseUnits: transfers.baseUnits,
      blockHeight: transfers.blockHeight,
      blockHash: transfers.blockHash,
    })
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, "confirmed"),
        sql`(${transfers.blockHeight}, ${transfers.id}) > (${place.blockHeight}::bigint, ${place.id})`,
      ),
    )
    .orderBy(transfers.blockHeight, transfers.id)
    .limit(limit);
}

function toRow(
  transfer: ChainTransfer,
  owner: { receivingAddressId: string; merchantId: string } | undefined,
  now: Date,
): (typeof transfers.$inferInsert)[] {
  if (!owner) return [];
  const { from, to, ...rest } = transfer;
  return [{ ...rest, id: newId(now), fromAddress: from, toAddress: to, ...owner, status: "seen", seenAt: now }];
}

/** A transaction on a watched account that nobody could show. */
export interface UnreadableTransaction {
  txId: string;
  /** The token account whose history names it. */
  account: string;
  /** Receiving address that the account belongs to. */
  owner: string;
  slot: number;
  /** What the endpoints say, in words. */
  reason: string;
}

/** Tries come rarer with time: a tenth of how long it has waited, between a quarter of a minute and of an hour. */
const waited = sql`least(interval '15 minutes', greatest(interval '15 seconds', (${unreadable.triedAt} - ${unreadable.firstSeenAt}) / 10))`;

/**
 * Keeps transactions for a person, each once; one that was gone and is back waits again. One whose transfers are in the
 * ledger was read before, and is left out.
 * @param ids receiving address → id of its row; what belongs to none of them is left out
 */
export async function insertUnreadable(
  db: Db,
  network: string,
  found: readonly UnreadableTransaction[],
  ids: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  if (found.length === 0) return;
  const known = await listKnown(db, network, found);
  const once = new Map(found.filter(({ txId }) => !known.has(txId)).map((one) => [`${one.txId} ${one.account}`, one]));
  const owners = await listOwners(
    db,
    found.flatMap(({ owner }) => ids.get(owner) ?? []),
  );
  const rows = [...once.values()].flatMap(({ owner, ...rest }) => {
    const place = owners.get(ids.get(owner) ?? "");
    return place ? [{ ...rest, ...place, network, firstSeenAt: now, triedAt: now }] : [];
  });
  if (rows.length === 0) return;
  await db
    .insert(unreadable)
    .values(rows)
    .onConflictDoUpdate({
      target: [unreadable.network, unreadable.txId, unreadable.account, unreadable.merchantId],
      set: { slot: sql`excluded.slot`, reason: sql`excluded.reason`, triedAt: now, resolvedAt: null },
    });
}

async function listKnown(db: Db, network: string, found: readonly UnreadableTransaction[]): Promise<Set<string>> {
  const txIds = found.map(({ txId }) => txId);
  const rows = await db
    .selectDistinct({ txId: transfers.txId })
    .from(transfers)
    .where(and(eq(transfers.network, network), inArray(transfers.txId, txIds), ne(transfers.status, "dropped")));
  return new Set(rows.map(({ txId }) => txId));
}

/** These were read after all, or are gone from the chain: they wait for nobody any more. Returns how many did. */
export async function resolveUnreadable(db: Db, network: string, txIds: readonly string[], now: Date): Promise<number> {
  if (txIds.length === 0) return 0;
  const rows = await db
    .update(unreadable)
    .set({ resolvedAt: now })
    .where(and(eq(unreadable.network, network), inArray(unreadable.txId, [...txIds]), isNull(unreadable.resolvedAt)))
    .returning({ txId: unreadable.txId });
  return rows.length;
}

/** Waiting transactions of a network that it is time to try again, those first that were tried longest ago. */
export async function listUnreadableDue(
  db: Db,
  network: string,
  now: Date,
  limit: number,
): Promise<{ txId: string; slot: number }[]> {
  return db
    .select({ txId: unreadable.txId, slot: sql<number>`max(${unreadable.slot})`.mapWith(Number) })
    .from(unreadable)
    .where(
      and(
        eq(unreadable.network, network),
        isNull(unreadable.resolvedAt),
        sql`${unreadable.triedAt} + ${waited} <= ${now.toISOString()}::timestamptz`,
      ),
    )
    .groupBy(unreadable.txId)
    .orderBy(asc(sql`min(${unreadable.triedAt})`))
    .limit(limit);
}

/** A transaction was tried again and is as it was; a null reason leaves the last one. */
export async function noteUnreadableTried(
  db: Db,
  network: string,
  txId: string,
  reason: string | null,
  now: Date,
): Promise<void> {
  await db
    .update(unreadable)
    .set({ triedAt: now, ...(reason === null ? {} : { reason }) })
    .where(and(eq(unreadable.network, network), eq(unreadable.txId, txId), isNull(unreadable.resolvedAt)));
}

const isOf = (merchantId: string) => and(eq(unreadable.merchantId, merchantId), isNull(unreadable.resolvedAt));

/** What waits on the addresses of a merchant, newest first, at most `limit`. */
export async function listUnreadable(db: Db, merchantId: string, limit: number) {
  return db
    .select({
      network: unreadable.network,
      txId: unreadable.txId,
      account: unreadable.account,
      address: receivingAddresses.address,
      reason: unreadable.reason,
      firstSeenAt: unreadable.firstSeenAt,
      triedAt: unreadable.triedAt,
    })
    .from(unreadable)
    .innerJoin(
      receivingAddresses,
      and(eq(receivingAddresses.id, unreadable.receivingAddressId), eq(receivingAddresses.merchantId, merchantId)),
    )
    .where(isOf(merchantId))
    .orderBy(desc(unreadable.firstSeenAt), unreadable.txId)
    .limit(limit);
}

/** How many transactions on the addresses of a merchant wait for a person. */
export async function countUnreadable(db: Db, merchantId: string): Promise<number> {
  return db.$count(
    db
      .selectDistinct({ network: unreadable.network, txId: unreadable.txId })
      .from(unreadable)
      .where(isOf(merchantId))
      .as("waiting"),
  );
}

/** How many of them wait on each network, of whatever merchant. */
export async function countUnreadableByNetwork(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ network: unreadable.network, count: sql<number>`count(distinct ${unreadable.txId})::int` })
    .from(unreadable)
    .where(isNull(unreadable.resolvedAt))
    .groupBy(unreadable.network);
  return new Map(rows.map(({ network, count }) => [network, count]));
}
