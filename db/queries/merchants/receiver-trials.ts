import { and, eq, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { addressSources, receiverTrials } from "@/db/schema";
import { LOOKUP_ASKED } from "@/lib/domain/channels";

export type TrialRow = typeof receiverTrials.$inferSelect;
type TrialKey = Pick<TrialRow, "merchantId" | "sourceId" | "network">;

const isTrial = ({ merchantId, sourceId, network }: TrialKey) =>
  and(
    eq(receiverTrials.merchantId, merchantId),
    eq(receiverTrials.sourceId, sourceId),
    eq(receiverTrials.network, network),
  );

/**
 * Starts the search for the transfers of a receiver trial on a network, or continues an abandoned search, and notifies the network's
 * worker. Earlier results are kept, and a completed trial is unchanged.
 */
export async function askTrial(
  db: Db,
  row: TrialKey & Pick<TrialRow, "receiver" | "treasury">,
  now: Date,
): Promise<void> {
  await db
    .insert(receiverTrials)
    .values({ ...row, askedAt: now, lookAt: now })
    .onConflictDoUpdate({
      target: [receiverTrials.sourceId, receiverTrials.network, receiverTrials.merchantId],
      set: {
        askedAt: now,
        lookAt: now,
        // Blocks that were produced while the trial was abandoned are not searched, because they may span months.
        scannedHeight: sql`case when ${receiverTrials.lookAt} is null then null else ${receiverTrials.scannedHeight} end`,
      },
      setWhere: isNull(receiverTrials.triedAt),
    });
  await db.execute(sql`select pg_notify(${LOOKUP_ASKED}, ${row.network})`);
}

/** Returns a merchant's trials of a source, one per network. */
export async function listTrials(db: Db, merchantId: string, sourceId: string): Promise<TrialRow[]> {
  return db
    .select()
    .from(receiverTrials)
    .where(and(eq(receiverTrials.merchantId, merchantId), eq(receiverTrials.sourceId, sourceId)));
}

/**
 * Returns the due trials on a network, except those of removed sources. The order is random, so that a trial that fails does not delay the
 * others.
 */
export async function listDueTrials(db: Db, network: string, now: Date, limit: number): Promise<TrialRow[]> {
  const rows = await db
    .select({ trial: receiverTrials })
    .from(receiverTrials)
    .innerJoin(
      addressSources,
      and(eq(addressSources.id, receiverTrials.sourceId), eq(addressSources.merchantId, receiverTrials.merchantId)),
    )
    .where(and(eq(receiverTrials.network, network), lte(receiverTrials.lookAt, now), isNull(addressSources.removedAt)))
    .orderBy(sql`random()`)
    .limit(limit);
  return rows.map(({ trial }) => trial);
}

type TrialLook = Pick<TrialRow, "lookAt" | "scannedHeight" | "hasFactory" | "arrival" | "sweep" | "triedAt">;

/**
 * Stores the result of a check. Returns false if the trial was requested again in the meantime, or if another worker stored a result
 * first.
 */
export async function updateTrial(db: Db, read: TrialRow, look: TrialLook): Promise<boolean> {
  const isAsRead = and(
    eq(receiverTrials.askedAt, read.askedAt),
    read.lookAt ? eq(receiverTrials.lookAt, read.lookAt) : isNull(receiverTrials.lookAt),
    isNull(receiverTrials.triedAt),
  );
  const rows = await db
    .update(receiverTrials)
    .set(look)
    .where(and(isTrial(read), isAsRead))
    .returning({ network: receiverTrials.network });
  return rows.length > 0;
}

const isFilling = and(isNotNull(receiverTrials.triedAt), lt(receiverTrials.filledTo, addressSources.nextIndex));

/**
 * Returns the sources and networks with addresses that have not been added to the network yet. Removed sources are excluded. The order is
 * random.
 */
export async function listUnfilled(db: Db, limit: number): Promise<TrialKey[]> {
  return db
    .select({
      merchantId: receiverTrials.merchantId,
      sourceId: receiverTrials.sourceId,
      network: receiverTrials.network,
    })
    .from(receiverTrials)
    .innerJoin(
      addressSources,
      and(eq(addressSources.id, receiverTrials.sourceId), eq(addressSources.merchantId, receiverTrials.merchantId)),
    )
    .where(and(isFilling, isNull(addressSources.removedAt)))
    .orderBy(sql`random()`)
    .limit(limit);
}

/**
 * Marks the next addresses of a network as added, at most up to an index.
 * @returns the index of the first of them; null if there are none
 */
export async function markFilled(
  db: Db,
  trial: TrialKey,
  { step, max }: { step: number; max: number },
): Promise<number | null> {
  const { merchantId, sourceId, network } = trial;
  const isThis = and(eq(receiverTrials.sourceId, sourceId), eq(receiverTrials.network, network));
  const [row] = await db
    .select()
    .from(receiverTrials)
    .where(and(eq(receiverTrials.merchantId, merchantId), isThis))
    .for("update");
  if (!row || row.triedAt === null || row.filledTo >= max) return null;
  await db
    .update(receiverTrials)
    .set({ filledTo: Math.min(max, row.filledTo + step) })
    .where(isTrial(trial));
  return row.filledTo;
}

/**
 * Advances the position of a source from one index to another on each network to which all addresses before the first index were already
 * added.
 */
export async function followFilled(
  db: Db,
  source: { merchantId: string; id: string },
  { from, to }: { from: number; to: number },
): Promise<void> {
  await db
    .update(receiverTrials)
    .set({ filledTo: to })
    .where(
      and(
        eq(receiverTrials.merchantId, source.merchantId),
        eq(receiverTrials.sourceId, source.id),
        eq(receiverTrials.filledTo, from),
        isNotNull(receiverTrials.triedAt),
      ),
    );
}

/** Returns the given addresses that are treasuries of the merchant's receivers. */
export async function listTreasuries(db: Db, merchantId: string, addresses: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ treasury: receiverTrials.treasury })
    .from(receiverTrials)
    .where(and(eq(receiverTrials.merchantId, merchantId), sql`${receiverTrials.treasury} = any(${idList(addresses)})`));
  return rows.map(({ treasury }) => treasury);
}
