import { type CreatedOrder, persist } from "@/chaos/create-orders";
import { FALSE_TIMES } from "@/chaos/faults/false-times";
import { FORGED_PAYMENT } from "@/chaos/faults/forged-payment";
import { ANOTHER_CHAIN } from "@/chaos/faults/swapped-endpoint";
import { TRANSPORT_FAULTS } from "@/chaos/faults/transport-faults";
import { reopen } from "@/chaos/operations/close-networks";
import { ownSourcesOf } from "@/chaos/own-addresses";
import { createPlanner } from "@/chaos/plan/plan";
import { createRandom, type Random } from "@/chaos/plan/random";
import { CANCELLERS, OWN_SOURCES, type PlanFacts } from "@/chaos/plan/steps";
import { type ChaosState, hold, newChaosState, runStep } from "@/chaos/run-steps";
import { readExpected, type Verdict, verify, verifyActions } from "@/chaos/verifier/verify";
import { sleep } from "@/chaos/wait";
import { newStatesSeen, noteStates, payWhileDormant, payWhileIdle } from "@/chaos/watch-states";
import { SOLANA_READINGS, type SolanaReading, startWorld, WORKERS, type World } from "@/chaos/world";
import { cursors } from "@/db/schema";
import type { WatchState } from "@/lib/domain/networks/watch-state";

export interface ChaosOptions {
  seed: number;
  /** The way in which Solana is read; if undefined, the seed selects it. */
  solana?: SolanaReading | undefined;
  /** Returns true if another round starts; called before each round. */
  goesOn: (round: number) => boolean;
  print: (line: string) => void;
}

export interface ChaosReport {
  seed: number;
  rounds: number;
  solana: SolanaReading;
  counts: ChaosState["counts"] & { requests: number; faultedRequests: number; deliveries: number };
  /** The number of networks in each polling tier. */
  states: Record<WatchState, number>;
  verdict: Verdict;
  /** The warnings and errors of the workers, for diagnosing a failure. */
  complaints: string[];
}

const START_MS = 60_000;
const SETTLE_MS = 600_000;
const LOOK_EVERY_MS = 500;
/** The time to wait for late duplicates before the final verification. */
const AFTERMATH_MS = 2_500;
/** The number of rounds after which a run has had orders of every source and some sweeps. */
const ROUNDS_FOR_ALL = 20;
/** The results of refunds that a run of this length has had. */
const REFUND_EVENTS = ["requested", "request refused", "claim refused", "approved", "sent exact", "sent twice"];
const PRINT_EVERY_ROUNDS = 20;
const PRINT_EVERY_CHECKS = 30;

/** Runs random orders, payments and faults, then waits until everything is settled, and verifies the result. */
export async function runChaos({ seed, goesOn, print, ...options }: ChaosOptions): Promise<ChaosReport> {
  const random = createRandom(seed);
  const solana = options.solana ?? createRandom(seed + 3).pick(SOLANA_READINGS);
  const world = await startWorld(createRandom(seed + 1), solana);
  try {
    await areAllRead(world);
    const seen = newStatesSeen();
    const missedDormant = await payWhileDormant(world, seen);
    const planner = createPlanner(factsOf(world), random);
    const actions = newChaosState();
    let rounds = 0;
    let steps = 0;
    while (goesOn(rounds)) {
      for (const step of planner.nextRound()) await runStep(world, actions, step, luckOf(seed, steps++));
      await persist(() => noteStates(world, seen));
      rounds += 1;
      if (rounds % PRINT_EVERY_ROUNDS === 0) print(`round ${rounds}: ${JSON.stringify(actions.counts)}`);
    }
    print(`${rounds} rounds done; waiting until all is settled …`);
    const settled = await settle(world, actions, print);
    const missedIdle = await payWhileIdle(world, seen);
    const missedActive = actions.counts.orders > 0 && seen.awake.size === 0 ? ["no network was ever active"] : [];
    const unseen = rounds < ROUNDS_FOR_ALL ? [] : [...unseenKinds(settled), ...unseenEvents(world, actions)];
    const done = verifyActions(actions);
    const verdict = {
      ...settled,
      misdirected: [...settled.misdirected, ...done.misdirected],
      invalid: [...settled.invalid, ...done.invalid, ...missedDormant, ...missedActive, ...missedIdle, ...unseen],
    };
    return {
      seed,
      rounds,
      solana,
      counts: { ...actions.counts, ...trafficOf(world) },
      states: { awake: seen.awake.size, drowsy: seen.drowsy.size, asleep: seen.asleep.size },
      verdict,
      complaints: world.fleet.complaints(),
    };
  } finally {
    await world.stop();
  }
}

/**
 * Returns the source of random numbers for a step. Each step has its own source, because the number of values that endpoints consume
 * depends on timing.
 */
function luckOf(seed: number, step: number): Random {
  return createRandom(seed ^ Math.imul(step + 1, 0x9e3779b1));
}

