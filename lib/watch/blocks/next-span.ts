import { blocksIn, isReadByRange, type Network } from "@/lib/domain/networks";
import { type ChainHeight, depthOf, type FinalityRule } from "@/lib/domain/networks/finality";

/** So many of the newest blocks may be unknown to a node that answers for them. */
const UNSURE_BLOCKS = 2;
/** Where a node takes so few blocks at once, none is read twice. */
const SMALL_SPAN = 10;

/** The blocks to read next, inclusive; `isLast` when nothing is left to read after them for now. */
export interface NextSpan {
  from: number;
  to: number;
  isLast: boolean;
  /** Logs of so many blocks before it are read again. */
  again?: number;
}

/**
 * Which blocks a scanner reads next, or null when it has all it should read. Final blocks are read in ranges of at most
 * `spanBlocks`; blocks that can still change one by one, or on fast networks in ranges that end a few blocks behind the head:
 * asked by heights, a node that lags answers for blocks that it does not have yet. Where nobody waits ranges reach up to the
 * head, whose hash is known, and the newest blocks of each are read again with the next.
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
  const unsure = Math.max(blocksIn(network.pace.behindMs, chain), isIdle ? UNSURE_BLOCKS : 0);
  const again = isIdle && spanBlocks > Math.max(SMALL_SPAN, unsure) ? unsure : 0;
  const end = isByRange && again === 0 ? head.height - unsure : head.height;
  const from = cursorHeight + 1;
  if (from > end) return null;
  const settled = Math.min(settledHeight(network, head), end);
  const unsettledTo = isByRange ? from + spanBlocks - 1 - again : from;
  const to = Math.min(from <= settled && !isIdle ? Math.min(from + spanBlocks - 1, settled) : unsettledTo, end);
  return { from, to, isLast: to === end, ...(again > 0 ? { again } : {}) };
}

/** The height at and below which no reorg is expected: the node's `finalized` tag, or the depth where it has none. */
export function settledHeight(network: FinalityRule, head: ChainHeight): number {
  return Math.min(head.finalizedHeight ?? head.height - depthOf(network, head), head.height);
}
