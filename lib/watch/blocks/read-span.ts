import { ChainError, type ChainSource } from "@/lib/chains/endpoints/source";
import { blocksIn, isReadByRange, type Network } from "@/lib/domain/networks";
import { type Block, type ChainHeight, depthOf, type FinalityRule, type Head } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { ScannedSpan } from "@/lib/watch/commit-scan";
import { growSpan, noteSingle, type ScanMemory, shrinkSpan } from "@/lib/watch/scan-memory";
import type { Range } from "@/lib/watch/verify-pass";

interface Task {
  cursor: { height: number; hash: string };
  /** The first block of the span; its parent is the cursor. */
  first: Block;
  head: Head;
  span: NextSpan;
  addresses: ReadonlyMap<string, string>;
}

/**
 * Reads the transfers of a span, tied to the hashes of its blocks. The header of the last block is read before the
 * logs: should the chain change in between, the next step sees it by the parent hash.
 * @returns null when the span was too large; a smaller one is tried at the next step
 */
export async function readSpan(
  source: ChainSource,
  network: Network,
  memory: ScanMemory,
  task: Task,
): Promise<ScannedSpan | null> {
  const { cursor, first, head, span } = task;
  const receivers = new Set(task.addresses.keys());
  const last = await lastBlock(source, task);
  const { blockMs } = network;
  const keepFrom = Math.min(settledHeight(network, head), memory.verifiedTo ?? Number.POSITIVE_INFINITY);
  if (span.from === span.to) {
    const transfers = await source.transfers({ blockHash: first.hash, height: first.height }, receivers);
    noteSingle(memory);
    return { from: cursor, to: first, blocks: [first], transfers, keepFrom, countedFrom: first.height, blockMs };
  }
  const transfers = await readRange(memory, span, () => source.transfers({ from: span.from, to: span.to }, receivers));
  if (!transfers) return null;
  for (const block of [first, last]) requireSameBlock(transfers, block);
  return { from: cursor, to: last, blocks: [first, last], transfers, keepFrom, countedFrom: last.height, blockMs };
}

async function lastBlock(source: ChainSource, { first, head, span }: Task): Promise<Block> {
  if (span.to === first.height) return first;
  const last = span.to === head.height ? head : await source.block({ height: span.to });
  if (last) return last;
  throw new ChainError("inconsistent", `The head is ${head.height}, but block ${span.to} is missing`);
}

/**
 * Reads a range of heights; learns from the answer how much may be asked at once.
 * @returns null when it was too large
 */
export async function readRange<T>(
  memory: ScanMemory,
  { from, to }: { from: number; to: number },
  read: () => Promise<T>,
): Promise<T | null> {
  const blocks = to - from + 1;
  try {
    const found = await read();
    growSpan(memory, blocks);
    return found;
  } catch (error) {
    if (!(error instanceof ChainError) || error.kind !== "rangeTooLarge") throw error;
    shrinkSpan(memory, blocks);
    return null;
  }
}

function requireSameBlock(transfers: readonly ChainTransfer[], block: Block): void {
  const misdirected = transfers.find(
    ({ blockHeight, blockHash }) => blockHeight === block.height && blockHash !== block.hash,
  );
  if (misdirected)
    throw new ChainError(
      "inconsistent",
      `Transfer ${misdirected.txId} is in another block ${block.height} than the chain has`,
    );
}

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

interface PiecesRead {
  transfers: ChainTransfer[];
  /** Up to here everything was read. */
  to: number;
  /** Why it was not read to the end; null when it was. */
  failure: ChainError | null;
}

/**
 * Reads a range in pieces as large as the endpoint takes: half as many blocks where they are too many at once, twice as
 * many where they are not, down to single blocks. What it is known not to take costs no call.
 */
export async function readPieces(
  { from, to }: Range,
  read: (piece: Range) => Promise<ChainTransfer[]>,
): Promise<PiecesRead> {
  const transfers: ChainTransfer[] = [];
  let [next, blocks] = [from, to - from + 1];
  while (next <= to) {
    const piece = { from: next, to: Math.min(to, next + blocks - 1) };
    try {
      transfers.push(...(await read(piece)));
      next = piece.to + 1;
      blocks *= 2;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      if (!isTooMuch(error) || piece.from === piece.to) return { transfers, to: next - 1, failure: error };
      blocks = Math.floor((piece.to - piece.from + 1) / 2);
    }
  }
  return { transfers, to, failure: null };
}

function isTooMuch({ kind }: ChainError): boolean {
  return kind === "rangeTooLarge" || kind === "refused";
}
