import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, max, min, ne, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { blocks, cursors, merchantNetworks, quotes, receivingAddresses } from "@/db/schema";
import type { ReadHead } from "@/lib/domain/checkout/wallet-request";
import { getNetwork } from "@/lib/domain/networks";
import type { Block, ChainHeight, Head } from "@/lib/domain/networks/finality";
import type { EndpointHealth } from "@/lib/domain/networks/health";
import type { WatchState } from "@/lib/domain/networks/watch-state";

export type Cursor = typeof cursors.$inferSelect;

/** The last block whose transfers, and those of all blocks before it, are in the ledger. */
export type CursorPoint = Pick<Block, "height" | "hash" | "time">;

/** A head as it was read, and true if the cursor has reached the newest block that can be read. */
export interface SeenHead {
  head: Head;
  isCaughtUp: boolean;
}

const isMine = (network: string, owner: string) =>
  and(eq(cursors.network, network), eq(cursors.leaseOwner, owner), sql`${cursors.leaseUntil} > statement_timestamp()`);

const isAt = ({ height, hash }: { height: number | null; hash: string | null }) =>
  and(
    sql`${cursors.height} is not distinct from ${height}::bigint`,
    sql`${cursors.hash} is not distinct from ${hash}::text`,
  );

/** Returns the position and state of a network; null before it was ever watched. */
export async function findCursor(db: Db, network: string): Promise<Cursor | null> {
  const [row] = await db.select().from(cursors).where(eq(cursors.network, network));
  return row ?? null;
}

/** Returns the last block that was read on a network, and the time when it was the head; null if none was read. */
export async function findReadHead(db: Db, network: string): Promise<ReadHead | null> {
  const cursor = await findCursor(db, network);
  if (cursor?.height == null || cursor.hash === null || cursor.caughtUpAt === null) return null;
  const { height, hash, caughtUpAt, blockMs } = cursor;
  return { height, hash, caughtUpAt, blockMs: blockMs ?? getNetwork(network).blockMs };
}

/** Stores the price of a unit of gas. */
export async function writeGasPrice(db: Db, network: string, gasPrice: bigint, now: Date): Promise<void> {
  await db.update(cursors).set({ gasPrice, gasPriceAt: now }).where(eq(cursors.network, network));
}

/** Returns the positions and states of several networks; networks that were never watched are omitted. */
export async function listCursors(db: Db, networks: readonly string[]): Promise<Cursor[]> {
  return db
    .select()
    .from(cursors)
    .where(inArray(cursors.network, [...networks]));
}

/** Returns the heights of all networks with a known head. */
export async function listHeights(db: Db): Promise<Map<string, ChainHeight>> {
  const { network, headHeight, finalizedHeight, blockMs } = cursors;
  const rows = await db.select({ network, headHeight, finalizedHeight, blockMs }).from(cursors);
  return new Map(
    rows.flatMap(({ network: id, headHeight: height, ...chain }) =>
      height === null ? [] : [[id, { height, ...chain }] as const],
    ),
  );
}

/**
 * Claims or renews the lease of a network for `ttlMs`, by the database's clock.
 * @returns false while another worker holds it
 */
export async function claimCursor(db: Db, network: string, owner: string, ttlMs: number): Promise<boolean> {
  const until = sql`statement_timestamp() + make_interval(secs => ${ttlMs / 1_000})`;
  const rows = await db
    .insert(cursors)
    .values({ network, leaseOwner: owner, leaseUntil: until })
    .onConflictDoUpdate({
      target: cursors.network,
      set: { leaseOwner: owner, leaseUntil: until },
      setWhere: sql`${cursors.leaseOwner} = ${owner} or ${cursors.leaseUntil} is null or ${cursors.leaseUntil} <= statement_timestamp()`,
    })
    .returning({ network: cursors.network });
  return rows.length === 1;
}

/**
 * Releases a lease, so that another worker can take it over without waiting for its expiry. The time of the release is stored as the time
 * since which no worker has read the network.
 */
export async function releaseCursor(db: Db, network: string, owner: string): Promise<void> {
  await db
    .update(cursors)
    .set({ leaseOwner: null, leaseUntil: sql`statement_timestamp()` })
    .where(and(eq(cursors.network, network), eq(cursors.leaseOwner, owner)));
}

