import { channelIn, type Db, type DbPool } from "@/db/client";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import { atBlockTime, isReadByRange, type Network } from "@/lib/domain/networks";
import type { Head } from "@/lib/domain/networks/finality";
import type { EndpointHealth } from "@/lib/domain/networks/health";
import type { HeldLease } from "@/lib/domain/networks/leases";
import {
  type Arrival,
  finalMayBeMs,
  idleRestMs,
  isMoreAwake,
  noteArrival,
  untilNextBlock,
  type Waiting,
  type WatchState,
  watchState,
} from "@/lib/domain/networks/watch-state";
import { answerLookups } from "@/lib/ledger/answer-lookups";
import { answerRefunds } from "@/lib/ledger/answer-refunds";
import { type ConfirmMemory, confirmTransfers, newConfirmMemory } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import type { StoryContext } from "@/lib/orders/move-order";
import { answerTrials } from "@/lib/receivers/answer-trials";
import { answerBalances } from "@/lib/reports/balances";
import {
  LEASE_MS,
  leaseNetwork,
  type NetworkReader,
  noteHealth,
  noteWatchState,
  returnNetwork,
} from "@/lib/watch/network-reader";
import type { ScanStep } from "@/lib/watch/scan/scan-state";
import type { Loop } from "@/workers/loop";

const CLAIM_MS = 1_000;
const VERIFY_MS = 1_000;
/** A notification comes at once; this is for one that is lost, or that waits for its turn. */
const ANSWER_MS = 5_000;
const STEPS_PER_ROUND = 50;
const CHECK_AGAIN_MS = 10_000;

export interface WatchOptions {
  db: Db;
  ctx: StoryContext;
  reader: NetworkReader;
  network: Network;
  /** Name of this worker among all. */
  owner: string;
  now: () => Date;
  /** A local chain has a pace of its own, whatever its row says. */
  hasOwnPace?: boolean;
  /** How the network's endpoints behave. */
  endpoints: () => EndpointHealth[];
  /** The nodes are on this machine: it may rest less. */
  isReadOften?: boolean;
  /** Whether all of them have used their budgets up. */
  isSpent?: () => boolean;
}

export interface NetworkWatcher {
  /**
   * Records whether this worker holds the lease.
   * @param lease null: another worker holds it
   * @param askedAt when the database was asked
   * @returns true when this worker did not hold the lease just before
   */
  hold(lease: HeldLease | null, askedAt: Date): boolean;
  /** Takes or renews the right to scan this network alone. @returns as `hold` */
  keepLease(): Promise<boolean>;
  /** Who waits on the network now, as it was just read. True: it must be read sooner than it was to be. */
  see(waiting: Waiting): boolean;
  /** One round of scanning, matching and confirming; resolves to the milliseconds until the next. */
  watch(): Promise<number>;
  /** Reads what is final a second time where that is due; resolves as `watch`. It may run beside it. */
  verify(): Promise<number>;
  /** Looks up what payers ask about; resolves as `watch`. It may run beside the others. */
  answer(): Promise<number>;
  /** Looks up what merchants ask about; resolves as `watch`. It may run beside the others. */
  answerMerchants(): Promise<number>;
  release(): Promise<void>;
}

interface Scanned {
  head: Head;
  isCaughtUp: boolean;
}

/** A watcher and what it knows between its rounds. */
interface Watching extends WatchOptions {
  since: Date;
  isHolder: boolean;
  /** When the lease was asked for that is held, or was: it says nothing any more once it has run out. */
  leasedAt: Date;
  /** When the start-up check is due; null once it found nothing wrong. */
  checkAt: Date | null;
  startProblem: string | null;
  /** The head as the last round saw it; null when it saw none. */
  head: Head | null;
  /** The last round found transfers: what is final is asked for. */
  hasFound: boolean;
  /** The last round knew what was final a while ago. */
  isFinalOld: boolean;
  /** The highest block that was final, and when it was first seen; null before one was. */
  final: { height: number; at: Date } | null;
  confirming: ConfirmMemory;
  /** Who waits; null until somebody looked, as if somebody did. */
  waiting: Waiting | null;
  /** How closely the network is watched, and as what that was last written down. */
  state: WatchState;
  written: WatchState | null;
  arrival: Arrival | null;
}

