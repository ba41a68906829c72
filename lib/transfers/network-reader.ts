import type { Db } from "@/db/client";
import { createSource } from "@/lib/chains/create-source";
import type { EndpointsOptions } from "@/lib/chains/endpoints";
import { createSolanaSource } from "@/lib/chains/solana";
import type { TransferJudge } from "@/lib/chains/source";
import type { Head } from "@/lib/domain/block";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import type { Log } from "@/lib/log";
import { rereadAccounts } from "@/lib/transfers/reread-accounts";
import { rereadNetwork } from "@/lib/transfers/reread-network";
import { newScanMemory } from "@/lib/transfers/scan-memory";
import { type ScanStep, scanNetwork } from "@/lib/transfers/scan-network";
import { scanSolana } from "@/lib/transfers/scan-solana";
import { newSolanaMemory } from "@/lib/transfers/solana-scan";
import { sweepSlots } from "@/lib/transfers/sweep-slots";

/** Reads one network into the ledger, whatever its family. */
export interface NetworkReader {
  readonly judge: TransferJudge;
  /** Forgets what it remembers, for somebody else may have read the network since. */
  forget(): void;
  /** Reads what comes next. @throws ChainError as `scanNetwork` does. */
  step(now: Date): Promise<ScanStep>;
  /** Reads final blocks a second time, now and then. @returns how many transfers had been missed */
  reread(head: Head, now: Date): Promise<number>;
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
    judge: source,
    forget: () => {
      memory = newScanMemory();
    },
    step: (now) => scanNetwork(db, source, network, { owner, memory, log }, now),
    reread: (head, now) =>
      rereadNetwork(db, source, atBlockTime(network, head.blockMs), { owner, memory, log }, head, now),
  };
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
    judge: source,
    forget: () => {
      memory = newSolanaMemory();
    },
    async step(now) {
      const step = await scanSolana(db, source, network, { owner, memory, log }, now);
      isCaughtUp = step.isCaughtUp || step.kind === "idle";
      return step;
    },
    async reread(head, now) {
      // Slots behind the head are final at their first reading, and must be read once before they are read twice.
      if (!isCaughtUp) return 0;
      const again = memory.isBySlots ? sweepSlots : rereadAccounts;
      return again(db, source, atBlockTime(network, head.blockMs), { owner, memory, log }, head, now);
    },
  };
}
