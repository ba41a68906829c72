import type { Db } from "@/db/client";
import {
  type Cursor,
  type CursorPoint,
  findBlock,
  findCursor,
  findLowestBlock,
  findOldestUnreadQuoteTime,
  updateHead,
} from "@/db/queries/networks/cursors";
import { requireTimeOrder } from "@/lib/chains/endpoints/heights";
import { type BlockSource, ChainError, type SeenHead } from "@/lib/chains/endpoints/source";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import type { Block, Head } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { Log } from "@/lib/log";
import { type NextSpan, nextSpan, settledHeight } from "@/lib/watch/blocks/next-span";
import { rewindNetwork } from "@/lib/watch/blocks/rewind-network";
import {
  commitScan,
  type Finder,
  growSpan,
  noteSingle,
  readAddresses,
  type ScanMemory,
  type ScannedSpan,
  type ScanStep,
  shrinkSpan,
  takeAddresses,
} from "@/lib/watch/scan/scan-state";
import { verifyFrom } from "@/lib/watch/scan/verify-pass";

export interface Scanner extends Finder {
  memory: ScanMemory;
  log: Log;
  /** The base URL of links in notifications to merchants. */
  publicUrl: string;
  /** True if the network is not in the active polling tier: all blocks since the last read are read in one range. */
  isIdle?: boolean;
  /** The accepted age of the final height, in milliseconds. If omitted, the final height must be as new as the head. */
  finalMayBeMs?: number;
}

/** A step and its dependencies. */
interface Step {
  db: Db;
  source: BlockSource;
  /** The network with its current block time. */
  network: Network;
  scanner: Scanner;
  head: SeenHead;
  now: Date;
}
type Point = { height: number; hash: string };
/** The results of a read, before its step is complete. */
type ReadSpan = Omit<ScannedSpan, "seen">;

/**
 * Runs one step of reading a network: the next block or range after the cursor is written to the ledger, or a reorg is rolled back. It is
 * safe to repeat and to run concurrently: only the holder of the lease writes, and only if the cursor has not moved since it was read.
 * @throws ChainError if the endpoints returned no trustworthy response; the cursor is then unchanged
 */
export async function scanNetwork(
  db: Db,
  source: BlockSource,
  network: Network,
  scanner: Scanner,
  now: Date,
): Promise<ScanStep> {
  const cursor = await findCursor(db, network.id);
  const at = toPoint(cursor);
  const { finalMayBeMs = 0 } = scanner;
  const head = await source.head({ known: at, finalMayBeMs });
  const step = { db, source, network: atBlockTime(network, head.blockMs), scanner, head, now };
  const done = at ? await goOn(step, at) : await begin(step);
  if (done.kind !== "lostLease" && !done.isHeadStored)
    await updateHead(db, network.id, scanner.owner, { head, isCaughtUp: done.isCaughtUp }, now);
  return done;
}

function toPoint(cursor: Cursor | null): Point | null {
  if (cursor?.height == null || cursor.hash === null) return null;
  return { height: cursor.height, hash: cursor.hash };
}

async function begin(step: Step): Promise<ScanStep> {
  const { db, source, network, scanner, head } = step;
  const start = await findStart(db, source, network, head);
  const from = { height: null, hash: null };
  const { blockMs } = network;
  const scanned = { from, to: start, blocks: [start], transfers: [], keepFrom: start.height, blockMs };
  const done = await write(step, scanned, new Map(), start.height === head.height);
  scanner.log.info(
    { network: network.id, after: start.height, head: head.height },
    "this network is read from the next block on",
  );
  return done;
}

async function goOn(step: Step, cursor: Point): Promise<ScanStep> {
  const { db, source, network, scanner, head, now } = step;
  if (await isContradicted(step, cursor)) return takeBack(step, cursor, head);
  const span = nextSpan(network, head, cursor.height, scanner.memory.spanBlocks, scanner.isIdle);
  if (!span) return { kind: "idle", head, isCaughtUp: head.height >= cursor.height, found: 0 };
  scanner.memory.verifiedTo ??= (await findLowestBlock(db, network.id))?.height ?? cursor.height;
  const first = span.from === head.height ? head : (head.next ?? (await source.block({ height: span.from })));
  if (!first) throw new ChainError("inconsistent", `The head is ${head.height}, but block ${span.from} is missing`);
  if (first.parentHash !== cursor.hash) return takeBack(step, cursor, first);
  const addresses = await readAddresses(db, network, scanner.memory, now);
  const scanned = await readSpan(source, network, scanner.memory, { cursor, first, head, span, addresses });
  if (!scanned) return { kind: "advanced", head, isCaughtUp: false, found: 0 };
  const to = span.isLast ? scanned.to : await atEarliestTime(source, scanned.to);
  return write(step, { ...scanned, to }, addresses, span.isLast);
}

/**
 * Returns the end of a past range with the earliest time that any endpoint reports for it. Orders expire by the cursor's time, and a
 * single endpoint could set it to the time of a block that is not read yet.
 */
