import type { Db } from "@/db/client";
import type { AccountSource, ChainError } from "@/lib/chains/endpoints/source";
import { blocksIn, type Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import type { Log } from "@/lib/log";
import type { AddressMemory, Finder } from "@/lib/watch/scan/scan-state";
import type { VerifyMemory } from "@/lib/watch/scan/verify-pass";

/** What a scanner of Solana remembers between its steps. All of it can be lost at any time. */
export interface AccountMemory extends AddressMemory, VerifyMemory {
  /** Receiving address → its token accounts. */
  accounts: Map<string, readonly string[]>;
  /** Transactions that are in the ledger and not yet final, with their slots. */
  known: Map<string, number>;
  /** Those of them that nobody could show, as long as they are not final. */
  unreadable: Map<string, UnreadableKnown>;
  /** Where the ledger stood when accounts were last looked for because much was to be caught up; -1 at its beginning. */
  searchedAt: number | null;
  /** Whether the ledger is known to stand where a reading by whole blocks ended. */
  isBySlots: boolean;
  /** The block up to which whole blocks were read a second time; null while histories are read. */
  slotVerifiedTo: SlotPoint | null;
  /** When the next of them may be read. */
  verifyAfter: Date;
  /** Since when somebody has had a transaction (its signature) or a block, and nobody could show it. */
  doubts: Map<string, Date>;
  /** Until when histories are read because whole blocks could not be; null when they can. */
  instead: { until: Date; waitMs: number } | null;
}

/** A transaction that nobody can show: whose account's history names it later is told, too. */
export interface UnreadableKnown {
  slot: number;
  /** What the endpoints say, in words. */
  reason: string;
  /** The accounts that it is kept for. */
  accounts: ReadonlySet<string>;
}

/** A block by its slot and hash. */
export interface SlotPoint {
  height: number;
  hash: string;
}

/** The memory of a scanner that starts. */
export function newAccountMemory(): AccountMemory {
  return {
    addresses: new Map(),
    addressesLoadedAt: null,
    addressesReadAt: null,
    accounts: new Map(),
    known: new Map(),
    unreadable: new Map(),
    searchedAt: null,
    verifiedTo: null,
    verifyPasses: new Map(),
    isBySlots: false,
    slotVerifiedTo: null,
    verifyAfter: new Date(0),
    doubts: new Map(),
    instead: null,
  };
}

/** An endpoint that can show it may only be late, or away for a moment. */
const DOUBT_MS = 60_000;
/** Instead of a block histories can be read, only at a higher price. */
export const BLOCK_DOUBT_MS = 10_000;
const DOUBT_FORGOTTEN_MS = 3_600_000;

/**
 * Whether it counts as proven that something cannot be read: every endpoint there is said that it has it and cannot show
 * it, or some did and for a while none showed it.
 */
export function isProven(
  { doubts }: Pick<AccountMemory, "doubts">,
  what: string,
  { isUnanimous }: ChainError,
  now: Date,
  doubtMs = DOUBT_MS,
): boolean {
  for (const [old, since] of doubts) if (now.getTime() - since.getTime() >= DOUBT_FORGOTTEN_MS) doubts.delete(old);
  const since = doubts.get(what) ?? now;
  doubts.set(what, since);
  return isUnanimous || now.getTime() - since.getTime() >= doubtMs;
}

export interface AccountScanner extends Finder {
  memory: AccountMemory;
  log: Log;
  /** For links in what merchants are told. */
  publicUrl: string;
  /** Up to so many token accounts are read by their histories; more are read by whole blocks. */
  mostAccounts?: number;
  /** Nobody waits: what may wait longer does. */
  isIdle?: boolean;
  /** How old the slot that is final may be, in milliseconds; left out: as new as the head. */
  finalMayBeMs?: number;
}

/** Where the ledger stands; nulls before the first reading. */
export type At = { height: number; hash: string } | { height: null; hash: null };

/** One step and all it works with. */
export interface AccountStep {
  db: Db;
  source: AccountSource;
  /** At its block time as it is now. */
  network: Network;
  scanner: AccountScanner;
  at: At;
  head: Head;
  /** Receiving address → id of its row. */
  addresses: ReadonlyMap<string, string>;
  now: Date;
}

const FAR_BEHIND_MS = 600_000;

/** Whether so much is to be read that histories are far cheaper than slots: a pause, or the very beginning. */
export function isFarBehind({ at, head, network }: Pick<AccountStep, "at" | "head" | "network">): boolean {
  return at.height === null || head.height - at.height > blocksIn(FAR_BEHIND_MS, network);
}

/** The slot at and below which no fork is expected. */
export function finalSlot(head: Head): number {
  return head.finalizedHeight ?? head.height;
}
