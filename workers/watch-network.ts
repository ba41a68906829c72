import type { Db } from "@/db/client";
import type { ChainSource } from "@/lib/chains/source";
import type { Head } from "@/lib/domain/block";
import type { Network } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/orders/confirm-transfers";
import { matchTransfers } from "@/lib/orders/match-transfers";
import type { StoryContext } from "@/lib/orders/story-context";
import { leaseNetwork, returnNetwork } from "@/lib/transfers/lease-network";
import { noteHealth } from "@/lib/transfers/note-health";
import { rereadNetwork } from "@/lib/transfers/reread-network";
import { newScanMemory } from "@/lib/transfers/scan-memory";
import { type ScanStep, scanNetwork } from "@/lib/transfers/scan-network";

const RENEW_MS = 3_000;
const CLAIM_MS = 1_000;
const STEPS_PER_ROUND = 50;
const CHECK_AGAIN_MS = 10_000;

export interface WatchOptions {
  db: Db;
  ctx: StoryContext;
  source: ChainSource;
  network: Network;
  /** Name of this worker among all. */
  owner: string;
  now: () => Date;
}

export interface NetworkWatcher {
  /** Takes or renews the right to scan: whether it was just won, and the milliseconds until it must be called again. */
  keepLease(): Promise<{ isNew: boolean; ms: number }>;
  /** One round of scanning, matching and confirming; resolves to the milliseconds until the next. */
  watch(): Promise<number>;
  release(): Promise<void>;
}

interface Scanned {
  head: Head;
  isCaughtUp: boolean;
}

/** Watches one network while this worker holds its lease. */
export function createNetworkWatcher({ db, ctx, source, network, owner, now }: WatchOptions): NetworkWatcher {
  const since = now();
  let memory = newScanMemory();
  let isHolder = false;
  let checkAt: Date | null = since;
  let startProblem: string | null = null;

  async function keepLease(): Promise<{ isNew: boolean; ms: number }> {
    const isMine = await leaseNetwork(db, network.id, owner);
    if (isMine !== isHolder) {
      ctx.log.info(
        { network: network.id, owner },
        isMine ? "this worker scans the network" : "another worker scans it",
      );
      if (isMine) memory = newScanMemory();
    }
    const isNew = isMine && !isHolder;
    isHolder = isMine;
    return { isNew, ms: isMine ? RENEW_MS : CLAIM_MS };
  }

  /** The start-up check; a network that fails it is not read, and looked at again later. */
  async function check(): Promise<boolean> {
    if (checkAt === null || checkAt > now()) return checkAt === null;
    startProblem = await source.problem();
    checkAt = startProblem === null ? null : new Date(now().getTime() + CHECK_AGAIN_MS);
    if (startProblem !== null)
      ctx.log.error({ network: network.id, problem: startProblem }, "a network is switched off");
    return startProblem === null;
  }

  /** Reads until there is nothing left to read or something to match; null when another worker scans now. */
  async function scan(): Promise<Scanned | null> {
    const scanner = { owner, memory, log: ctx.log };
    let step = await scanNetwork(db, source, network, scanner, now());
    for (let steps = 1; steps < STEPS_PER_ROUND && mustGoOn(step); steps++) {
      step = await scanNetwork(db, source, network, scanner, now());
    }
    isHolder = step.kind !== "lostLease";
    return isHolder ? { head: step.head, isCaughtUp: step.isCaughtUp || step.kind === "idle" } : null;
  }

  async function settle(head: Head, isCaughtUp: boolean): Promise<void> {
    const scanner = { owner, memory, log: ctx.log };
    if (isCaughtUp) await rereadNetwork(db, source, network, scanner, head, now());
    await confirmTransfers(db, ctx, source, network, head, now());
  }

  async function watch(): Promise<number> {
    if (!isHolder) return CLAIM_MS;
    let scanned: Scanned | null = null;
    try {
      if (await check()) scanned = await scan();
    } finally {
      await matchTransfers(db, ctx, network.id, now());
      await noteHealth(db, network, { owner, since, startProblem, log: ctx.log }, now());
    }
    if (!scanned) return CLAIM_MS;
    await settle(scanned.head, scanned.isCaughtUp);
    return scanned.isCaughtUp ? pollMs(network) : 0;
  }

  return { keepLease, watch, release: () => returnNetwork(db, network.id, owner) };
}

function mustGoOn(step: ScanStep): boolean {
  return step.kind !== "lostLease" && step.kind !== "idle" && !step.isCaughtUp && step.found === 0;
}

/** How often a network is asked for news: a few times per block, but at least once a second. */
export function pollMs(network: Network): number {
  if (network.pace.by === "range") return network.pace.everyMs;
  return Math.min(1_000, Math.max(200, Math.floor(network.blockMs / 4)));
}
