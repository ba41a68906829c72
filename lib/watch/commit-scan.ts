import type { Db } from "@/db/client";
import {
  type AccountCursor,
  type CursorPoint,
  insertBlocks,
  lockCursor,
  pruneBlocks,
  updateAccountCursors,
  updateCursor,
} from "@/db/queries/networks/cursors";
import {
  insertScannedTransfers,
  insertUnreadable,
  resolveUnreadable,
  type UnreadableTransaction,
} from "@/db/queries/transfers/scanned-transfers";
import type { Block } from "@/lib/domain/networks/finality";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

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
  owner: string,
  span: ScannedSpan,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    if (!(await updateCursor(tx, network, owner, span.from, span.to))) return null;
    await insertBlocks(tx, network, span.blocks);
    await pruneBlocks(tx, network, span);
    return insertFound(tx, network, span, addresses, now);
  });
}

/** The same where the network's cursor does not move. */
export async function commitVerified(
  db: Db,
  network: string,
  owner: string,
  aside: VerifiedTransfers,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    if (!(await lockCursor(tx, network, owner, aside.from))) return null;
    return insertFound(tx, network, aside, addresses, now);
  });
}

async function insertFound(
  tx: Db,
  network: string,
  { transfers, accounts = [], unreadable = [], readable = [] }: VerifiedTransfers,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  await updateAccountCursors(tx, network, accounts);
  await insertUnreadable(tx, network, unreadable, addresses, now);
  await resolveUnreadable(tx, network, readable, now);
  return insertScannedTransfers(tx, transfers, addresses, now);
}