/** Watches one network while this worker holds its lease. */
export function createNetworkWatcher(options: WatchOptions): NetworkWatcher {
  const since = options.now();
  const unknown = { isHolder: false, startProblem: null, head: null, final: null, confirming: newConfirmMemory() };
  const found = { hasFound: false, isFinalOld: false };
  const asleep = { waiting: null, state: "awake" as const, written: null, arrival: null };
  const watching: Watching = { ...options, ...unknown, ...found, ...asleep, since, leasedAt: since, checkAt: since };
  return {
    see: (waiting) => see(watching, waiting),
    hold: (lease, askedAt) => hold(watching, lease, askedAt),
    keepLease: () => keepLease(watching),
    watch: () => watch(watching),
    verify: () => verify(watching),
    answer: () => answer(watching),
    answerMerchants: () => answerMerchants(watching),
    release: () => returnNetwork(options.db, options.network.id, options.owner),
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
  // A process that stood still for longer than its lease held nothing meanwhile, whatever it remembers.
  const isNew = isHeld && (lease === "taken" || !holds(watching));
  if (isNew) ctx.log.info({ network: network.id, owner }, "this worker scans the network");
  if (!isHeld && watching.isHolder) ctx.log.info({ network: network.id, owner }, "another worker scans the network");
  if (isNew) {
    watching.written = null;
    watching.arrival = null;
    watching.head = null;
    watching.reader.forget();
  }
  if (isHeld) watching.leasedAt = askedAt;
  watching.isHolder = isHeld;
  return isNew;
}

/** A process that was stopped for a while believes it still holds what another took over meanwhile. */
function holds({ isHolder, leasedAt, now }: Watching): boolean {
  return isHolder && now().getTime() - leasedAt.getTime() < LEASE_MS;
}

async function watch(watching: Watching): Promise<number> {
  if (!holds(watching)) return CLAIM_MS;
  const { db, ctx, network, reader, now } = watching;
  let scanned: Scanned | null = null;
  try {
    await writeState(watching);
    if (await check(watching)) scanned = await scan(watching);
    if (scanned) noteFinal(watching, scanned.head);
  } finally {
    if (holds(watching)) await tell(watching);
  }
  watching.head = scanned?.head ?? null;
  if (!scanned || !holds(watching)) return CLAIM_MS;
  await confirmTransfers(db, ctx, reader.checker, network, scanned.head, now(), watching.confirming);
  if (watching.confirming.hasMore) return 0;
  const mustLookAgain = watching.hasFound && watching.isFinalOld && network.finality.by === "finalized";
  return scanned.isCaughtUp && !mustLookAgain ? rest(watching, scanned.head) : 0;
}

function see(watching: Watching, waiting: Waiting): boolean {
  const before = watching.state;
  watching.waiting = waiting;
  watching.state = watchState(waiting, watching.now(), watching.isSpent?.());
  return isMoreAwake(watching.state, before);
}

/** Milliseconds until the next round. */
function rest(watching: Watching, head: Head): number {
  const { network, state, isReadOften = false, now } = watching;
  if (state !== "awake") return idleRestMs(state, isReadOften);
  watching.arrival = noteArrival(watching.arrival, head, now());
  return untilNextBlock(head, watching.arrival, now()) ?? pollMs(atBlockTime(network, head.blockMs));
}

/** So that whoever makes an order knows whether somebody must be woken. */
async function writeState(watching: Watching): Promise<void> {
  const { db, network, owner, state } = watching;
  if (watching.written === state) return;
  await noteWatchState(db, network.id, owner, state);
  watching.written = state;
}

/** What was read goes to its orders, and how the network is to whoever asks, also when the reading failed. */
async function tell(watching: Watching): Promise<void> {
  const { db, ctx, network, reader, owner, since, now } = watching;
  await matchTransfers(db, ctx, network.id, now());
  const { startProblem, endpoints } = watching;
  const isByTag = network.finality.by === "finalized";
  const { checker } = reader;
  const { hasOwnPace = false } = watching;
  const told = { hasOwnPace, warning: checker.warning(), quorumMiss: checker.quorumMiss(), heads: checker.heads() };
  const health = { startProblem, endpoints: endpoints(), finalizedAt: isByTag ? watching.final?.at : null, ...told };
  await noteHealth(db, network, { owner, since, ...health, log: ctx.log }, now());
}

/** A height below what was final before is another chain's; where nobody looks closely, nobody says that it stands still. */
function noteFinal(watching: Watching, { height, finalizedHeight }: Head): void {
  const { final, now, state } = watching;
  if (finalizedHeight === null || state !== "awake") watching.final = null;
  else if (final === null || finalizedHeight > final.height || height < final.height)
    watching.final = { height: finalizedHeight, at: now() };
}

/** Endpoints that are slow to answer this must not keep news from being read: it waits for them, and nobody for it. */
async function verify(watching: Watching): Promise<number> {
  const { head, reader, now } = watching;
  if (holds(watching) && head !== null)
    await reader.verify(head, now(), watching.state !== "awake" && !watching.isReadOften);
  return VERIFY_MS;
}

/**
 * Wakes whoever answers on the network that a notification names; and all of them whenever listening begins again, for what was
 * asked meanwhile was not heard.
 */
export async function listenForLookups(
  { db, sql }: DbPool,
  answering: ReadonlyMap<string, Pick<Loop, "wake">>,
): Promise<void> {
  const wakeAll = () => answering.forEach((loop) => void loop.wake());
  await sql.listen(channelIn(db, LOOKUP_ASKED), (network) => answering.get(network)?.wake(), wakeAll);
}

/** A network that failed its start-up check answers nobody: its nodes may be another chain's. */
async function answer(watching: Watching): Promise<number> {
  const { db, ctx, network, reader, now } = watching;
  if (!holds(watching) || watching.checkAt !== null) return ANSWER_MS;
  const answered = await answerLookups(db, { lookUp: reader.lookUp, log: ctx.log }, network.id, now());
  return answered > 0 ? 0 : ANSWER_MS;
}

/** Apart from payers, who wait for nobody's books. A network that sleeps goes on sleeping: its head is asked for alone. */
async function answerMerchants(watching: Watching): Promise<number> {
  const { db, ctx, network, reader, head: seen, now } = watching;
  if (!holds(watching) || watching.checkAt !== null || seen === null) return ANSWER_MS;
  const head = async () => (watching.state === "awake" ? seen : reader.head());
  const asked = { network, head, checker: reader.checker, receipt: reader.receipt, log: ctx.log };
  const answered = await answerRefunds(db, asked, now());
  const read = watching.isSpent?.() ? 0 : await answerBalances(db, { network, source: reader, log: ctx.log }, now());
  if (reader.receivers && !watching.isSpent?.()) await answerTrials(db, { ...asked, source: reader.receivers }, now());
  return answered + read > 0 ? 0 : ANSWER_MS;
}

/** The start-up check; a network that fails it is not read, and looked at again later. */
async function check(watching: Watching): Promise<boolean> {
  const { reader, now } = watching;
  if (watching.checkAt === null || watching.checkAt > now()) return watching.checkAt === null;
  watching.startProblem = await reader.checker.problem();
  watching.checkAt = watching.startProblem === null ? null : new Date(now().getTime() + CHECK_AGAIN_MS);
  return watching.startProblem === null;
}

/** Reads until there is nothing left to read or something to match; null when another worker scans now. */
async function scan(watching: Watching): Promise<Scanned | null> {
  const { reader, now } = watching;
  const isIdle = watching.state !== "awake";
  const mayBeMs = watching.hasFound ? 0 : finalMayBeMs(watching.state, watching.waiting);
  const next = () => reader.step(now(), { isIdle, finalMayBeMs: mayBeMs });
  let step = await next();
  for (let steps = 1; steps < STEPS_PER_ROUND && mustGoOn(step); steps++) step = await next();
  watching.isFinalOld = mayBeMs > 0;
  watching.hasFound = step.found > 0;
  watching.isHolder = step.kind !== "lostLease";
  return watching.isHolder ? { head: step.head, isCaughtUp: step.isCaughtUp || step.kind === "idle" } : null;
}

function mustGoOn(step: ScanStep): boolean {
  return step.kind !== "lostLease" && step.kind !== "idle" && !step.isCaughtUp && step.found === 0;
}

/** How often a network is asked for news: a few times per block, but at least once a second. */
export function pollMs(network: Network): number {
  if (isReadByRange(network)) return network.pace.everyMs;
  return Math.min(1_000, Math.max(200, Math.floor(network.blockMs / 4)));
}
