import type { Db, DbPool } from "@/db/client";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import { atBlockTime, isReadByRange, type Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import type { EndpointHealth } from "@/lib/domain/networks/health";
import type { HeldLease } from "@/lib/domain/networks/leases";
import {
  type Arrival,
  idleIntervalMs,
  isMoreActive,
  noteArrival,
  untilNextRead,
  type Waiting,
  type WatchState,
  watchState,
} from "@/lib/domain/networks/watch-state";
import { answerLookups } from "@/lib/ledger/answer-lookups";
import { answerRefunds } from "@/lib/ledger/answer-refunds";
import type { OrderContext } from "@/lib/orders/move-order";
import { answerTrials } from "@/lib/receivers/answer-trials";
import { checkFreezeLists } from "@/lib/refunds/check-freeze-lists";
import { answerBalances } from "@/lib/reports/balances";
import { LEASE_MS, leaseNetwork, type NetworkReader, noteWatchState, returnNetwork } from "@/lib/watch/network-reader";
import { newReadingMemory, type ReadingMemory, readNetwork } from "@/lib/watch/read-network";
import type { HeadPace, HeadWakes } from "@/workers/head-wakes";
import type { Loop } from "@/workers/loop";

const CLAIM_MS = 1_000;
const VERIFY_MS = 1_000;
/** The interval of lookups without a notification. Notifications arrive immediately, but one may be lost or delayed. */
const ANSWER_MS = 5_000;
/** The interval of reads of an idle network on the operator's own nodes that announce new blocks. */
const ANNOUNCED_IDLE_MS = 10_000;
/** The number of poll intervals for which an announcement may be missing before the network is read without it. */
const ANNOUNCED_GRACE = 2;
/** The shortest time between reads of a slow chain, as a part of the poll interval. */
const SOONEST_PART = 4;

export interface WatchOptions {
  db: Db;
  ctx: OrderContext;
  reader: NetworkReader;
  network: Network;
  /** The unique name of this worker among all workers. */
  owner: string;
  now: () => Date;
  /** True if the block time differs from the networks table, as on local chains. */
  hasOwnPace?: boolean;
  /** Returns the health of the network's endpoints. */
  endpoints: () => EndpointHealth[];
  /** True if the nodes are on this machine, so that waits may be shorter. */
  isReadOften?: boolean;
  /** Returns true if all endpoints have used up their budgets. */
  isSpent?: () => boolean;
  /** Creates the sockets that announce new blocks; omitted if the network has none. @param wake ends the wait of the network's loop */
  openHeads?: ((wake: () => void) => HeadWakes) | undefined;
}

export interface NetworkWatcher {
  /** Sets the function that ends the wait before the next round of `watch`, when an endpoint announces a block. */
  wakeWith(wake: () => void): void;
  /**
   * Records whether this worker holds the lease.
   * @param lease null: a different worker holds it
   * @param askedAt the time when the database was queried
   * @returns true if this worker did not hold the lease immediately before
   */
  hold(lease: HeldLease | null, askedAt: Date): boolean;
  /** Acquires or renews the exclusive right to scan this network. @returns the same as `hold` */
  keepLease(): Promise<boolean>;
  /** Records the waiting payers and holds of the network, as just read. Returns true if it must be read sooner than planned. */
  see(waiting: Waiting): boolean;
  /** Runs one round of scanning, matching and confirming; resolves to the milliseconds until the next. */
  watch(): Promise<number>;
  /** Reads final blocks a second time when due; resolves like `watch`. It may run concurrently with it. */
  verify(): Promise<number>;
  /** Looks up transactions for payers; resolves like `watch`. It may run concurrently with the others. */
  answer(): Promise<number>;
  /**
   * Looks up transactions and balances for merchants; resolves like `watch`. It may run concurrently with the others.
   */
  answerMerchants(): Promise<number>;
  release(): Promise<void>;
}

/** A watcher and its state between rounds. */
interface Watching extends WatchOptions {
  since: Date;
  isHolder: boolean;
  /** The time when the current or last lease was requested; it is meaningless once that lease has expired. */
  leasedAt: Date;
  reading: ReadingMemory;
  /** The waiting payers and holds of the network; null before the first read. Null counts as a waiting payer. */
  waiting: Waiting | null;
  /** The current polling tier; `written` is the one that was stored last. */
  state: WatchState;
  written: WatchState | null;
  arrival: Arrival | null;
  heads: HeadWakes | null;
  wake: () => void;
}

/** Watches one network while this worker holds its lease. */
export function createNetworkWatcher(options: WatchOptions): NetworkWatcher {
  const since = options.now();
  const watching: Watching = {
    ...options,
    since,
    isHolder: false,
    leasedAt: since,
    reading: newReadingMemory(since),
    waiting: null,
    state: "awake",
    written: null,
    arrival: null,
    heads: options.openHeads?.(() => watching.wake()) ?? null,
    wake: () => {},
  };
  return {
    wakeWith: (wake) => {
      watching.wake = wake;
    },
    see: (waiting) => see(watching, waiting),
    hold: (lease, askedAt) => hold(watching, lease, askedAt),
    keepLease: () => keepLease(watching),
    watch: () => watch(watching),
    verify: () => verify(watching),
    answer: () => answer(watching),
    answerMerchants: () => answerMerchants(watching),
    release: () => {
      watching.heads?.close();
      return returnNetwork(options.db, options.network.id, options.owner);
    },
  };
}

async function keepLease(watching: Watching): Promise<boolean> {
  const { db, network, owner, now } = watching;
  const askedAt = now();
  return hold(watching, (await leaseNetwork(db, network.id, owner)) ? "renewed" : null, askedAt);
}

function hold(watching: Watching, lease: HeldLease | null, askedAt: Date): boolean {
  const { ctx, network, owner } = watching;
  const isHeld = lease !== null;
  // A process that was suspended for longer than its lease did not hold it during that time, regardless of its own state.
  const isNew = isHeld && (lease === "taken" || !holds(watching));
  if (isNew) ctx.log.info({ network: network.id, owner }, "this worker scans the network");
  if (!isHeld && watching.isHolder) ctx.log.info({ network: network.id, owner }, "another worker scans the network");
  if (isNew) {
    watching.written = null;
    watching.arrival = null;
    watching.reading.head = null;
    watching.reader.forget();
  }
  if (isHeld) watching.leasedAt = askedAt;
  watching.isHolder = isHeld;
  return isNew;
}

/** Returns true if the lease is still valid: a process that was suspended still has `isHolder` set after a different worker took over. */
function holds({ isHolder, leasedAt, now }: Watching): boolean {
  return isHolder && now().getTime() - leasedAt.getTime() < LEASE_MS;
}

async function watch(watching: Watching): Promise<number> {
  const { hasOwnPace = false, isReadOften = false, reading: memory, state, waiting, heads } = watching;
  if (!holds(watching)) {
    heads?.close();
    return CLAIM_MS;
  }
  heads?.follow(state === "awake" || isReadOften);
  heads?.begin();
  await writeState(watching);
  const isHolder = () => holds(watching);
  const round = await readNetwork({ ...watching, hasOwnPace, memory, isHolder }, { state, waiting });
  if (round.kind === "lostLease") watching.isHolder = false;
  if (round.kind !== "read") return CLAIM_MS;
  heads?.end(round.head.height, headPace(watching, round.head));
  return round.hasMore ? 0 : rest(watching, round);
}

function see(watching: Watching, waiting: Waiting): boolean {
  const before = watching.state;
  watching.waiting = waiting;
  watching.state = watchState(waiting, watching.now(), watching.isSpent?.());
  return isMoreActive(watching.state, before);
}

/**
 * Returns the milliseconds until the next round. If endpoints announce new blocks, a notification ends the wait, and the wait itself is
 * only for the case that one is missing.
 */
function rest(watching: Watching, { head, askedAt }: { head: Head; askedAt: Date }): number {
  const { network, state, isReadOften = false, heads, now } = watching;
  const isAnnounced = heads?.isLive() ?? false;
  if (state !== "awake") return isAnnounced && isReadOften ? ANNOUNCED_IDLE_MS : idleIntervalMs(state, isReadOften);
  const live = atBlockTime(network, head.blockMs);
  watching.arrival = noteArrival(watching.arrival, head, askedAt);
  const ms = untilNextRead(head, watching.arrival, pollMs(live), now());
  return isAnnounced ? ms + ANNOUNCED_GRACE * pollMs(live) : ms;
}

/** Returns the shortest time between two reads that announced blocks trigger: that of polling, unless the chain is slow. */
function headPace({ network, state, isReadOften = false }: Watching, head: Head): HeadPace {
  const live = atBlockTime(network, head.blockMs);
  const { blockMs } = live;
  if (state !== "awake") return { apartMs: idleIntervalMs(state, isReadOften), blockMs };
  return { apartMs: isReadByRange(live) ? live.pace.everyMs : pollMs(live) / SOONEST_PART, blockMs };
}

/** Records the polling tier, so that the code that creates an order can decide whether to wake a worker. */
async function writeState(watching: Watching): Promise<void> {
  const { db, network, owner, state } = watching;
  if (watching.written === state) return;
  await noteWatchState(db, network.id, owner, state);
  watching.written = state;
}

/** Reads final blocks a second time, in a separate loop: endpoints that are slow to respond must not delay the reading of new blocks. */
async function verify(watching: Watching): Promise<number> {
  const { reading, reader, now } = watching;
  const { head } = reading;
  if (holds(watching) && head !== null)
    await reader.verify(head, now(), watching.state !== "awake" && !watching.isReadOften);
  return VERIFY_MS;
}

/**
 * Wakes the loops of the network that a notification names. Wakes all loops whenever listening restarts, because notifications may have
 * been missed.
 */
export async function listenForLookups(
  { sql }: DbPool,
  answering: ReadonlyMap<string, Pick<Loop, "wake">>,
): Promise<void> {
  const wakeAll = () => answering.forEach((loop) => void loop.wake());
  await sql.listen(LOOKUP_ASKED, (network) => answering.get(network)?.wake(), wakeAll);
}

/** Processes payers' lookups. A network that failed its startup check processes none, because its nodes may serve a different chain. */
async function answer(watching: Watching): Promise<number> {
  const { db, ctx, network, reader, now } = watching;
  if (!holds(watching) || watching.reading.checkAt !== null) return ANSWER_MS;
  const answered = await answerLookups(db, { lookUp: reader.lookUp, log: ctx.log }, network.id, now());
  return answered > 0 ? 0 : ANSWER_MS;
}

/**
 * Processes merchants' requests, in a separate loop so that payers do not wait for them. A network that is not active stays inactive: only
 * its head is read.
 */
async function answerMerchants(watching: Watching): Promise<number> {
  const { db, ctx, network, reader, reading, now } = watching;
  const { head: seen } = reading;
  if (!holds(watching) || reading.checkAt !== null || seen === null) return ANSWER_MS;
  const head = async () => (watching.state === "awake" ? seen : reader.head());
  const asked = { network, head, checker: reader.checker, receipt: reader.receipt, log: ctx.log };
  const asks = { network, source: reader, log: ctx.log };
  const answered = await answerRefunds(db, asked, now());
  const read = watching.isSpent?.() ? 0 : await answerBalances(db, asks, now());
  const checked = watching.isSpent?.() ? 0 : await checkFreezeLists(db, asks, now());
  if (reader.receivers && !watching.isSpent?.()) await answerTrials(db, { ...asked, source: reader.receivers }, now());
  return answered + read + checked > 0 ? 0 : ANSWER_MS;
}

/** Returns the poll interval of a network: a few times per block, but at least once a second. */
export function pollMs(network: Network): number {
  if (isReadByRange(network)) return network.pace.everyMs;
  return Math.min(1_000, Math.max(200, Math.floor(network.blockMs / 4)));
}
