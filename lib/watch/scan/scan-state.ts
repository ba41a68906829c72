import type { Db } from "@/db/client";
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
  updateCursor,
} from "@/db/queries/networks/cursors";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import { firstIdAt } from "@/lib/domain/id";
import type { Block, Head } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";
import type { VerifyMemory } from "@/lib/watch/scan/verify-pass";

const FIRST_SPAN = 2_000;
const LONGEST_SPAN = 10_000;
const SINGLES_BEFORE_TRYING_TWO = 50;
/** What was refused may have been one crowded range, and limits change; but each try costs a step. */
const ANSWERS_BEFORE_TRYING_MORE = 200;
const RELOAD_EVERY_MS = 600_000;
/** Ids are made before their rows are committed: this much is read again every time. */
const OVERLAP_MS = 300_000;

/** The receiving addresses of a network, as far as they were read. */
export interface AddressMemory {
  /** Receiving address → id of its row. */
  addresses: Map<string, string>;
  /** When all of them were read. */
  addressesLoadedAt: Date | null;
  /** When the new ones were read. */
  addressesReadAt: Date | null;
}

/** What a scanner of one network remembers between its steps. All of it can be lost at any time. */
export interface ScanMemory extends AddressMemory, VerifyMemory {
  /** Blocks that one log query may span, as far as is known. */
  spanBlocks: number;
  /** The longest range that was answered since a shorter one was refused; 0 before the first. */
  answeredBlocks: number;
  /** The shortest range that was refused lately. */
  refusedBlocks: number | null;
  /** Ranges answered, or single blocks read, since the last refusal. */
  answersSinceRefusal: number;
}

/** The memory of a scanner that starts. */
export function newScanMemory(): ScanMemory {
  return {
    spanBlocks: FIRST_SPAN,
    answeredBlocks: 0,
    refusedBlocks: null,
    answersSinceRefusal: 0,
    addresses: new Map(),
    addressesLoadedAt: null,
    addressesReadAt: null,
    verifiedTo: null,
    verifyPasses: new Map(),
  };
}

/** A node refused `blocks` at once: what it answered before is tried next, or half of them. */
export function shrinkSpan(memory: ScanMemory, blocks: number): void {
  if (memory.answeredBlocks >= blocks) memory.answeredBlocks = 0;
  memory.refusedBlocks = blocks;
  memory.answersSinceRefusal = 0;
  memory.spanBlocks = Math.max(1, memory.answeredBlocks || Math.floor(blocks / 2));
}

/**
 * A node answered `blocks` at once: if that was all it was allowed, twice as many are tried next, or, where that was
 * refused lately, half-way to what was refused. So the longest range that a node takes is soon found, and kept to.
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

/** A block was read by itself. Where ranges were given up, two at once are tried again after a while. */
export function noteSingle(memory: ScanMemory): void {
  if (memory.spanBlocks > 1) return;
  memory.answersSinceRefusal += 1;
  if (memory.answersSinceRefusal >= SINGLES_BEFORE_TRYING_TWO) memory.spanBlocks = 2;
}

/**
 * The receiving addresses of a network with the ids of their rows; only new ones are read. Call it after the head was
 * read: whoever was paid in a block up to that head is in it then.
 */
export async function readAddresses(
  db: Db,
  network: string,
  memory: AddressMemory,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const loadedAt = memory.addressesLoadedAt;
  const isFull = loadedAt === null || now.getTime() - loadedAt.getTime() >= RELOAD_EVERY_MS;
  // From the last read and not from now: nodes or the database may have been away for longer than the overlap.
  const readAt = memory.addressesReadAt ?? now;
  const afterId = isFull ? "" : firstIdAt(new Date(readAt.getTime() - OVERLAP_MS));
  for (const row of await listWatchedAddresses(db, network, afterId)) memory.addresses.set(row.address, row.id);
  if (isFull) memory.addressesLoadedAt = now;
  memory.addressesReadAt = now;
  return memory.addresses;
}

/** What one step of a scan found. */
export interface ScannedSpan {
  from: { height: number | null; hash: string | null };
  to: CursorPoint;
  /** Blocks whose hashes become evidence. */
  blocks: readonly Block[];
  transfers: readonly ChainTransfer[];
  /** Hashes below this height are not needed any more. */
  keepFrom: number;
  /** Where what is final may yet change: merchants who wait for more confirmations count them down from here. */
  countedFrom?: number;
  /** How long a block takes now. */
  blockMs: number;
  /** Where a network is read by accounts: how far each of these is read. */
  accounts?: readonly AccountCursor[];
  /** Transactions that nobody could show, to be kept for a person. */
  unreadable?: readonly UnreadableTransaction[];
  /** Ids of transactions that could be read; those that were kept for a person no longer are. */
  readable?: readonly string[];
}

/**
 * The result of one step. `advanced`: blocks were read; `rewound`: a reorg was taken back, or blocks are
 * read once more; `idle`: nothing to read; `lostLease`: another worker scans this network, nothing was written.
 */
export interface ScanStep {
  kind: "advanced" | "rewound" | "idle" | "lostLease";
  head: Head;
  /** True if the cursor has reached the newest block that can be read. */
  isCaughtUp: boolean;
  /** Transfers that were new or changed. */
  found: number;
}

/** Who writes what was found. */
export interface Finder {
  /** Who holds the network's lease. */
  owner: string;
  /**
   * By which what was found is stamped: a step may have begun long before, where a node was slow or the process stood still, and
   * nobody sees a payment before it is made. Left out: when the step began.
   */
  clock?: () => Date;
}

/** Transfers that were found without the network's cursor moving: it stays at `from`, or wherever it is. */
export interface VerifiedTransfers extends Pick<ScannedSpan, "transfers" | "accounts" | "unreadable" | "readable"> {
  from?: ScannedSpan["from"];
}

/**
 * Writes transfers, block hashes and the cursor in one transaction, or nothing at all when `owner` lost the right to
 * scan or the cursor was moved meanwhile.
 * @returns how many transfers were new or changed; null when nothing was written
 */
export async function commitScan(
  db: Db,
  network: string,
  { owner, clock }: Finder,
  span: ScannedSpan,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    if (!(await updateCursor(tx, network, owner, span.from, span.to, now))) return null;
    await insertBlocks(tx, network, span.blocks);
    await pruneBlocks(tx, network, span);
    return insertFound(tx, network, span, addresses, clock?.() ?? now);
  });
}

/** The same where the network's cursor does not move. */
export async function commitVerified(
  db: Db,
  network: string,
  { owner, clock }: Finder,
  aside: VerifiedTransfers,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    if (!(await lockCursor(tx, network, owner, aside.from))) return null;
    return insertFound(tx, network, aside, addresses, clock?.() ?? now);
  });
}

async function insertFound(
  tx: Db,
  network: string,
  { transfers, accounts, unreadable, readable }: VerifiedTransfers,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  if (accounts) await updateAccountCursors(tx, network, accounts);
  if (unreadable) await insertUnreadable(tx, network, unreadable, addresses, now);
  if (readable) await resolveUnreadable(tx, network, readable, now);
  return insertScannedTransfers(tx, transfers, addresses, now);
}
