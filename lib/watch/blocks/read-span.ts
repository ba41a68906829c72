import { ChainError, type ChainSource } from "@/lib/chains/endpoints/source";
import type { Network } from "@/lib/domain/networks";
import type { Block, Head } from "@/lib/domain/networks/block";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import { type NextSpan, settledHeight } from "@/lib/watch/blocks/next-span";
import { growSpan, noteSingle, type ScanMemory, shrinkSpan } from "@/lib/watch/blocks/scan-memory";
import type { ScannedSpan } from "@/lib/watch/commit-scan";

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
