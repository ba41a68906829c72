import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { addressSources, familyAddresses, receivingAddresses } from "@/db/schema";

export type SourceRow = typeof addressSources.$inferSelect;

const isStanding = (merchantId: string, id: string) =>
  and(eq(addressSources.merchantId, merchantId), eq(addressSources.id, id), isNull(addressSources.removedAt));

/** Adds a source. Returns false if the merchant already has the same key. */
export async function insertSource(db: Db, row: typeof addressSources.$inferInsert): Promise<boolean> {
  const rows = await db.insert(addressSources).values(row).onConflictDoNothing().returning({ id: addressSources.id });
  return rows.length > 0;
}

/** Returns a merchant's sources without removed ones, newest first, with the number of their addresses that were used before. */
export async function listSources(db: Db, merchantId: string) {
  // The ORM writes the columns of a single table without the table's name, so in this subquery they would refer to the other table.
  const used = sql<number>`(select count(distinct a.address)::int from receiving_addresses a
    where a.merchant_id = address_sources.merchant_id and a.source_id = address_sources.id and a.rests_until > 'epoch')`;
  return db
    .select({
      id: addressSources.id,
      kind: addressSources.kind,
      family: addressSources.family,
      label: addressSources.label,
      networks: addressSources.networks,
      max: addressSources.max,
      derived: sql<number>`next_index - skipped - (kind = 'receiver')::int`,
      used,
      provedAt: addressSources.provedAt,
      createdAt: addressSources.createdAt,
    })
    .from(addressSources)
    .where(and(eq(addressSources.merchantId, merchantId), isNull(addressSources.removedAt)))
    .orderBy(desc(addressSources.id));
}

/** Locks an existing source until the transaction ends. Returns null if there is none, or if another transaction has locked it. */
export async function lockSource(db: Db, merchantId: string, id: string): Promise<SourceRow | null> {
  const rows = await db
    .select()
    .from(addressSources)
    .where(isStanding(merchantId, id))
    .for("update", { skipLocked: true });
  return rows[0] ?? null;
}

/** Changes an existing source. Returns the new values of the row, or null if the merchant has no such source. */
export async function updateSource(
  db: Db,
  { merchantId, id }: { merchantId: string; id: string },
  change: { max: number } | { nextIndex: number } | { removedAt: Date } | { networks: string[] },
): Promise<SourceRow | null> {
  const rows = await db.update(addressSources).set(change).where(isStanding(merchantId, id)).returning();
  return rows[0] ?? null;
}

/**
 * Removes all addresses of a source from use. Transfers to them are still recorded.
 * @returns the number of removed addresses on all networks
 */
export async function removeDerived(
  db: Db,
  { merchantId, id }: { merchantId: string; id: string },
  now: Date,
): Promise<number> {
  const rows = await db
    .update(receivingAddresses)
    .set({ removedAt: now })
    .where(
      and(
        eq(receivingAddresses.merchantId, merchantId),
        eq(receivingAddresses.sourceId, id),
        isNull(receivingAddresses.removedAt),
      ),
    )
    .returning({ id: receivingAddresses.id });
  return rows.length;
}

/**
 * Returns sources that may derive more addresses, and have fewer than `ahead` unused addresses on one of their networks. An unused address
 * was never used on that network and is not currently in use on another network. The order is random, so that a failing source does not
 * delay the others.
 */
