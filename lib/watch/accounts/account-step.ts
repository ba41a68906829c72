import type { Db } from "@/db/client";
import type { AccountSource, ChainError } from "@/lib/chains/endpoints/source";
import { blocksIn, type Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import type { Log } from "@/lib/log";
import type { AddressMemory, Finder } from "@/lib/watch/scan/scan-state";
import type { VerifyMemory } from "@/lib/watch/scan/verify-pass";

/** The state that a Solana scanner keeps between its steps. It can be lost at any time. */
export interface AccountMemory extends AddressMemory, VerifyMemory {
  /** The token accounts of each receiving address. */
  accounts: Map<string, readonly string[]>;
  /** The transactions that are in the ledger and not yet final, with their slots. */
  known: Map<string, number>;
  /** The known transactions that no endpoint can return, while they are not final. */
  unreadable: Map<string, UnreadableKnown>;
  /** The ledger's height at the last search for accounts before a long catch-up; -1 before the first read. */
  searchedAt: number | null;
  /** True if the scanner reads whole blocks; false before it first does, and while histories are read. */
  isBySlots: boolean;
  /** True while the scanner reads whole blocks; false before the first read of whole blocks, and while histories are read. */
  slotVerifiedTo: SlotPoint | null;
  /** The time from which the next block may be read a second time. */
  verifyAfter: Date;
  /**
   * The times since which transactions (by signature) or blocks have been in doubt: an endpoint has the data, but no endpoint could return
   * it.
   */
  doubts: Map<string, Date>;
  /** The time until which histories are read because whole blocks are unreadable; null when they are readable. */
  instead: { until: Date; waitMs: number } | null;
}

/** A transaction that no endpoint can return. It is also recorded for every account whose history contains it later. */
export interface UnreadableKnown {
  slot: number;
  /** A human-readable reason, from the endpoints' errors. */
  reason: string;
  /** The accounts for which it is recorded. */
  accounts: ReadonlySet<string>;
}

/** A block by its slot and hash. */
export interface SlotPoint {
  height: number;
  hash: string;
}

/** Returns the initial state of a scanner. */
export function newAccountMemory(): AccountMemory {
  return {
    addresses: new Map(),
    refundAddresses: new Set(),
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

/** The time to wait for endpoints that could return the data but are late or temporarily down. */
const DOUBT_MS = 60_000;
/** The time to wait for a block. It is shorter than for a transaction, because histories can be read instead, at a higher cost. */
export const BLOCK_DOUBT_MS = 10_000;
const DOUBT_FORGOTTEN_MS = 3_600_000;

/**
 * Returns true if a transaction or block is proven to be unreadable. Either every endpoint reported that it has the data and cannot return
 * it, or some endpoints did and no endpoint returned the data for a while.
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
  /** The base URL of links in notifications to merchants. */
  publicUrl: string;
  /** The largest number of token accounts that are read by their histories. If there are more, whole blocks are read. */
  maxAccounts?: number;
  /** True if the network is not in the active polling tier, so that work can be delayed. */
  isIdle?: boolean;
  /** The accepted age of the final slot, in milliseconds. If omitted, the final slot must be as new as the head. */
  finalMayBeMs?: number;
}

/** The position of the ledger; nulls before the first read. */
export type At = { height: number; hash: string } | { height: null; hash: null };

/** A step and its dependencies. */
export interface AccountStep {
  db: Db;
  source: AccountSource;
  /** The network with its current block time. */
  network: Network;
  scanner: AccountScanner;
  at: At;
  head: Head;
  /** The row id of each receiving address. */
  addresses: ReadonlyMap<string, string>;
  now: Date;
}

const FAR_BEHIND_MS = 600_000;

/** Returns true if histories are far cheaper than slots for the unread part: after a pause, or before the first read. */
export function isFarBehind({ at, head, network }: Pick<AccountStep, "at" | "head" | "network">): boolean {
  return at.height === null || head.height - at.height > blocksIn(FAR_BEHIND_MS, network);
}

/** Returns the slot at and below which no fork is expected. */
export function finalSlot(head: Head): number {
  return head.finalizedHeight ?? head.height;
}