/**
 * Moves the cursor if the caller holds the lease and the cursor is still at the position that the caller read. Locks the row until the
 * transaction ends. Returns false if another worker is reading this network; the caller must then write nothing.
 *
 * Orders expire and holds are released by the cursor's time. A block time in the future is stored as `now`, because it may be a false
 * response from one endpoint and is no evidence about later payments.
 * @param seen the head, recorded like by `updateHead`
 */
export async function updateCursor(
  db: Db,
  network: string,
  owner: string,
  from: { height: number | null; hash: string | null },
  to: CursorPoint,
  now: Date,
  seen?: SeenHead,
): Promise<boolean> {
  const rows = await db
    .update(cursors)
    .set({
      height: to.height,
      hash: to.hash,
      blockTime: to.time < now ? to.time : now,
      ...(seen && headColumns(seen, now)),
    })
    .where(and(isMine(network, owner), isAt(from)))
    .returning({ network: cursors.network });
  return rows.length === 1;
}

/**
 * Locks the cursor until the transaction ends if the caller holds the lease and, if `at` is given, the cursor is still at that position.
 * Otherwise returns false, like `updateCursor`.
 */
export async function lockCursor(
  db: Db,
  network: string,
  owner: string,
  at?: { height: number | null; hash: string | null },
): Promise<boolean> {
  const rows = await db
    .select({ network: cursors.network })
    .from(cursors)
    .where(and(isMine(network, owner), at && isAt(at)))
    .for("update");
  return rows.length === 1;
}

/** Records the current head. If the cursor has reached it, also records the time. */
export async function updateHead(db: Db, network: string, owner: string, seen: SeenHead, now: Date): Promise<void> {
  await db.update(cursors).set(headColumns(seen, now)).where(isMine(network, owner));
}

function headColumns({ head, isCaughtUp }: SeenHead, now: Date) {
  return {
    headHeight: head.height,
    headTime: head.time,
    finalizedHeight: head.finalizedHeight,
    respondedAt: now,
    ...(head.blockMs == null ? {} : { blockMs: head.blockMs }),
    ...(isCaughtUp ? { caughtUpAt: now } : {}),
  };
}

/** Stores the polling tier of a network. */
export async function updateWatchState(db: Db, network: string, owner: string, watchState: WatchState): Promise<void> {
  await db
    .update(cursors)
    .set({ watchState })
    .where(and(isMine(network, owner), ne(cursors.watchState, watchState)));
}

/** Stores the reason why a network accepts no new orders, or null. Returns true if it changed. */
export async function updateProblem(db: Db, network: string, owner: string, problem: string | null): Promise<boolean> {
  const rows = await db
    .update(cursors)
    .set({ problem })
    .where(and(isMine(network, owner), sql`${cursors.problem} is distinct from ${problem}::text`))
    .returning({ network: cursors.network });
  return rows.length === 1;
}

/** Stores the warning about a network, or null. Returns true if it changed. */
export async function updateWarning(db: Db, network: string, owner: string, warning: string | null): Promise<boolean> {
  const rows = await db
    .update(cursors)
    .set({ warning })
    .where(and(isMine(network, owner), sql`${cursors.warning} is distinct from ${warning}::text`))
    .returning({ network: cursors.network });
  return rows.length === 1;
}

/** Stores the health of a network's endpoints if it has changed. */
export async function updateEndpoints(
  db: Db,
  network: string,
  owner: string,
  endpoints: EndpointHealth[],
): Promise<void> {
  await db
    .update(cursors)
    .set({ endpoints })
    .where(and(isMine(network, owner), sql`${cursors.endpoints} <> ${JSON.stringify(endpoints)}::jsonb`));
}

const columns = { height: blocks.height, hash: blocks.hash, parentHash: blocks.parentHash, time: blocks.time };

