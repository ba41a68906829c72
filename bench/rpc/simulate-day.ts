import { and, eq, like } from "drizzle-orm";
import { startBlockChain } from "@/bench/catch-up/evm-day";
import type { LocalChain } from "@/bench/catch-up/local-day";
import { startSolanaChain } from "@/bench/catch-up/solana-day";
import { seedAddress, seedManyOrders, seedOrder } from "@/bench/rpc/made-orders";
import type { World } from "@/bench/world";
import { orders, quotes, transfers } from "@/db/schema";
import type { Network } from "@/lib/domain/networks";
import { type Waiting, type WatchState, watchState } from "@/lib/domain/networks/watch-state";
import { createLog } from "@/lib/log";
import { expireOrders } from "@/lib/orders/expire-orders";
import { createNetworkReader, LEASE_MS } from "@/lib/watch/network-reader";
import { type HeldMemory, readWaiting } from "@/lib/watch/read-waiting";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

/** The calls and the time spent on watching a network in one state. */
export interface Spent {
  calls: number;
  ms: number;
}

/** A simulated day: the calls and time by state, and the results of its payments. */
export interface SimulatedDay {
  network: Network;
  spent: Record<WatchState, Spent>;
  payments: number;
  found: number;
  /** The longest time in milliseconds from a block's time until its payment was in the ledger: while a payer waited, and overall. */
  slowestAwaitedMs: number;
  slowestMs: number;
  /** Calls per block while payers wait, by the number of open orders. */
  callsPerBlock: Map<number, number>;
}

const ORDERS = 20;
const OPEN_SECONDS = 600;
/**
 * The time after which an order is paid, shortly before it would expire. The additional offset differs for each order, so that payments
 * arrive at different times between two reads.
 */
const PAID_AFTER_MS = 585_000;
const PAID_APART_MS = 733;
const PAID_WITHIN_MS = 10_000;
const LATE_PAYMENTS = 100;
/** The part of the day in which orders are created: half of it, starting after the first third. */
const FIRST = 1 / 3;
const LAST = 5 / 6;
/** The longest time without a renewal of the lease, shorter than the lease. */
const KEEP_LEASE_MS = LEASE_MS - 1_000;
/** The maximum distance between the timestamps of blocks. */
const STAMP_MS = 5_000;
const FIRST_UNITS = 1_000_000n;
const LOG = createLog("bench", "fatal");
const CTX = { publicUrl: "https://pay.example.com", log: LOG };
const OWNER = "bench";

/** A network in simulated time. */
interface Simulation {
  world: World;
  network: Network;
  chain: LocalChain;
  watcher: NetworkWatcher;
  address: Awaited<ReturnType<typeof seedAddress>>;
  clock: { ms: number; chainMs: number };
  held: HeldMemory;
  state: WatchState;
  spent: Record<WatchState, Spent>;
}

interface Happening {
  ms: number;
  run: () => Promise<unknown>;
}

/** Watches a network through a simulated day of `hours` hours, in which orders and payments are as frequent as on a whole day. */
export async function simulateDay(world: World, network: Network, hours: number): Promise<SimulatedDay> {
  const chain = await (network.family === "solana" ? startSolanaChain(network) : startBlockChain(network));
  try {
    const simulation = await begin(world, network, chain);
    const from = simulation.clock.ms;
    const happenings = plan(simulation, from, hours * 3_600_000);
    for (const { ms, run } of happenings) {
      await watchUntil(simulation, ms);
      await passTime(simulation, ms);
      await run();
      await look(simulation);
    }
    const day = await conclude(simulation, happenings.length);
    return { ...day, callsPerBlock: await countPerBlock(simulation) };
  } finally {
    await chain.stop();
    await forget(world, network);
  }
}

async function begin(world: World, network: Network, chain: LocalChain): Promise<Simulation> {
  const { db } = world.pool;
  const clock = { ms: Date.now() + 60_000, chainMs: Date.now() + 60_000 };
  const now = () => new Date(clock.ms);
  const seed = { merchantId: world.merchantId, network: network.id, address: chain.newAddress() };
  const address = await seedAddress(db, seed, now());
  const none = () => ({ calls: 0, ms: 0 });
  const spent = { awake: none(), drowsy: none(), asleep: none() };
  const meter = {
    take: async () => {
      simulation.spent[simulation.state].calls += 1;
    },
    rank: () => 0,
  };
  const options = { urls: [chain.rpcUrl], now, meter };
  const reader = createNetworkReader(db, network, options, { owner: OWNER, ...CTX });
  const watcher = createNetworkWatcher({ db, ctx: CTX, reader, network, owner: OWNER, now, endpoints: () => [] });
  const held: HeldMemory = { until: new Map(), readAt: null };
  const simulation: Simulation = {
    world,
    network,
    chain,
    watcher,
    address,
    clock,
    held,
    spent,
    state: "asleep",
  };
  await passTime(simulation, clock.ms + 600_000);
  await look(simulation);
  await round(simulation);
  Object.assign(spent, { awake: none(), drowsy: none(), asleep: none() });
  return simulation;
}

