import type { Db } from "@/db/client";
import { allEnded } from "@/db/pipeline";
import {
  type AccountCursor,
  insertUnreadable,
  resolveUnreadable,
  type UnreadableTransaction,
  updateAccountCursors,
} from "@/db/queries/networks/accounts";
import {
  type CursorPoint,
  insertBlocks,
  listWatchedAddresses,
  lockCursor,
  pruneBlocks,
  type SeenHead,
  updateCursor,
} from "@/db/queries/networks/cursors";
import { insertRefundTransfers, listRefundAddresses } from "@/db/queries/refunds/refund-transfers";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import type { AddressSet } from "@/lib/chains/endpoints/source";
import { firstIdAt } from "@/lib/domain/id";
import type { Network } from "@/lib/domain/networks";
import type { Block, Head } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { VerifyMemory } from "@/lib/watch/scan/verify-pass";

const FIRST_SPAN = 2_000;
const LONGEST_SPAN = 10_000;
const SINGLES_BEFORE_TRYING_TWO = 50;
/**
 * The number of responses after which longer ranges are tried again. The refused range may have contained unusually many logs, and limits
 * change, but each attempt costs a step.
 */
const ANSWERS_BEFORE_TRYING_MORE = 200;
const RELOAD_EVERY_MS = 600_000;
/**
 * The overlap of reads by id: ids are created before their rows are committed, so this period is read again every time.
 */
const OVERLAP_MS = 300_000;

/** The watched addresses of a network, as last read: its receiving addresses, and the addresses of approved refunds. */
export interface AddressMemory {
  /** The row id of each receiving address; empty for an address that only refunds have. */
  addresses: Map<string, string>;
  /** The addresses that only refunds have. */
  refundAddresses: ReadonlySet<string>;
  /** The time when all addresses were last read. */
  addressesLoadedAt: Date | null;
  /** The time when new addresses were last read. */
  addressesReadAt: Date | null;
}

/** The state that the scanner of one network keeps between its steps. It can be lost at any time. */
export interface ScanMemory extends AddressMemory, VerifyMemory {
  /** The number of blocks that one log query may span, as currently known. */
  spanBlocks: number;
  /** The longest accepted range since a shorter one was refused; 0 before the first. */
  answeredBlocks: number;
  /** The shortest range that was refused recently. */
  refusedBlocks: number | null;
  /** The number of accepted ranges or single blocks since the last refusal. */
  answersSinceRefusal: number;
}

/** Returns the initial state of a scanner. */
export function newScanMemory(): ScanMemory {
  return {
    spanBlocks: FIRST_SPAN,
    answeredBlocks: 0,
    refusedBlocks: null,
    answersSinceRefusal: 0,
    addresses: new Map(),
    refundAddresses: new Set(),
    addressesLoadedAt: null,
    addressesReadAt: null,
    verifiedTo: null,
    verifyPasses: new Map(),
  };
}

/** Records that a node refused a range of `blocks`. The range that it accepted before is tried next, or half as many blocks. */
export function shrinkSpan(memory: ScanMemory, blocks: number): void {
  if (memory.answeredBlocks >= blocks) memory.answeredBlocks = 0;
  memory.refusedBlocks = blocks;
  memory.answersSinceRefusal = 0;
  memory.spanBlocks = Math.max(1, memory.answeredBlocks || Math.floor(blocks / 2));
}

/**
 * Records that a node accepted a range of `blocks`. If that was the whole limit, twice as many blocks are tried next, or the midpoint to a
 * range that was refused recently. This finds the longest accepted range quickly, and it stays in use.
 */
export function growSpan(memory: ScanMemory, blocks: number): void {
  if (blocks < memory.spanBlocks) return;
  memory.answeredBlocks = blocks;
  memory.answersSinceRefusal += 1;
  if (memory.answersSinceRefusal >= ANSWERS_BEFORE_TRYING_MORE) memory.refusedBlocks = null;
  const { refusedBlocks } = memory;
  const isBelow = refusedBlocks !== null && blocks < refusedBlocks;
  memory.spanBlocks = Math.min(LONGEST_SPAN, isBelow ? Math.floor((blocks + refusedBlocks) / 2) : blocks * 2);
}

/** Records that a single block was read. If ranges are no longer used, a range of two blocks is tried again after a while. */
export function noteSingle(memory: ScanMemory): void {
  if (memory.spanBlocks > 1) return;
  memory.answersSinceRefusal += 1;
  if (memory.answersSinceRefusal >= SINGLES_BEFORE_TRYING_TWO) memory.spanBlocks = 2;
}

/**
 * Returns the watched addresses of a network with their ids. Of the receiving addresses, only new ones are read; the addresses of refunds
 * are few, and are all read. Must be called after the head was read, so that it includes every address paid in a block up to that head.
 */
export async function readAddresses(
  db: Db,
  network: ScannedNetwork,
  memory: AddressMemory,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const loadedAt = memory.addressesLoadedAt;
  const isFull = loadedAt === null || now.getTime() - loadedAt.getTime() >= RELOAD_EVERY_MS;
  // The overlap ends at the time of the last read, not now, because nodes or the database may have been down for longer than the overlap.
  const readAt = memory.addressesReadAt ?? now;
  const afterId = isFull ? "" : firstIdAt(new Date(readAt.getTime() - OVERLAP_MS));
  const [rows, ofRefunds] = await Promise.all([
    listWatchedAddresses(db, network.id, afterId),
    listRefundAddresses(db, network.family, now),
  ]);
  for (const row of rows) memory.addresses.set(row.address, row.id);
  if (isFull) memory.addressesLoadedAt = now;
  memory.addressesReadAt = now;
  updateRefundAddresses(memory, ofRefunds);
  return memory.addresses;
}

