import { blocksIn, isReadByRange, type Network } from "@/lib/domain/networks";
import { type ChainHeight, depthOf, type FinalityRule } from "@/lib/domain/networks/finality";

/** The number of newest blocks that a responding node may not have. */
const UNSURE_BLOCKS = 2;
/** The largest range of blocks in which no block is read twice. */
const SMALL_SPAN = 10;

/** The lag behind the head, in polling intervals, from which final blocks are read first. */
const LEAP_READINGS = 3;

/** The inclusive range of blocks to read next. `isLast` is true if no block after it can be read for now. */
export interface NextSpan {
  from: number;
  to: number;
  isLast: boolean;
  /** The number of blocks before the range whose logs are read again. */
  again?: number;
}

/**
 * Returns the blocks that a scanner reads next, or null when there are none. Final blocks are read in ranges of at most `spanBlocks`.
 * Blocks that can still change are read one by one or, on fast or idle networks, in ranges up to the head, whose hash is known. A range is
 * requested by heights, and a lagging node responds even for blocks that it does not have yet. The newest blocks of each range are
 * therefore read again with the next range. If a node's range limit is too small for this overlap, ranges end a few blocks behind the
 * head.
 */
export function nextSpan(
  network: FinalityRule & Pick<Network, "pace">,
  head: ChainHeight,
  cursorHeight: number,
  spanBlocks: number,
  isIdle = false,
): NextSpan | null {
  const chain = { blockMs: head.blockMs ?? network.blockMs };
  const isByRange = isIdle || isReadByRange(chain);
  const unsure = isByRange ? Math.max(blocksIn(network.pace.behindMs, chain), UNSURE_BLOCKS) : 0;
  const again = isByRange && spanBlocks > Math.max(SMALL_SPAN, unsure) ? unsure : 0;
  const end = isByRange && again === 0 ? head.height - unsure : head.height;
  const from = cursorHeight + 1;
  if (from > end) return null;
  const settled = Math.min(settledHeight(network, head), end);
  const unsettledTo = isByRange ? from + spanBlocks - 1 - again : from;
  // A reader that is far behind reads final blocks first, because a head that jumps may exist at only one endpoint.
  const isBehind = head.height - from >= blocksIn(network.pace.everyMs * LEAP_READINGS, chain) + unsure;
  const isSettled = from <= settled && !isIdle && (again === 0 || isBehind);
  const to = Math.min(isSettled ? Math.min(from + spanBlocks - 1, settled) : unsettledTo, end);
  return { from, to, isLast: to === end, ...(again > 0 && !isSettled ? { again } : {}) };
}

/**
 * Returns the height at and below which no reorg is expected: the node's `finalized` tag, or the depth if it has none.
 */
export function settledHeight(network: FinalityRule, head: ChainHeight): number {
  return Math.min(head.finalizedHeight ?? head.height - depthOf(network, head), head.height);
}
