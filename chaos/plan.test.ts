import { expect, test } from "vitest";
import { createPlanner } from "@/chaos/plan";
import type { PlanFacts } from "@/chaos/plan-steps";
import { createRandom } from "@/chaos/random";

const facts: PlanFacts = {
  networks: [
    { id: "ethereum", currencies: ["USDT", "USDC"], deepest: 11, lies: ["lags"] },
    { id: "bsc", currencies: ["USDT", "USDC"], deepest: 8, lies: ["lags"] },
  ],
  transportFaults: ["403", "429"],
  endpointsPerNetwork: 2,
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
    ["create", "fault", "kill", "mine", "noise", "pay", "reorg", "rest", "restartDatabase"].sort(),
  );
});

test("beside an endpoint that lies every other one of its network works", () => {
  const faults = new Map<string, string | null>();
  for (const step of plan(3, 300)) {
    if (step.kind !== "fault") continue;
    faults.set(`${step.network} ${step.endpoint}`, step.fault);
    for (const network of ["ethereum", "bsc"]) {
      const [one, other] = [faults.get(`${network} 0`) ?? null, faults.get(`${network} 1`) ?? null];
      if (one === "lags" || other === "lags") expect([one, other]).toContain(null);
    }
  }
});