/**
 * The number of addresses up to which they are copied for a read. It exceeds the number of addresses in a filter of logs: a shared set of
 * about that size could shrink between a filter and the check of its logs, which would then seem not to be requested.
 */
const MAX_COPIED = 1_000;

/**
 * Returns the addresses of one read. Few are copied, because a concurrent read may remove addresses of refunds that ended. More are shared:
 * copying thousands of them would take longer than reading a block.
 */
export function takeAddresses(addresses: ReadonlyMap<string, string>): AddressSet {
  return addresses.size > MAX_COPIED ? addresses : new Set(addresses.keys());
}

function updateRefundAddresses(memory: AddressMemory, found: readonly string[]): void {
  for (const address of memory.refundAddresses)
    if (memory.addresses.get(address) === "") memory.addresses.delete(address);
  memory.refundAddresses = new Set(found.filter((address) => !memory.addresses.has(address)));
  for (const address of memory.refundAddresses) memory.addresses.set(address, "");
}

/** The results of one step of a scan. */
export interface ScannedSpan {
  from: { height: number | null; hash: string | null };
  to: CursorPoint;
  /** The blocks whose hashes are stored, to detect reorgs. */
  blocks: readonly Block[];
  transfers: readonly ChainTransfer[];
  /** The height below which hashes are no longer needed. */
  keepFrom: number;
  /**
   * The height from which the confirmations that merchants require are counted down, if final blocks may still change.
   */
  countedFrom?: number;
  /** The current duration of a block. */
  blockMs: number;
  /** The head of the step. */
  seen: SeenHead;
  /** The new positions of accounts, if a network is read by accounts. */
  accounts?: readonly AccountCursor[];
  /** The transactions that no endpoint could return, stored for manual review. */
  unreadable?: readonly UnreadableTransaction[];
  /** The ids of transactions that could be read; they no longer need manual review. */
  readable?: readonly string[];
}

/**
 * The result of one step. `advanced`: blocks were read; `rewound`: a reorg was rolled back, or blocks are read once
 * more; `idle`: nothing to read; `lostLease`: another worker scans this network, nothing was written.
 */
export interface ScanStep {
  kind: "advanced" | "rewound" | "idle" | "lostLease";
  head: Head;
  /** True if the cursor has reached the newest block that can be read. */
  isCaughtUp: boolean;
  /** The number of transfers that were new or changed. */
  found: number;
  /** True if the head was stored together with the blocks. */
  isHeadStored?: true;
}

type ScannedNetwork = Pick<Network, "id" | "family">;

/** The worker that writes the results. */
export interface Finder {
  /** The name of the worker that holds the network's lease. */
  owner: string;
  /**
   * The clock for the time when transfers are found. A step may have started long before, if a node was slow or the process was suspended,
   * and a payment must not be recorded before it was made. Defaults to the start of the step.
   */
  clock?: () => Date;
}

/**
 * The transfers that were found without moving the network's cursor: it stays at `from`, or at its current position.
 */
export interface VerifiedTransfers extends Pick<ScannedSpan, "transfers" | "accounts" | "unreadable" | "readable"> {
  from?: ScannedSpan["from"];
}

/**
 * Writes transfers, block hashes and the cursor in one transaction. Writes nothing if `owner` lost the right to scan or the cursor was
 * moved in the meantime.
 * @returns the number of transfers that were new or changed; null when nothing was written
 */
export async function commitScan(
  db: Db,
  network: ScannedNetwork,
  { owner, clock }: Finder,
  span: ScannedSpan,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  const work = async (tx: Db) => {
    const [isMine, , , found] = await allEnded([
      updateCursor(tx, network.id, owner, span.from, span.to, now, span.seen),
      insertBlocks(tx, network.id, span.blocks),
      pruneBlocks(tx, network.id, span),
      insertFound(tx, network, span, addresses, clock?.() ?? now),
    ]);
    if (!isMine) throw new NotMine();
    return found;
  };
  return db.transaction(work).catch((error: unknown) => {
    if (error instanceof NotMine) return null;
    throw error;
  });
}

/** Rolls back a transaction of a worker that may not write. */
class NotMine extends Error {}

/** Writes transfers without moving the network's cursor. */
export async function commitVerified(
  db: Db,
  network: ScannedNetwork,
  { owner, clock }: Finder,
  aside: VerifiedTransfers,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    if (!(await lockCursor(tx, network.id, owner, aside.from))) return null;
    return insertFound(tx, network, aside, addresses, clock?.() ?? now);
  });
}

async function insertFound(
  tx: Db,
  network: ScannedNetwork,
  { transfers, accounts, unreadable, readable }: VerifiedTransfers,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  const [refunds, scanned] = await allEnded([
    insertRefundTransfers(tx, network, transfers, now),
    insertScannedTransfers(tx, transfers, addresses, now),
    accounts && updateAccountCursors(tx, network.id, accounts),
    unreadable && insertUnreadable(tx, network.id, unreadable, addresses, now),
    readable && resolveUnreadable(tx, network.id, readable, now),
  ]);
  return refunds + scanned;
}
