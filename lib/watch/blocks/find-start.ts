import type { Db } from "@/db/client";
import { findOldestLiveQuoteTime } from "@/db/queries/networks/watched-addresses";
import { ChainError, type ChainSource } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import type { Block, Head } from "@/lib/domain/networks/block";
import { settledHeight } from "@/lib/watch/blocks/next-span";

const MARGIN_MS = 600_000;

/**
 * The block after which a network that was never read is read: the newest that no reorg can reach, or, where payers
 * already wait, the last one well before the oldest live quote was made. Found by block times, for heights say little
 * about time.
 */
export async function findStart(db: Db, source: ChainSource, network: Network, head: Head): Promise<Block> {
  const settled = await source.block({ height: Math.max(0, settledHeight(network, head)), mustVerifyChainId: true });
  if (!settled) throw new ChainError("inconsistent", `${network.name}: the newest final block is missing`);
  const oldest = await findOldestLiveQuoteTime(db, network.id);
  return oldest ? firstBlockAfter(source, settled, new Date(oldest.getTime() - MARGIN_MS)) : settled;
}

/** The first block younger than `time`, up to `newest`; the oldest that the endpoints have when all are younger. */
async function firstBlockAfter(source: ChainSource, newest: Block, time: Date): Promise<Block> {
  if (newest.time <= time) return newest;
  let [tooOld, found] = [-1, newest];
  while (found.height - tooOld > 1) {
    const block = await source.block({ height: Math.floor((tooOld + found.height) / 2), mustVerifyChainId: true });
    if (block && block.time > time) found = block;
    else tooOld = Math.floor((tooOld + found.height) / 2);
  }
  return found;
}
