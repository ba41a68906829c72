import { isDeepStrictEqual } from "node:util";
import { type Db, endSilentSessions, WORK_LIMITS } from "@/db/client";
import { freeLeasesOfDead } from "@/db/queries/callbacks/resends";
import {
  claimCursor,
  findCursor,
  releaseCursor,
  updateEndpoints,
  updateProblem,
  updateWarning,
  updateWatchState,
} from "@/db/queries/networks/cursors";
import { listLeases, renewLeases, takeLeases } from "@/db/queries/networks/leases";
import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import {
  type AccountSource,
  type BlockSource,
  ChainError,
  type ChainSource,
  type FinalityChecker,
} from "@/lib/chains/endpoints/source";
import { openNetwork } from "@/lib/chains/families";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import { blockTimeWarning, type Head } from "@/lib/domain/networks/finality";
import { behindProblem, type EndpointHealth, type NetworkWatch } from "@/lib/domain/networks/health";
import { type HeldLease, leasesToTake } from "@/lib/domain/networks/leases";
import type { WatchState } from "@/lib/domain/networks/watch-state";
import type { Log } from "@/lib/log";
import { type AccountScanner, newAccountMemory } from "@/lib/watch/accounts/account-step";
import { scanAccountNetwork } from "@/lib/watch/accounts/scan-account-network";
import { type Scanner, scanNetwork } from "@/lib/watch/blocks/scan-network";
import { type Finder, newScanMemory, type ScanStep } from "@/lib/watch/scan/scan-state";
import { retryUnreadable } from "@/lib/watch/verify/retry-unreadable";
import { verifyAccounts } from "@/lib/watch/verify/verify-accounts";
import { verifyNetwork } from "@/lib/watch/verify/verify-network";
import { verifySlots } from "@/lib/watch/verify/verify-slots";

/** The polling tier. The default is the tier of a network with a waiting payer. */
export type HowClosely = Pick<Scanner, "isIdle" | "finalMayBeMs">;

/** A reader that reads one network, of any family, into the ledger. */
export interface NetworkReader
  extends Pick<ChainSource, "head" | "lookUp" | "receipt" | "balances" | "freezeState" | "receivers"> {
  readonly checker: FinalityChecker;
  /** Clears the memory, because another worker may have read the network since. */
  forget(): void;
  /** Runs the next step. @throws ChainError like `scanNetwork` */
  step(now: Date, how?: HowClosely): Promise<ScanStep>;
  /** Reads final blocks a second time, at intervals. @returns the number of transfers that had been missed */
  verify(head: Head, now: Date, isIdle?: boolean): Promise<number>;
}

export type ReaderContext = Omit<Scanner, "memory" | "clock" | keyof HowClosely> & Pick<AccountScanner, "maxAccounts">;

/** Creates a reader that writes as `owner`, while that worker holds the network's lease. */
export function createNetworkReader(
  db: Db,
  network: Network,
  options: EndpointsOptions,
  context: ReaderContext,
): NetworkReader {
  const ctx = { ...context, clock: options.now };
  const source = openNetwork(network, options);
  switch (source.readBy) {
    case "blocks":
      return createBlockReader(db, source, network, ctx);
    case "accounts":
      return createAccountReader(db, source, network, ctx);
  }
}

/** Creates a reader of a network that is read by its blocks. */
export function createBlockReader(
  db: Db,
  source: BlockSource,
  network: Network,
  ctx: ReaderContext & Pick<Finder, "clock">,
): NetworkReader {
  let memory = newScanMemory();
  return {
    ...asReader(source),
    forget: () => {
      memory = newScanMemory();
    },
    step: (now, how = {}) => mistrusting(source, scanNetwork(db, source, network, { ...ctx, memory, ...how }, now)),
    verify: (head, now, isIdle = false) =>
      verifyNetwork(db, source, atBlockTime(network, head.blockMs), { ...ctx, memory, isIdle }, head, now),
  };
}

function asReader(source: ChainSource) {
  const { head, lookUp, receipt, balances, freezeState, receivers } = source;
  return { checker: source, head, lookUp, receipt, balances, freezeState, receivers };
}

/**
 * Reports inconsistent responses during a step, so that the next attempt starts with a different endpoint. The first endpoint may be
 * permanently wrong.
 */
async function mistrusting<T>(source: FinalityChecker, step: Promise<T>): Promise<T> {
  return step.catch((error: unknown) => {
    if (error instanceof ChainError && error.kind === "inconsistent") source.mistrust(error);
    throw error;
  });
}