async function atEarliestTime(source: BlockSource, block: CursorPoint): Promise<CursorPoint> {
  if (source.endpoints.length < 2) return block;
  const times = (await source.blockTimes(block)).map((time) => time.getTime());
  return { ...block, time: new Date(Math.min(block.time.getTime(), ...times)) };
}

/**
 * Returns true if the chain contradicts the ledger. A lower head only means a node that lags, unless its block differs
 * from the one read at that height.
 */
async function isContradicted({ db, network, head }: Step, cursor: Point): Promise<boolean> {
  if (head.height > cursor.height) return false;
  if (head.height === cursor.height) return head.hash !== cursor.hash;
  const known = await findBlock(db, network.id, head.height);
  return known !== null && known.hash !== head.hash;
}

async function write(
  { db, network, scanner, head, now }: Step,
  scanned: ReadSpan,
  addresses: ReadonlyMap<string, string>,
  isCaughtUp: boolean,
): Promise<ScanStep> {
  const span = { ...scanned, seen: { head, isCaughtUp } };
  const found = await commitScan(db, network, scanner, span, addresses, now);
  if (found === null) return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
  return { kind: "advanced", head, isCaughtUp, found, isHeadStored: true };
}

async function takeBack(
  { db, source, network, scanner, head, now }: Step,
  cursor: Point,
  { height }: Block,
): Promise<ScanStep> {
  const { memory, ...ctx } = scanner;
  const evidence = await source.block({ height, mustVerifyChainId: true });
  if (!evidence)
    throw new ChainError("inconsistent", `Block ${height} contradicted the blocks read earlier and no longer exists`);
  const ancestor = await rewindNetwork(db, source, network, { ...ctx, cursor, evidence }, now);
  if (!ancestor) return { kind: "lostLease", head, isCaughtUp: false, found: 0 };
  verifyFrom(memory, ancestor.height);
  return { kind: "rewound", head, isCaughtUp: false, found: 0 };
}

const MARGIN_MS = 600_000;

/**
 * Returns the block after which a new network is read. This is the newest block that no reorg can reach or, if payers are already waiting,
 * the last block well before the oldest live quote was created. It is found by block times, because heights are a poor measure of time.
 */
export async function findStart(db: Db, source: BlockSource, network: Network, head: Head): Promise<Block> {
  const settled = await source.block({ height: Math.max(0, settledHeight(network, head)), mustVerifyChainId: true });
  if (!settled) throw new ChainError("inconsistent", `${network.name}: the newest final block is missing`);
  const oldest = await findOldestUnreadQuoteTime(db, network.id);
  return oldest ? firstBlockAfter(source, settled, new Date(oldest.getTime() - MARGIN_MS)) : settled;
}

/** Returns the first block after `time`, up to `newest`. If all blocks are later, returns the oldest block that the endpoints have. */
async function firstBlockAfter(source: BlockSource, newest: Block, time: Date): Promise<Block> {
  if (newest.time <= time) return newest;
  let tooOld = -1;
  let found = newest;
  while (found.height - tooOld > 1) {
    const block = await source.block({ height: Math.floor((tooOld + found.height) / 2), mustVerifyChainId: true });
    if (block && block.time > time) found = block;
    else tooOld = Math.floor((tooOld + found.height) / 2);
  }
  return found;
}

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
 * logs: if the chain changes in between, the next step detects it by the parent hash.
 * @returns null when the span was too large; a smaller one is tried at the next step
 */
export async function readSpan(
  source: BlockSource,
  network: Network,
  memory: ScanMemory,
  task: Task,
): Promise<ReadSpan | null> {
  const { cursor, first, head, span } = task;
  const receivers = takeAddresses(task.addresses);
  const last = await lastBlock(source, task);
  requireTimeOrder("timestamp", first, last);
  requireTimeOrder("timestamp", last, head);
  const { blockMs } = network;
  const keepFrom = Math.min(settledHeight(network, head), memory.verifiedTo ?? Number.POSITIVE_INFINITY);
  if (span.from === span.to && !span.again) {
    const transfers = await source.transfers({ blockHash: first.hash, height: first.height }, receivers);
    noteSingle(memory);
    return { from: cursor, to: first, blocks: [first], transfers, keepFrom, countedFrom: first.height, blockMs };
  }
  const range = { from: Math.max(0, span.from - (span.again ?? 0)), to: span.to };
  const transfers = await readRange(memory, range, () => source.transfers(range, receivers));
  if (!transfers) return null;
  for (const block of [first, last]) requireSameBlock(transfers, block);
  const blocks = span.from === span.to ? [last] : [first, last];
  return { from: cursor, to: last, blocks, transfers, keepFrom, countedFrom: last.height, blockMs };
}

async function lastBlock(source: BlockSource, { first, head, span }: Task): Promise<Block> {
  if (span.to === first.height) return first;
  const last = span.to === head.height ? head : await source.block({ height: span.to });
  if (last) return last;
  throw new ChainError("inconsistent", `The head is ${head.height}, but block ${span.to} is missing`);
}

/**
 * Reads a range of heights, and adjusts the size of the next range by the result.
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
      `Transfer ${misdirected.txId} has a different hash for block ${block.height} than the chain`,
    );
}