function factsOf(world: World): PlanFacts {
  return {
    networks: world.chains.map(({ network, deepest, falsifications, noises, urls, holdFinal, setBlockMs }) => ({
      id: network.id,
      family: network.family,
      currencies: network.tokens.map(({ currency }) => currency),
      deepest,
      hasPaces: setBlockMs !== undefined,
      noises,
      ownSources: ownSourcesOf(network),
      standstills: holdFinal ? ["head", "final"] : ["head"],
      falsifications: [...Object.keys(falsifications), ANOTHER_CHAIN, FORGED_PAYMENT, FALSE_TIMES],
      endpoints: urls.length,
    })),
    transportFaults: Object.keys(TRANSPORT_FAULTS),
    workers: WORKERS,
  };
}

/** Waits until all networks are watched, because unwatched networks accept no orders. */
async function areAllRead(world: World): Promise<void> {
  const isRead = async () => {
    const rows = await world.pool.db.select().from(cursors);
    return rows.filter(({ caughtUpAt }) => caughtUpAt).length === world.chains.length;
  };
  const deadline = performance.now() + START_MS;
  while (!(await isRead())) {
    if (performance.now() > deadline)
      throw new Error(`The workers read nothing:\n${world.fleet.complaints().join("\n")}`);
    await sleep(100);
  }
}

/**
 * Restores all endpoints, makes all transactions final and waits until all time limits have passed. Then waits for pending callbacks and
 * for endpoints that cool down.
 */
async function settle(world: World, actions: ChaosState, print: (line: string) => void): Promise<Verdict> {
  const lastShortExpiry = Math.max(...[...actions.created.values()].map(shortExpiry));
  await sleep(lastShortExpiry + 1_000 - Date.now());
  for (const proxy of [...world.endpoints.values()].flat()) proxy.fault = undefined;
  world.shop.isMoody = false;
  for (const network of actions.closed) await reopen(world, network);
  for (const chain of world.chains) {
    await hold(actions, chain, null);
    await chain.mine(1);
    await chain.settle();
  }
  const onChain = await readExpected(world, actions);
  let deadline = performance.now() + SETTLE_MS;
  let verdict = await verify(world, actions, onChain);
  let fewest = countOf(verdict);
  for (let looks = 1; !isFine(verdict) && performance.now() < deadline; looks++) {
    if (looks % PRINT_EVERY_CHECKS === 0) print(`not yet: ${summaryOf(verdict)}`);
    await sleep(LOOK_EVERY_MS);
    // An order expires only once its chain has reached its expiry time.
    for (const chain of world.chains) await chain.mine(1);
    verdict = await verify(world, actions, onChain);
    // The deadline is extended while the number of problems decreases, regardless of how slow the machine is.
    if (countOf(verdict) < fewest) deadline = performance.now() + SETTLE_MS;
    fewest = Math.min(fewest, countOf(verdict));
  }
  await sleep(AFTERMATH_MS);
  return verify(world, actions, onChain);
}

/** Returns the kinds of addresses and sweeps that did not occur in a run, because the run did not test them. */
function unseenKinds({ sources, sweeps }: Verdict): string[] {
  const missing = ["shared", "pasted", ...OWN_SOURCES].filter((source) => !sources[source]);
  return [
    ...missing.map((source) => `no order had an address of kind ${source}`),
    ...(sweeps === 0 ? ["nothing was swept"] : []),
  ];
}

/** Returns the events that a run of this length must have had but did not. */
function unseenEvents(world: World, { counts }: ChaosState): string[] {
  const { cancellations, closings, databaseOutages, falseTimes, restores, lostOrders, refunds } = counts;
  const families = new Set(world.chains.map(({ network }) => network.family));
  const expected = CANCELLERS.flatMap((by) => [`${by} cancelled`, `${by} refused`]);
  return [
    ...expected.filter((name) => !cancellations[name]).map((name) => `no cancellation was "${name}"`),
    ...[...families].filter((name) => !falseTimes[name]).map((name) => `no endpoint of ${name} had false block times`),
    ...(Object.keys(closings).length === 0 ? ["no network was closed"] : []),
    ...(restores === 0 || lostOrders === 0 ? ["no restore lost an order"] : []),
    ...REFUND_EVENTS.filter((name) => !refunds[name]).map((name) => `no refund was "${name}"`),
    ...(databaseOutages === 0 ? ["the database was never away with one worker"] : []),
  ];
}

function summaryOf({ lost, double, misdirected, invalid }: Verdict): string {
  const [first = ""] = [...lost, ...double, ...misdirected, ...invalid];
  return `lost ${lost.length}, double ${double.length}, misdirected ${misdirected.length}, defects ${invalid.length}; the first is ${first}`;
}

function shortExpiry({ plan, expiresAt }: CreatedOrder): number {
  return plan.script.expiresInSeconds === null ? 0 : expiresAt.getTime();
}

/** Returns true if the verdict contains no problems. */
export function isFine(verdict: Verdict): boolean {
  return countOf(verdict) === 0;
}

function countOf({ lost, double, misdirected, invalid }: Verdict): number {
  return lost.length + double.length + misdirected.length + invalid.length;
}

function trafficOf({ endpoints, shop }: World) {
  const proxies = [...endpoints.values()].flat();
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    requests: sum(proxies.map(({ counts }) => counts.requests)),
    faultedRequests: sum(proxies.map(({ counts }) => counts.faulted)),
    deliveries: sum([...shop.reported.values(), ...shop.deliveredBefore.values()].map(({ deliveries }) => deliveries)),
  };
}
