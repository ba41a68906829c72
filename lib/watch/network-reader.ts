import type { Db } from "@/db/client";
import { createSource } from "@/lib/chains/create-source";
import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import { ChainError, type FinalityChecker } from "@/lib/chains/endpoints/source";
import { createSolanaSource } from "@/lib/chains/solana/source";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import type { Log } from "@/lib/log";
import { scanSolana } from "@/lib/watch/accounts/scan-solana";
import { type ScanStep, scanNetwork } from "@/lib/watch/blocks/scan-network";
import { newScanMemory } from "@/lib/watch/scan-memory";
import { newSolanaMemory } from "@/lib/watch/solana-step";
import { retryUnreadable } from "@/lib/watch/verify/retry-unreadable";
import { verifyAccounts } from "@/lib/watch/verify/verify-accounts";
import { verifyNetwork } from "@/lib/watch/verify/verify-network";
import { verifySlots } from "@/lib/watch/verify/verify-slots";

/** Reads one network into the ledger, whatever its family. */
export interface NetworkReader {
  readonly checker: FinalityChecker;
  /** Forgets what it remembers, for somebody else may have read the network since. */
  forget(): void;
  /** Reads what comes next. @throws ChainError as `scanNetwork` does. */
  step(now: Date): Promise<ScanStep>;
  /** Reads final blocks a second time, now and then. @returns how many transfers had been missed */
  verify(head: Head, now: Date): Promise<number>;
}

/** A reader that writes as `owner`, while that holds the network's lease. */
export function createNetworkReader(
  db: Db,
  network: Network,
  options: EndpointsOptions,
  { owner, log }: { owner: string; log: Log },
): NetworkReader {
  if (network.family === "solana") return readByAccounts(db, network, options, { owner, log });
  const source = createSource(network, options);
  let memory = newScanMemory();
  return {
    checker: source,
    forget: () => {
      memory = newScanMemory();
    },
    step: (now) => mistrusting(source, scanNetwork(db, source, network, { owner, memory, log }, now)),
    verify: (head, now) =>
      verifyNetwork(db, source, atBlockTime(network, head.blockMs), { owner, memory, log }, head, now),
  };
}

/** A step whose answers contradict each other is tried again with another endpoint first: the one before may be wrong for good. */
async function mistrusting<T>(source: FinalityChecker, step: Promise<T>): Promise<T> {
  return step.catch((error: unknown) => {
    if (error instanceof ChainError && error.kind === "inconsistent") source.mistrust(error);
    throw error;
  });
}

function readByAccounts(
  db: Db,
  network: Network,
  options: EndpointsOptions,
  { owner, log }: { owner: string; log: Log },
): NetworkReader {
  const source = createSolanaSource(network, options);
  let memory = newSolanaMemory();
  let isCaughtUp = false;
  return {
    checker: source,
    forget: () => {
      memory = newSolanaMemory();
    },
    async step(now) {
      const step = await mistrusting(source, scanSolana(db, source, network, { owner, memory, log }, now));
      isCaughtUp = step.isCaughtUp || step.kind === "idle";
      return step;
    },
    async verify(head, now) {
      const recovered = await retryUnreadable(db, source, network, { owner, memory, log }, now);
      // Slots behind the head are final at their first reading, and must be read once before they are read twice.
      if (!isCaughtUp) return recovered;
      const again = memory.isBySlots ? verifySlots : verifyAccounts;
      const live = atBlockTime(network, head.blockMs);
      return recovered + (await again(db, source, live, { owner, memory, log }, head, now));
    },
  };
}
