import { blocksIn, isReadByRange, type Network } from "@/lib/domain/networks";
import { type ChainHeight, depthOf, type FinalityRule } from "@/lib/domain/networks/finality";

/** The blocks to read next, inclusive; `isLast` when nothing is left to read after them for now. */
export interface NextSpan {
  from: number;
  to: number;
  isLast: boolean;
}

/**
 * Which blocks a scanner reads next, or null when it has all it should read. Final blocks are read in ranges of at most
 * `spanBlocks`; blocks that can still change one by one, or on fast networks in ranges that end a few blocks behind the head.
 */
export function nextSpan(
  network: FinalityRule & Pick<Network, "pace">,
  head: ChainHeight,
  cursorHeight: number,
  spanBlocks: number,
): NextSpan | null {
  const chain = { blockMs: head.blockMs ?? network.blockMs };
  const isByRange = isReadByRange(chain);
  const end = isByRange ? head.height - blocksIn(network.pace.behindMs, chain) : head.height;
  const from = cursorHeight + 1;
  if (from > end) return null;
  const settled = Math.min(settledHeight(network, head), end);
  const unsettledTo = isByRange ? from + spanBlocks - 1 : from;
  const to = Math.min(from <= settled ? Math.min(from + spanBlocks - 1, settled) : unsettledTo, end);
  return { from, to, isLast: to === end };
}

/** The height at and below which no reorg is expected: the node's `finalized` tag, or the depth where it has none. */
export function settledHeight(network: FinalityRule, head: ChainHeight): number {
  return Math.min(head.finalizedHeight ?? head.height - depthOf(network, head), head.height);
}