/** Stores scanned blocks. A block at a height that is already stored is replaced. */
export async function insertBlocks(db: Db, network: string, scanned: readonly Block[]): Promise<void> {
  if (scanned.length === 0) return;
  await db
    .insert(blocks)
    .values(scanned.map(({ height, hash, parentHash, time }) => ({ network, height, hash, parentHash, time })))
    .onConflictDoUpdate({
      target: [blocks.network, blocks.height],
      set: {
        hash: sql`excluded.hash`,
        parentHash: sql`excluded.parent_hash`,
        time: sql`excluded.time`,
      },
    });
}

/** Returns the scanned block at a height, or null if its hash is not stored. */
export async function findBlock(db: Db, network: string, height: number): Promise<Block | null> {
  const [row] = await db
    .select(columns)
    .from(blocks)
    .where(and(eq(blocks.network, network), eq(blocks.height, height)));
  return row ?? null;
}

/** Returns the lowest scanned block at `from` or above whose hash is stored; null if there is none. */
export async function findLowestBlock(db: Db, network: string, from = 0): Promise<Block | null> {
  const [row] = await db
    .select(columns)
    .from(blocks)
    .where(and(eq(blocks.network, network), gte(blocks.height, from)))
    .orderBy(asc(blocks.height))
    .limit(1);
  return row ?? null;
}

/** Returns the scanned blocks whose hashes are stored, highest first, at most 1,000. */
export async function listBlocksDown(db: Db, network: string): Promise<Block[]> {
  return db.select(columns).from(blocks).where(eq(blocks.network, network)).orderBy(desc(blocks.height)).limit(1_000);
}

/** Deletes blocks that are no longer on the chain. */
export async function deleteBlocksAbove(db: Db, network: string, height: number): Promise<void> {
  await db.delete(blocks).where(and(eq(blocks.network, network), gt(blocks.height, height)));
}

interface Kept {
  /** The height below which blocks are final by the network's rule. */
  keepFrom: number;
  /** The height from which merchants' confirmations are counted, while final transfers can still change. */
  countedFrom?: number | undefined;
  /** The current block time, for merchants with a requirement by time. */
  blockMs: number;
}

/**
 * Deletes blocks that no reorg can reach and that no merchant's confirmation rule needs. The highest of them is kept as the last common
 * ancestor.
 */
export async function pruneBlocks(db: Db, network: string, { keepFrom, countedFrom, blockMs }: Kept): Promise<void> {
  const deepest = db
    .select({
      confirmations: sql`greatest(${max(merchantNetworks.minConfirmations)}, ceil(${max(merchantNetworks.minSeconds)} * 1000.0 / ${blockMs}))::bigint`,
    })
    .from(merchantNetworks)
    .where(eq(merchantNetworks.network, network));
  const wishedFrom = sql`${countedFrom ?? null}::bigint + 1 - (${deepest})`;
  const anchor = db
    .select({ height: max(blocks.height) })
    .from(blocks)
    .where(and(eq(blocks.network, network), lte(blocks.height, sql`least(${keepFrom}::bigint, ${wishedFrom})`)));
  await db.delete(blocks).where(and(eq(blocks.network, network), lt(blocks.height, anchor)));
}

/**
 * Returns the receiving addresses of a network with an id above `afterId`, in canonical form, with their ids. Paused and removed addresses
 * are included. Ids increase with time, so a caller that stores the last one reads only new addresses.
 */
export async function listWatchedAddresses(
  db: Db,
  network: string,
  afterId: string,
): Promise<{ id: string; address: string }[]> {
  return db
    .select({ id: receivingAddresses.id, address: receivingAddresses.address })
    .from(receivingAddresses)
    .where(and(eq(receivingAddresses.network, network), gt(receivingAddresses.id, afterId)));
}

/**
 * Returns the time from which a network that was never read must be read: the creation time of its oldest live quote, or of the oldest one
 * that was live when an operator closed the network. Null if there is none.
 */
export async function findOldestUnreadQuoteTime(db: Db, network: string): Promise<Date | null> {
  const [[live], cursor] = await Promise.all([
    db
      .select({ at: min(quotes.createdAt) })
      .from(quotes)
      .where(and(eq(quotes.network, network), isNull(quotes.releasedAt))),
    findCursor(db, network),
  ]);
  const times = [live?.at, cursor?.blockTime].filter((at) => at != null);
  return times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())));
}
