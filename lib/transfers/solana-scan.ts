import type { Db } from "@/db/client";
import type { SolanaSource } from "@/lib/chains/solana";
import type { Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import type { Log } from "@/lib/log";
import type { AddressMemory } from "@/lib/transfers/scan-memory";

/** What a scanner of Solana remembers between its steps. All of it can be lost at any time. */
export interface SolanaMemory extends AddressMemory {
  /** Receiving address → its token accounts. */
  accounts: Map<string, readonly string[]>;
  /** Transactions that are in the ledger and not yet final, with their slots. */
  known: Map<string, number>;
  /** Final slots up to here were read a second time. */
  rereadTo: number | null;
}

/** The memory of a scanner that starts. */
export function newSolanaMemory(): SolanaMemory {
  return { addresses: new Map(), addressesLoadedAt: null, accounts: new Map(), known: new Map(), rereadTo: null };
}

export interface SolanaScanner {
  /** Who holds the network's lease. */
  owner: string;
  memory: SolanaMemory;
  log: Log;
  /** Up to so many token accounts are read by their histories; more are read by whole blocks. */
  mostAccounts?: number;
}

/** Where the ledger stands; nulls before the first reading. */
export type At = { height: number; hash: string } | { height: null; hash: null };

/** One step and all it works with. */
export interface SolanaStep {
  db: Db;
  source: SolanaSource;
  network: Network;
  scanner: SolanaScanner;
  at: At;
  head: Head;
  /** Receiving address → id of its row. */
  addresses: ReadonlyMap<string, string>;
  now: Date;
}

/** The slot at and below which no fork is expected. */
export function finalSlot(head: Head): number {
  return head.finalizedHeight ?? head.height;
}
