import { expect, test } from "vitest";
import { createPlanner } from "@/chaos/plan";
import type { PlanFacts } from "@/chaos/plan-steps";
import { createRandom } from "@/chaos/random";
import { ANOTHER_CHAIN } from "@/chaos/swapped-endpoint";

const facts: PlanFacts = {
  networks: [
    { id: "ethereum", currencies: ["USDT", "USDC"], deepest: 11, hasPaces: true, lies: ["lags"], endpoints: 3 },
    { id: "bsc", currencies: ["USDT", "USDC"], deepest: 8, hasPaces: false, lies: ["lags"], endpoints: 2 },
  ],
  transportFaults: ["403", "429"],
  workers: 2,
};

const plan = (seed: number, rounds = 60) => {
  const planner = createPlanner(facts, createRandom(seed));
  return Array.from({ length: rounds }, () => planner.nextRound()).flat();
};

test("the same seed makes the same plan, another seed another", () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(8)).not.toEqual(plan(7));
});

test("a long plan holds everything that can go wrong", () => {
  const kinds = new Set(plan(1).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(
    ["create", "fault", "kill", "mine", "noise", "pace", "pay", "reorg", "rest", "restartDatabase"].sort(),
  );
});

test("beside an endpoint that lies or was swapped every other one of its network works", () => {
  const faults = new Map<string, string | null>();
  for (const step of plan(3, 300)) {
    if (step.kind !== "fault") continue;
    faults.set(`${step.network} ${step.endpoint}`, step.fault);
    for (const { id } of facts.networks) {
      const now = [...faults].filter(([key]) => key.startsWith(id)).map(([, fault]) => fault);
      const liars = now.filter((fault) => fault === "lags" || fault === ANOTHER_CHAIN);
      if (liars.length > 0) expect(now.filter((fault) => fault !== null)).toEqual(liars.slice(0, 1));
    }
  }
});

test("payments are taken back when workers may have seen them", () => {
  const steps = plan(2, 30);
  const taken = steps.filter(({ kind }, at) => kind === "reorg" && steps[at - 1]?.kind === "rest");
  expect(taken.length).toBeGreaterThan(5);
});

test("even a short plan swaps an endpoint for another chain, and swaps it back", () => {
  const faults = plan(5, 6).flatMap((step) => (step.kind === "fault" ? [step] : []));
  const swap = faults.findIndex(({ fault }) => fault === ANOTHER_CHAIN);
  const { network, endpoint } = faults[swap] ?? {};
  const after = faults.slice(swap + 1).filter((step) => step.network === network && step.endpoint === endpoint);
  expect(after.map(({ fault }) => fault)).toContain(null);
});
