import { FALSE_TIMES } from "@/chaos/faults/false-times";
import { FORGED_PAYMENT } from "@/chaos/faults/forged-payment";
import { ANOTHER_CHAIN } from "@/chaos/faults/swapped-endpoint";
import type { Random } from "@/chaos/plan/random";
import type { NetworkFacts, PlanFacts, Step } from "@/chaos/plan/steps";

const MAX_ROUNDS_HELD = 2;

/** The planned state of an endpoint. */
export interface EndpointPlan {
  network: string;
  endpoint: number;
  state: "well" | "fails" | "lies";
}

/** Returns every endpoint of every network in a healthy state. */
export function healthyEndpoints(facts: PlanFacts): EndpointPlan[] {
  return facts.networks.flatMap(({ id, endpoints }) =>
    Array.from({ length: endpoints }, (_, endpoint) => ({ network: id, endpoint, state: "well" as const })),
  );
}

/**
 * Plans a random event: a fault or recovery of an endpoint, a reorg, a worker kill, a database restart, a new block interval, or no event.
 */
export function disturbances(facts: PlanFacts, random: Random, endpoints: EndpointPlan[]): Step[] {
  const network = random.pick(facts.networks);
  const kind = random.weighted({ fault: 10, heal: 5, reorg: 9, kill: 2.5, restartDatabase: 0.8, pace: 2, calm: 3 });
  switch (kind) {
    case "fault":
      return planFault(facts, random, endpoints, network);
    case "heal":
      return heal(endpoints.filter(({ state }) => state !== "well").slice(0, random.int(1, 2)));
    case "reorg": {
      const how = random.weighted({ replace: 4, rollBack: 1 });
      return [{ kind: "reorg", network: network.id, how, depth: random.int(1, network.deepest) }];
    }
    case "kill":
      return [{ kind: "kill", worker: random.int(0, facts.workers - 1) }];
    case "restartDatabase":
      return [{ kind: "restartDatabase" }];
    case "pace":
      return changePace(network, random);
    case "calm":
      return [];
  }
}

/** The block intervals in milliseconds, from the fastest chain that the service reads to the slowest. */
const PACES = [200, 1_000, 2_000, 3_000, 12_000];

/** Changes the block interval of a chain, because real chains change it without notice. */
export function changePace({ id, hasPaces }: NetworkFacts, random: Random): Step[] {
  return hasPaces ? [{ kind: "pace", network: id, blockMs: random.pick(PACES) }] : [];
}

/** Plans an endpoint that suddenly serves a different chain. */
export function planSwap(facts: PlanFacts, random: Random, endpoints: EndpointPlan[]): Step[] {
  return spoil(endpoints, random, random.pick(facts.networks), { fault: ANOTHER_CHAIN, state: "lies" });
}

/** Plans an endpoint that reports a forged payment, alongside endpoints that do not. */
export function planForgery(facts: PlanFacts, random: Random, endpoints: EndpointPlan[]): Step[] {
  return spoil(endpoints, random, random.pick(facts.networks), { fault: FORGED_PAYMENT, state: "lies" });
}

/** Plans an endpoint that returns false block times, alongside endpoints that do not. */
export function planFalseTimes(random: Random, endpoints: EndpointPlan[], network: NetworkFacts): Step[] {
  return spoil(endpoints, random, network, { fault: FALSE_TIMES, state: "lies" });
}

/** Restores all endpoints that return false data, including those that were swapped. */
export function endFalsifications(endpoints: readonly EndpointPlan[]): Step[] {
  return heal(endpoints.filter(({ state }) => state === "lies"));
}

function planFault(facts: PlanFacts, random: Random, endpoints: EndpointPlan[], network: NetworkFacts): Step[] {
  const falsifications = random.chance(0.5);
  const fault = random.pick(falsifications ? network.falsifications : facts.transportFaults);
  return spoil(endpoints, random, network, { fault, state: falsifications ? "lies" : "fails" });
}

/**
 * Plans a fault of an endpoint. Any number of endpoints may fail. If one endpoint returns false data, all others must work, because false
 * data alone cannot be detected.
 */
function spoil(
  endpoints: EndpointPlan[],
  random: Random,
  network: NetworkFacts,
  { fault, state }: { fault: string; state: "fails" | "lies" },
): Step[] {
  const siblings = endpoints.filter((entry) => entry.network === network.id);
  const chosen = random.pick(siblings);
  const others = siblings.filter((entry) => entry !== chosen && entry.state !== "well");
  const healed = heal(state === "lies" ? others : others.filter((entry) => entry.state === "lies"));
  chosen.state = state;
  return [...healed, { kind: "fault", network: network.id, endpoint: chosen.endpoint, fault }];
}

function heal(sick: readonly EndpointPlan[]): Step[] {
  return sick.map((entry) => {
    entry.state = "well";
    return { kind: "fault", network: entry.network, endpoint: entry.endpoint, fault: null };
  });
}

/** A planned halt of a chain. */
export interface HoldPlan {
  network: string;
  /** The round in which the chain continues. */
  until: number;
}

/** Plans the failure of every endpoint of a network, and the closing of the network by an operator. */
export function planClosing(facts: PlanFacts, random: Random, endpoints: EndpointPlan[], network: string): Step[] {
  const all = endpoints.filter((entry) => entry.network === network);
  const healed = heal(all.filter(({ state }) => state === "lies"));
  const faults = all.map((entry): Step => {
    entry.state = "fails";
    return { kind: "fault", network, endpoint: entry.endpoint, fault: random.pick(facts.transportFaults) };
  });
  return [...healed, ...faults, { kind: "closeNetwork", network }];
}

/** Plans the recovery of the endpoints of a closed network, and its reopening by an operator. */
export function planReopening(endpoints: readonly EndpointPlan[], network: string): Step[] {
  const sick = endpoints.filter((entry) => entry.network === network && entry.state !== "well");
  return [...heal(sick), { kind: "reopenNetwork", network }];
}

/** Plans a chain halt that lasts one or two rounds. */
export function planHold(facts: PlanFacts, random: Random, round: number): { step: Step; held: HoldPlan } {
  const { id: network, standstills } = random.pick(facts.networks);
  const step = { kind: "hold", network, what: random.pick(standstills) } as const;
  return { step, held: { network, until: round + random.int(1, MAX_ROUNDS_HELD) } };
}
