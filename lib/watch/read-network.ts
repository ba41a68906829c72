import type { Db } from "@/db/client";
import type { Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import type { EndpointHealth } from "@/lib/domain/networks/health";
import { finalMayBeMs, type Waiting, type WatchState } from "@/lib/domain/networks/watch-state";
import { confirmRefunds } from "@/lib/ledger/confirm-refunds";
import { type ConfirmMemory, confirmTransfers, newConfirmMemory } from "@/lib/ledger/confirm-transfers";
import { matchRefunds } from "@/lib/ledger/match-refunds";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import type { OrderContext } from "@/lib/orders/move-order";
import { type NetworkReader, noteHealth } from "@/lib/watch/network-reader";
import type { ScanStep } from "@/lib/watch/scan/scan-state";

const STEPS_PER_ROUND = 50;
const CHECK_AGAIN_MS = 10_000;

/** The state that a worker keeps between rounds of a network. It can be lost at any time. */
export interface ReadingMemory {
  /** The time of the next start-up check; null once it passed. */
  checkAt: Date | null;
  startProblem: string | null;
  /** The head of the last round; null if that round did not read it. */
  head: Head | null;
  /** True if the last round found transfers. */
  hasFound: boolean;
  /** True if the last round used a cached final height. */
  isFinalOld: boolean;
  /** The highest final block, and the time when it was first seen; null before the first one. */
  final: { height: number; at: Date } | null;
  confirming: ConfirmMemory;
}

/** Returns the initial state of a worker. */
export function newReadingMemory(now: Date): ReadingMemory {
  return {
    checkAt: now,
    startProblem: null,
    head: null,
    hasFound: false,
    isFinalOld: false,
    final: null,
    confirming: newConfirmMemory(),
  };
}

/** The dependencies of a round, provided by the worker with the network's lease. */
export interface NetworkReading {
  db: Db;
  ctx: OrderContext;
  reader: NetworkReader;
  network: Network;
  /** The name of this worker among all workers. */
  owner: string;
  /** The time since which this worker reads the network. */
  since: Date;
  /** True if the block time differs from the networks table, as on local chains. */
  hasOwnPace: boolean;
  /** Returns the health of the network's endpoints. */
  endpoints: () => EndpointHealth[];
  /** Returns true if the lease is still held. A process that was suspended may have lost it. */
  isHolder: () => boolean;
  now: () => Date;
  memory: ReadingMemory;
}

/** The polling tier of a network, and the reason for it. */
export interface ReadingPace {
  state: WatchState;
  waiting: Waiting | null;
}

/** The result of a round. `notRead`: the network failed its start-up check, or the lease ended meanwhile. */
export type Round =
  | {
      kind: "read";
      head: Head;
      /** The time when the head was requested. */
      askedAt: Date;
      hasMore: boolean;
    }
  | { kind: "notRead" }
  | { kind: "lostLease" };

/**
 * Reads a network into the ledger: scans new blocks, matches the transfers that were found, confirms final transfers, and records the
 * health of the network. Transfers are matched and the health is recorded even if the scan failed.
 * @throws ChainError like the reader and `confirmTransfers`
 */
export async function readNetwork(reading: NetworkReading, pace: ReadingPace): Promise<Round> {
  const matched: Matched = { at: null };
  try {
    return await readAndConfirm(reading, pace, matched);
  } finally {
    // Callbacks of confirmed payments do not wait for it.
    if (matched.at && reading.isHolder()) await recordHealth(reading, matched.at);
  }
}

/** The time at which the transfers of a round were matched; null before, and if the lease ended. */
interface Matched {
  at: Date | null;
}

async function readAndConfirm(reading: NetworkReading, pace: ReadingPace, matched: Matched): Promise<Round> {
  const { db, ctx, network, reader, memory, isHolder, now } = reading;
  let scanned: Scanned | "lostLease" | null = null;
  try {
    if (await check(reading)) scanned = await scan(reading, pace);
    if (isScanned(scanned)) noteFinal(reading, pace, scanned.head);
  } finally {
    if (scanned !== "lostLease" && isHolder()) {
      await matchRefunds(db, ctx, network.id, now());
      await matchTransfers(db, ctx, network.id, now());
      matched.at = now();
    }
  }
  memory.head = isScanned(scanned) ? scanned.head : null;
  if (scanned === "lostLease") return { kind: "lostLease" };
  if (!scanned || !isHolder()) return { kind: "notRead" };
  await confirmTransfers(db, ctx, reader.checker, network, scanned.head, now(), memory.confirming);
  const mustLookAgain = memory.hasFound && memory.isFinalOld && network.finality.by === "finalized";
  await confirmRefunds(db, ctx, { checker: reader.checker, network, head: scanned.head }, now());
  const hasMore = memory.confirming.hasMore || !scanned.isCaughtUp || mustLookAgain;
  return { kind: "read", head: scanned.head, askedAt: scanned.askedAt, hasMore };
}

interface Scanned {
  head: Head;
  askedAt: Date;
  isCaughtUp: boolean;
}

function isScanned(scanned: Scanned | "lostLease" | null): scanned is Scanned {
  return scanned !== null && scanned !== "lostLease";
}

/** Runs the start-up check; a network that fails it is not read, and is checked again later. */
async function check({ reader, memory, now }: NetworkReading): Promise<boolean> {
  if (memory.checkAt === null || memory.checkAt > now()) return memory.checkAt === null;
  memory.startProblem = await reader.checker.problem();
  memory.checkAt = memory.startProblem === null ? null : new Date(now().getTime() + CHECK_AGAIN_MS);
  return memory.startProblem === null;
}

/** Scans until all available blocks are read, or until transfers are found that must be matched. */
async function scan(reading: NetworkReading, { state, waiting }: ReadingPace): Promise<Scanned | "lostLease"> {
  const { reader, memory, now } = reading;
  const isIdle = state !== "awake";
  const mayBeMs = memory.hasFound ? 0 : finalMayBeMs(state, waiting);
  let askedAt = now();
  const next = () => {
    askedAt = now();
    return reader.step(askedAt, { isIdle, finalMayBeMs: mayBeMs });
  };
  let step = await next();
  for (let steps = 1; steps < STEPS_PER_ROUND && mustGoOn(step); steps++) step = await next();
  memory.isFinalOld = mayBeMs > 0;
  memory.hasFound = step.found > 0;
  if (step.kind === "lostLease") return "lostLease";
  return { head: step.head, askedAt, isCaughtUp: step.isCaughtUp || step.kind === "idle" };
}

function mustGoOn(step: ScanStep): boolean {
  return step.kind !== "lostLease" && step.kind !== "idle" && !step.isCaughtUp && step.found === 0;
}

/**
 * Records the highest final block. A head below the last final block belongs to a different chain. While the network is not in the active
 * polling tier, its final height is not expected to rise.
 */
function noteFinal({ memory, now }: NetworkReading, { state }: ReadingPace, { height, finalizedHeight }: Head): void {
  const { final } = memory;
  if (finalizedHeight === null || state !== "awake") memory.final = null;
  else if (final === null || finalizedHeight > final.height || height < final.height)
    memory.final = { height: finalizedHeight, at: now() };
}

async function recordHealth(reading: NetworkReading, at: Date): Promise<void> {
  const { db, ctx, network, reader, owner, since, hasOwnPace, endpoints, memory } = reading;
  const { checker } = reader;
  const isByTag = network.finality.by === "finalized";
  const watch = {
    owner,
    since,
    hasOwnPace,
    startProblem: memory.startProblem,
    endpoints: endpoints(),
    finalizedAt: isByTag ? memory.final?.at : null,
    warning: checker.warning(),
    quorumMiss: checker.quorumMiss(),
    heads: checker.heads(),
    log: ctx.log,
  };
  await noteHealth(db, network, watch, at);
}