export async function listHungry(
  db: Db,
  ahead: number,
  limit: number,
): Promise<Pick<SourceRow, "id" | "merchantId">[]> {
  const idle = sql`(select count(*) from (
    select from receiving_addresses a
    where a.merchant_id = address_sources.merchant_id and a.network = n.network and a.kind = 'dedicated'
      and a.paused_at is null and a.removed_at is null and a.rests_until = 'epoch'
      and not exists (select from quotes q where q.merchant_id = a.merchant_id and q.address = a.address and q.family = a.family
        and q.released_at is null and q.kind = 'dedicated' offset 0)
      and not is_permanent_address(a.merchant_id, a.family, a.address)
    limit ${ahead}) i)`;
  return db
    .select({ id: addressSources.id, merchantId: addressSources.merchantId })
    .from(addressSources)
    .where(
      and(
        isNull(addressSources.removedAt),
        // Receiver 0 is never assigned to an order, so it does not count.
        sql`${addressSources.nextIndex} - ${addressSources.skipped} - (${addressSources.kind} = 'receiver')::int < ${addressSources.max}`,
        // While addresses that were derived before are still being added to a network, the network needs no new ones.
        sql`exists (select from unnest(${addressSources.networks}) n (network) where ${idle} < ${ahead}
          and not exists (select from receiver_trials x where x.merchant_id = address_sources.merchant_id
            and x.source_id = address_sources.id and x.network = n.network and x.filled_to < address_sources.next_index))`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

/** Returns the indexes of a source's addresses, starting at `from`, at most `count` of them. */
export async function listDerivedIndexes(
  db: Db,
  { id, merchantId }: Pick<SourceRow, "id" | "merchantId">,
  from: number,
  count: number,
): Promise<Set<number>> {
  const { sourceId, sourceIndex } = receivingAddresses;
  const rows = await db
    .selectDistinct({ sourceIndex })
    .from(receivingAddresses)
    .where(
      and(
        eq(receivingAddresses.merchantId, merchantId),
        eq(sourceId, id),
        gte(sourceIndex, from),
        lt(sourceIndex, from + count),
      ),
    );
  return new Set(rows.flatMap((row) => row.sourceIndex ?? []));
}

/** Returns derived addresses whose ids follow `after`, sorted by id, with their encrypted keys. */
export async function listDerivedAfter(db: Db, after: string, limit: number) {
  return db
    .select({
      id: receivingAddresses.id,
      merchantId: receivingAddresses.merchantId,
      network: receivingAddresses.network,
      address: receivingAddresses.address,
      kind: receivingAddresses.kind,
      mac: receivingAddresses.mac,
      sourceId: addressSources.id,
      sourceIndex: receivingAddresses.sourceIndex,
      sourceKind: addressSources.kind,
      family: addressSources.family,
      keyCipher: addressSources.keyCipher,
      pausedAt: receivingAddresses.pausedAt,
    })
    .from(receivingAddresses)
    .innerJoin(
      addressSources,
      and(
        eq(addressSources.id, receivingAddresses.sourceId),
        eq(addressSources.merchantId, receivingAddresses.merchantId),
      ),
    )
    .where(
      and(
        gt(receivingAddresses.id, after),
        isNotNull(receivingAddresses.sourceId),
        isNull(receivingAddresses.removedAt),
      ),
    )
    .orderBy(receivingAddresses.id)
    .limit(limit);
}

/** Returns true if a different merchant has the same source, or one of its addresses. */
export async function isAnyReserved(
  db: Db,
  { merchantId, family, keyHash }: Pick<SourceRow, "merchantId" | "family" | "keyHash">,
  addresses: readonly string[],
): Promise<boolean> {
  const others = await db
    .select({ id: addressSources.id })
    .from(addressSources)
    .where(
      and(
        eq(addressSources.keyHash, keyHash),
        ne(addressSources.merchantId, merchantId),
        isNull(addressSources.removedAt),
      ),
    )
    .limit(1);
  if (others.length > 0) return true;
  const rows = await db
    .select({ merchantId: familyAddresses.merchantId })
    .from(familyAddresses)
    .where(and(eq(familyAddresses.family, family), inArray(familyAddresses.address, [...addresses])));
  return rows.some((row) => row.merchantId !== merchantId);
}

/** Returns a source of this kind; null if the merchant has none with this id. Removed sources are returned only on request. */
export async function findSource(
  db: Db,
  merchantId: string,
  id: string,
  kind: SourceRow["kind"],
  { withRemoved = false } = {},
): Promise<SourceRow | null> {
  const isThis = and(eq(addressSources.merchantId, merchantId), eq(addressSources.id, id));
  const rows = await db
    .select()
    .from(addressSources)
    .where(and(withRemoved ? isThis : isStanding(merchantId, id), eq(addressSources.kind, kind)));
  return rows[0] ?? null;
}
