import { and, asc, desc, eq, gt, gte, lt, lte, max, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { blocks, merchantNetworks } from "@/db/schema";
import type { Block } from "@/lib/domain/networks/block";

const columns = { height: blocks.height, hash: blocks.hash, parentHash: blocks.parentHash, time: blocks.time };

/** Remembers scanned blocks; a height that is known already takes the new block. */
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

/** The scanned block of a height, or null when its hash is not kept. */
export async function findBlock(db: Db, network: string, height: number): Promise<Block | null> {
  const [row] = await db
    .select(columns)
    .from(blocks)
    .where(and(eq(blocks.network, network), eq(blocks.height, height)));
  return row ?? null;
}

/** The lowest scanned block whose hash is kept, at `from` or above; null when there is none. */
export async function findLowestBlock(db: Db, network: string, from = 0): Promise<Block | null> {
  const [row] = await db
    .select(columns)
    .from(blocks)
    .where(and(eq(blocks.network, network), gte(blocks.height, from)))
    .orderBy(asc(blocks.height))
    .limit(1);
  return row ?? null;
}

/** Scanned blocks whose hashes are kept, highest first; at most 1,000. */
export async function listBlocksDown(db: Db, network: string): Promise<Block[]> {
  return db.select(columns).from(blocks).where(eq(blocks.network, network)).orderBy(desc(blocks.height)).limit(1_000);
}

/** Forgets blocks that are no longer on the chain. */
export async function deleteBlocksAbove(db: Db, network: string, height: number): Promise<void> {
  await db.delete(blocks).where(and(eq(blocks.network, network), gt(blocks.height, height)));
}

interface Kept {
  /** Blocks below this height are final by the network's rule. */
  keepFrom: number;
  /** Where what is final may yet change: the height from which the confirmations that merchants ask for are counted down. */
  countedFrom?: number | undefined;
  /** How long a block takes now: for merchants who wait by time. */
  blockMs: number;
}

/**
 * Forgets blocks that no reorg can reach, or below which no merchant waits for more confirmations; the highest one there
 * stays as the last common ancestor.
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