function plan({ world, network, chain, address, clock }: Simulation, from: number, lengthMs: number): Happening[] {
  const { db } = world.pool;
  const share = lengthMs / 86_400_000;
  const many = Math.max(1, Math.round(ORDERS * share));
  const late = Math.max(1, Math.round(LATE_PAYMENTS * share));
  const happenings: Happening[] = [];
  for (let index = 0; index < many; index++) {
    const ms = from + lengthMs * (FIRST + ((LAST - FIRST) * index) / many);
    // Payments have the amounts 1, 2, 3 … by their index.
    const baseUnits = BigInt(index + 1);
    const seed = { address, baseUnits, currency: currencyOf(network, index), expiresInSeconds: OPEN_SECONDS };
    happenings.push({ ms, run: () => seedOrder(db, seed, new Date(clock.ms)) });
    const paidMs = ms + PAID_AFTER_MS + ((index * PAID_APART_MS) % PAID_WITHIN_MS);
    happenings.push({ ms: paidMs, run: () => chain.pay(index, address.address) });
  }
  for (let index = 0; index < late; index++) {
    const ms = from + (lengthMs * (index + 0.5)) / late;
    happenings.push({ ms, run: () => chain.pay(1_000 + index, address.address) });
  }
  happenings.push({ ms: from + lengthMs, run: async () => {} });
  return happenings.toSorted((one, two) => one.ms - two.ms);
}

/** Returns the currency of a payment, by the same rule as the payer of the local chain. */
function currencyOf({ tokens }: Network, index: number) {
  return tokens[index % tokens.length]?.currency ?? "USDT";
}

/** The time of the next round of each simulation. */
const dueAt = new WeakMap<Simulation, number>();

async function watchUntil(simulation: Simulation, ms: number): Promise<void> {
  for (let due = dueAt.get(simulation) ?? 0; due < ms; due = dueAt.get(simulation) ?? ms) {
    await passTime(simulation, due);
    await expireOrders(simulation.world.pool.db, CTX, new Date(simulation.clock.ms));
    await look(simulation);
    await round(simulation);
  }
}

async function round(simulation: Simulation): Promise<void> {
  const { watcher, clock } = simulation;
  await watcher.keepLease();
  const ms = await watcher.watch();
  await watcher.verify();
  dueAt.set(simulation, clock.ms + ms);
}

/** Checks for waiting payers, like a worker. If a new payer waits on the network, the network is read immediately. */
async function look(simulation: Simulation): Promise<void> {
  const { world, network, watcher, held, clock } = simulation;
  const now = new Date(clock.ms);
  const waiting: Waiting | undefined = (await readWaiting(world.pool.db, [network.id], held, now)).get(network.id);
  if (!waiting) return;
  simulation.state = watchState(waiting, now);
  if (watcher.see(waiting)) dueAt.set(simulation, clock.ms);
}

/** Advances the clock, and produces the blocks that are due by then. Meanwhile the worker keeps its lease of the network. */
async function passTime(simulation: Simulation, to: number): Promise<void> {
  const { clock, watcher } = simulation;
  while (to - clock.ms > KEEP_LEASE_MS) {
    await advance(simulation, clock.ms + KEEP_LEASE_MS);
    await watcher.keepLease();
  }
  await advance(simulation, to);
}

/** Advances the clock by less than a lease. No block is produced before its time. */
async function advance({ chain, network, clock, state, spent }: Simulation, to: number): Promise<void> {
  if (to > clock.ms) spent[state].ms += to - clock.ms;
  clock.ms = Math.max(clock.ms, to);
  const step = Math.max(1, Math.floor(STAMP_MS / network.blockMs));
  for (let left = Math.floor((clock.ms - clock.chainMs) / network.blockMs); left > 0; left -= step) {
    const count = Math.min(step, left);
    clock.chainMs += count * network.blockMs;
    await chain.pass(count, Math.floor(clock.chainMs / 1_000));
  }
}

async function conclude(simulation: Simulation, happenings: number): Promise<Omit<SimulatedDay, "callsPerBlock">> {
  const { world, network, clock, spent } = simulation;
  const counted = structuredClone(spent);
  await watchUntil(simulation, clock.ms + 180_000);
  const rows = await world.pool.db.select().from(transfers).where(eq(transfers.network, network.id));
  const made = await world.pool.db.select().from(orders).where(eq(orders.network, network.id));
  const delay = ({ seenAt, blockTime }: (typeof rows)[number]) => seenAt.getTime() - blockTime.getTime();
  const slowest = (of: typeof rows) => Math.max(0, ...of.map(delay));
  return {
    network,
    spent: counted,
    found: rows.length,
    payments: happenings - 1 - made.length,
    slowestAwaitedMs: slowest(rows.filter(({ orderId }) => orderId !== null)),
    slowestMs: slowest(rows),
  };
}

const COUNTS = [1, 1_000, 100_000];
/** The minimum time and number of blocks for counting calls, so that reads that occur once a minute do not dominate. */
const COUNTED_MS = 240_000;
const COUNTED_BLOCKS = 100;

async function countPerBlock(simulation: Simulation): Promise<Map<number, number>> {
  const { world, network, address, clock, spent } = simulation;
  const counts = new Map<number, number>();
  const countedMs = Math.max(COUNTED_MS, COUNTED_BLOCKS * network.blockMs);
  let first = 1;
  for (const count of COUNTS) {
    const seed = { address, first: Number(FIRST_UNITS) + first, count: count - first + 1 };
    await seedManyOrders(world.pool.db, seed, new Date(clock.ms));
    first = count + 1;
    await look(simulation);
    await watchUntil(simulation, clock.ms + COUNTED_MS);
    const before = spent.awake.calls;
    await watchUntil(simulation, clock.ms + countedMs);
    counts.set(count, (spent.awake.calls - before) / (countedMs / network.blockMs));
  }
  return counts;
}

/** Deletes the rows that were inserted for counting. */
async function forget({ pool: { db } }: World, { id }: Network): Promise<void> {
  await db.delete(quotes).where(and(eq(quotes.network, id), like(quotes.orderId, "many-%")));
  await db.delete(orders).where(and(eq(orders.network, id), like(orders.id, "many-%")));
}