function createAccountReader(
  db: Db,
  source: AccountSource,
  network: Network,
  ctx: ReaderContext & Pick<Finder, "clock">,
): NetworkReader {
  let memory = newAccountMemory();
  let isCaughtUp = false;
  return {
    ...asReader(source),
    forget: () => {
      memory = newAccountMemory();
    },
    async step(now, how = {}) {
      const step = await mistrusting(source, scanAccountNetwork(db, source, network, { ...ctx, memory, ...how }, now));
      isCaughtUp = step.isCaughtUp || step.kind === "idle";
      return step;
    },
    async verify(head, now, isIdle = false) {
      const recovered = await retryUnreadable(db, source, network, { ...ctx, memory }, now);
      // While the ledger catches up, slots are final at their first read. They must be read once before they are read a second time.
      if (!isCaughtUp) return recovered;
      const again = memory.isBySlots ? verifySlots : verifyAccounts;
      const live = atBlockTime(network, head.blockMs);
      return recovered + (await again(db, source, live, { ...ctx, memory, isIdle }, head, now));
    },
  };
}

/** The duration of a lease that is not renewed. */
export const LEASE_MS = 6_000;

/**
 * Acquires or renews the lease to scan one network. One worker at a time holds it, for six seconds by the database's clock.
 * @returns false while a different worker holds it
 */
export async function leaseNetwork(db: Db, network: string, owner: string): Promise<boolean> {
  return claimCursor(db, network, owner, LEASE_MS);
}

/**
 * Renews the live leases of a worker and acquires its share of the networks that it serves: free ones, including its own expired ones, and
 * some from a worker that holds more.
 * @returns the networks that it holds now, each with `renewed` or `taken`
 */
export async function shareNetworks(
  db: Db,
  owner: string,
  served: readonly string[],
): Promise<ReadonlyMap<string, HeldLease>> {
  const held = new Map<string, HeldLease>();
  for (const network of await renewLeases(db, owner, LEASE_MS)) held.set(network, "renewed");
  if (served.every((network) => held.has(network))) return held;
  const wanted = leasesToTake(await listLeases(db), owner, served);
  for (const network of await takeLeases(db, owner, wanted, LEASE_MS)) held.set(network, "taken");
  return held;
}

/** Releases the lease of a network immediately, so that another worker need not wait until it expires. */
export async function returnNetwork(db: Db, network: string, owner: string): Promise<void> {
  await releaseCursor(db, network, owner);
}

/**
 * Releases the locks and leases of lost workers. Rows that they locked in the middle of a statement can be leased after their leases
 * expire, and callbacks of workers without connections are due immediately.
 * @returns the number of ended connections, and of callbacks that are due again
 */
export async function freeHeldByLost(db: Db, now: Date): Promise<{ sessions: number; callbacks: number }> {
  const sessions = await endSilentSessions(db, WORK_LIMITS.worker.silentMs);
  return { sessions, callbacks: await freeLeasesOfDead(db, now) };
}

/**
 * Records the polling tier of a network, so that the code that creates an order can decide whether to wake a worker.
 */
export async function noteWatchState(db: Db, network: string, owner: string, state: WatchState): Promise<void> {
  await updateWatchState(db, network, owner, state);
}

interface Watch {
  owner: string;
  /** The time since which this worker has been trying to read the network. */
  since: Date;
  /** A human-readable problem found by the start-up check. */
  startProblem: string | null;
  /** A human-readable warning about parts of the network that are left out. */
  warning: string | null;
  /** True if the block time differs from the networks table, as on local chains. */
  hasOwnPace: boolean;
  endpoints: EndpointHealth[];
  quorumMiss: NetworkWatch["quorumMiss"];
  finalizedAt: NetworkWatch["finalizedAt"];
  heads: NetworkWatch["heads"];
  log: Log;
}

/**
 * Records for all processes the availability of a network for new orders, with the reason if it is unavailable, and the health of its
 * endpoints.
 */
export async function noteHealth(db: Db, network: Network, watch: Watch, now: Date): Promise<void> {
  const cursor = await findCursor(db, network.id);
  if (!cursor) return;
  const { caughtUpAt, respondedAt, headTime } = cursor;
  const { since: watchedSince, quorumMiss, finalizedAt, heads } = watch;
  const reading = { caughtUpAt, respondedAt, headTime, watchedSince, quorumMiss, finalizedAt, heads };
  if (!isDeepStrictEqual(cursor.endpoints, watch.endpoints))
    await updateEndpoints(db, network.id, watch.owner, watch.endpoints);
  const pace = watch.hasOwnPace ? null : blockTimeWarning(network, cursor.blockMs);
  const warning = [pace, watch.warning].filter(Boolean).join(" ") || null;
  const isNewWarning = cursor.warning !== warning && (await updateWarning(db, network.id, watch.owner, warning));
  if (isNewWarning && warning)
    watch.log.warn({ network: network.id, warning }, "a network does not match its configuration");
  const problem = watch.startProblem ?? behindProblem(atBlockTime(network, cursor.blockMs), reading, now);
  if (cursor.problem === problem || !(await updateProblem(db, network.id, watch.owner, problem))) return;
  if (problem) watch.log.error({ network: network.id, problem }, "a network accepts no new orders");
  else watch.log.info({ network: network.id }, "a network accepts orders again");
}
