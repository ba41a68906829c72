import { and, asc, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { listOwners } from "@/db/queries/transfers/observations";
import { accountCursors, receivingAddresses, transfers, unreadableTransactions as unreadable } from "@/db/schema";

const ROW_BATCH = 1_000;

/** A token account, and the slot up to which its history is in the ledger. */
export interface AccountCursor {
  account: string;
  slot: number;
}

/** Returns the positions of the accounts of a network: account → slot. Accounts that were never read are absent. */
export async function listAccountCursors(db: Db, network: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ account: accountCursors.account, slot: accountCursors.slot })
    .from(accountCursors)
    .where(eq(accountCursors.network, network));
  return new Map(rows.map(({ account, slot }) => [account, slot]));
}

/** Moves the cursors of accounts forward, never back. Call it while the network's own cursor is locked. */
export async function updateAccountCursors(db: Db, network: string, cursors: readonly AccountCursor[]): Promise<void> {
  for (let index = 0; index < cursors.length; index += ROW_BATCH) {
    const rows = cursors.slice(index, index + ROW_BATCH).map(({ account, slot }) => ({ network, account, slot }));
    await db
      .insert(accountCursors)
      .values(rows)
      .onConflictDoUpdate({
        target: [accountCursors.network, accountCursors.account],
        set: { slot: sql`excluded.slot` },
        setWhere: sql`${accountCursors.slot} < excluded.slot`,
      });
  }
}

/** Deletes the positions of a network's accounts. From then on, the network's own cursor is the position. */
export async function deleteAccountCursors(db: Db, network: string): Promise<void> {
  await db.delete(accountCursors).where(eq(accountCursors.network, network));
}

/** A transaction on a watched account that no endpoint could return. */
export interface UnreadableTransaction {
  txId: string;
  /** The token account whose history includes the transaction. */
  account: string;
  /** The receiving address that the account belongs to. */
  owner: string;
  slot: number;
  /** The responses of the endpoints, as text. */
  reason: string;
}

/**
 * The time between retries, which increases with age: a tenth of the time from the first sighting of the transaction to the last retry,
 * but at least 15 seconds and at most 15 minutes.
 */
const waited = sql`least(interval '15 minutes', greatest(interval '15 seconds', (${unreadable.triedAt} - ${unreadable.firstSeenAt}) / 10))`;

/**
 * Stores each transaction once for manual review. A transaction that was resolved and is found again becomes unresolved. A transaction
 * with transfers in the ledger was read before, and is omitted.
 * @param ids receiving address → id of its row; transactions of other addresses are omitted
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
    const positions = owners.get(ids.get(owner) ?? "");
    return positions ? [{ ...rest, ...positions, network, firstSeenAt: now, triedAt: now }] : [];
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

/** Resolves transactions that were read after all or are no longer on the chain. Returns the number of those that were unresolved. */
export async function resolveUnreadable(db: Db, network: string, txIds: readonly string[], now: Date): Promise<number> {
  if (txIds.length === 0) return 0;
  const rows = await db
    .update(unreadable)
    .set({ resolvedAt: now })
    .where(and(eq(unreadable.network, network), inArray(unreadable.txId, [...txIds]), isNull(unreadable.resolvedAt)))
    .returning({ txId: unreadable.txId });
  return rows.length;
}

/** Returns unresolved transactions of a network that are due for a retry, starting with the one whose last retry was longest ago. */
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

/** Records a retry that did not resolve a transaction. A null reason leaves the last one unchanged. */
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

/** Makes all unresolved transactions of a network due, however long ago they were first seen. */
export async function hastenUnreadable(db: Db, network: string): Promise<void> {
  await db
    .update(unreadable)
    .set({ triedAt: unreadable.firstSeenAt })
    .where(and(eq(unreadable.network, network), isNull(unreadable.resolvedAt)));
}

const isOf = (merchantId: string) => and(eq(unreadable.merchantId, merchantId), isNull(unreadable.resolvedAt));

/** Returns the unresolved transactions on the addresses of a merchant, newest first, at most `limit`. */
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

/** Returns the number of unresolved transactions on the addresses of a merchant. */
export async function countUnreadable(db: Db, merchantId: string): Promise<number> {
  return db.$count(
    db
      .selectDistinct({ network: unreadable.network, txId: unreadable.txId })
      .from(unreadable)
      .where(isOf(merchantId))
      .as("waiting"),
  );
}

/** Returns the number of unresolved transactions per network, over all merchants. */
export async function countUnreadableByNetwork(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ network: unreadable.network, count: sql<number>`count(distinct ${unreadable.txId})::int` })
    .from(unreadable)
    .where(isNull(unreadable.resolvedAt))
    .groupBy(unreadable.network);
  return new Map(rows.map(({ network, count }) => [network, count]));
}
