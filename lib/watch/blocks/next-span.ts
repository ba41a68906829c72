import { blocksIn, isReadByRange, type Network } from "@/lib/domain/networks";
import { type ChainHeight, depthOf, type FinalityRule } from "@/lib/domain/networks/finality";

/** So many of the newest blocks may be unknown to a node that answers for them. */
const UNSURE_BLOCKS = 2;
/** Where a node takes so few blocks at once, none is read twice. */
const SMALL_SPAN = 10;

/** Further behind the head than so many readings pass. */
const LEAP_READINGS = 3;

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
 * `spanBlocks`; blocks that can still change one by one, or, on fast networks and where nobody waits, in ranges up to the head, whose hash
 * is known: asked by heights, a node that lags answers for blocks that it does not have yet, so the newest blocks of each are read again
 * with the next. Where a node takes too few blocks at once for that, ranges end a few blocks behind the head.
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
  // Whoever is far behind reads first what is final: a head that leaps may be nobody's but the endpoint's that tells it.
  const isBehind = head.height - from >= blocksIn(network.pace.everyMs * LEAP_READINGS, chain) + unsure;
  const isSettled = from <= settled && !isIdle && (again === 0 || isBehind);
  const to = Math.min(isSettled ? Math.min(from + spanBlocks - 1, settled) : unsettledTo, end);
  return { from, to, isLast: to === end, ...(again > 0 && !isSettled ? { again } : {}) };
}

/** The height at and below which no reorg is expected: the node's `finalized` tag, or the depth where it has none. */
export function settledHeight(network: FinalityRule, head: ChainHeight): number {
  return Math.min(head.finalizedHeight ?? head.height - depthOf(network, head), head.height);
}
