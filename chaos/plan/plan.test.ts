import { expect, test } from "vitest";
import { FALSE_TIMES } from "@/chaos/faults/false-times";
import { FORGED_PAYMENT } from "@/chaos/faults/forged-payment";
import { ANOTHER_CHAIN } from "@/chaos/faults/swapped-endpoint";
import { createPlanner } from "@/chaos/plan/plan";
import { createRandom } from "@/chaos/plan/random";
import type { PlanFacts, Step } from "@/chaos/plan/steps";

const facts: PlanFacts = {
  networks: [
    {
      id: "ethereum",
      family: "evm",
      currencies: ["USDT", "USDC"],
      deepest: 11,
      hasPaces: true,
      falsifications: ["lags"],
      endpoints: 3,
      noises: ["fakeToken", "zero"],
      ownSources: ["xpub", "receiver"],
      standstills: ["head"],
    },
    {
      id: "solana",
      family: "solana",
      currencies: ["USDT", "USDC"],
      deepest: 8,
      hasPaces: false,
      falsifications: ["lags"],
      endpoints: 2,
      noises: ["zero", "unreadable"],
      ownSources: [],
      standstills: ["head", "final"],
    },
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
    [
      "cancel",
      "closeNetwork",
      "create",
      "databaseOutage",
      "dump",
      "fault",
      "freeze",
      "hold",
      "kill",
      "mine",
      "noise",
      "pace",
      "pay",
      "payRefund",
      "refund",
      "reopenNetwork",
      "reorg",
      "rest",
      "restore",
      "restartDatabase",
      "sweep",
    ].sort(),
  );
});

test("beside a dishonest or swapped endpoint all others of its network work", () => {
  const faults = new Map<string, string | null>();
  for (const step of plan(3, 300)) {
    if (step.kind !== "fault") continue;
    faults.set(`${step.network} ${step.endpoint}`, step.fault);
    for (const { id } of facts.networks) {
      const now = [...faults].filter(([key]) => key.startsWith(id)).map(([, fault]) => fault);
      const liars = now.filter((fault) => fault === "lags" || fault === ANOTHER_CHAIN || fault === FALSE_TIMES);
      if (liars.length > 0) expect(now.filter((fault) => fault !== null)).toEqual(liars.slice(0, 1));
    }
  }
});

test("even a short plan has orders on addresses of each source, and empties some that had orders", () => {
  const had = new Set<string>();
  const swept = new Set<string>();
  for (const step of plan(5, 20)) {
    const orders = step.kind === "create" ? step.orders : [];
    for (const { network, source } of orders) if (source !== "pasted") had.add(`${network} ${source}`);
    if (step.kind !== "sweep") continue;
    expect(had).toContain(`${step.network} ${step.source}`);
    swept.add(step.source);
  }
  expect(had).toEqual(new Set(["ethereum xpub", "ethereum receiver"]));
  expect(swept).toEqual(new Set(["xpub", "receiver"]));
});

test("a network with waiting orders is closed while none of its endpoints works, and reopened when all do", () => {
  const steps = plan(5, 8);
  const closeAt = steps.findIndex(({ kind }) => kind === "closeNetwork");
  const { network } = steps[closeAt] as Step & { kind: "closeNetwork" };
  const reopenAt = steps.findIndex((step) => step.kind === "reopenNetwork" && step.network === network);
  expect(reopenAt).toBeGreaterThan(closeAt);
  const endpoints = facts.networks.find(({ id }) => id === network)?.endpoints ?? 0;
  const faults = steps.slice(closeAt - endpoints, closeAt);
  for (const step of faults) expect(step).toMatchObject({ kind: "fault", network, fault: expect.any(String) });
  const before = steps.slice(0, closeAt).flatMap((step) => (step.kind === "create" ? step.orders : []));
  expect(before.at(-1)?.network).toBe(network);
  expect(steps.slice(closeAt, reopenAt).some(({ kind }) => kind === "mine" || kind === "pay")).toBe(true);
});

test("a restore loses orders; their payers still pay, and others are asked for the same prices", () => {
  const steps = plan(5, 14);
  const dumpAt = steps.findIndex(({ kind }) => kind === "dump");
  const restoreAt = steps.findIndex(({ kind }) => kind === "restore");
  expect(dumpAt).toBeGreaterThan(0);
  const madeIn = (some: Step[]) => some.flatMap((step) => (step.kind === "create" ? step.orders : []));
  const lost = madeIn(steps.slice(dumpAt, restoreAt));
  const again = steps[restoreAt + 1];
  const prices = again?.kind === "create" ? again.orders.map(({ price }) => price) : [];
  expect(prices.length).toBeGreaterThan(0);
  expect(lost.map(({ price }) => price)).toEqual(expect.arrayContaining(prices));
  const after = steps
    .slice(restoreAt)
    .flatMap((step) => (step.kind === "pay" || step.kind === "cancel" ? step.payments : []));
  expect(after.filter(({ order }) => lost.some(({ index }) => index === order)).length).toBeGreaterThan(2);
});

test("payments are taken back when workers may have seen them", () => {
  const steps = plan(2, 30);
  const reverted = steps.filter(({ kind }, at) => kind === "reorg" && steps[at - 1]?.kind === "rest");
  expect(reverted.length).toBeGreaterThan(5);
});

test("orders are cancelled at any moment: any order, while its payment arrives, and after a reorg removed it", () => {
  const steps = plan(5, 8);
  const cancels = steps.filter((step) => step.kind === "cancel");
  expect(cancels.some(({ payments }) => payments.length > 0)).toBe(true);
  const removed = steps.filter(
    ({ kind }, at) => kind === "cancel" && steps[at - 1]?.kind === "rest" && steps[at - 2]?.kind === "reorg",
  );
  expect(removed.length).toBeGreaterThan(0);
  const all = plan(5, 60).filter((step) => step.kind === "cancel");
  expect(new Set(all.map(({ by }) => by))).toEqual(new Set(["apiKey", "user"]));
  expect(new Set(all.map(({ order }) => order)).size).toBeGreaterThan(20);
});

test("even a short plan has an endpoint that forges a payment", () => {
  expect(plan(5, 6)).toContainEqual(expect.objectContaining({ kind: "fault", fault: FORGED_PAYMENT }));
});

test("even a short plan has an endpoint with false block times in each family", () => {
  const faults = plan(5, 6).flatMap((step) => (step.kind === "fault" && step.fault === FALSE_TIMES ? [step] : []));
  expect(faults.map(({ network }) => network)).toEqual(["ethereum", "solana"]);
});

test("even a short plan swaps an endpoint for another chain, and swaps it back", () => {
  const faults = plan(5, 6).flatMap((step) => (step.kind === "fault" ? [step] : []));
  const swap = faults.findIndex(({ fault }) => fault === ANOTHER_CHAIN);
  const { network, endpoint } = faults[swap] ?? {};
  const after = faults.slice(swap + 1).filter((step) => step.network === network && step.endpoint === endpoint);
  expect(after.map(({ fault }) => fault)).toContain(null);
});

test("one chain at a time halts, entirely or only its finality, and continues a round or two later", () => {
  const planner = createPlanner(facts, createRandom(4));
  const kinds = new Set<string>();
  let held: { network: string; since: number } | null = null;
  for (let round = 0; round < 100; round++) {
    for (const step of planner.nextRound()) {
      if (step.kind !== "hold") continue;
      if (step.what) {
        expect(held).toBeNull();
        held = { network: step.network, since: round };
        kinds.add(`${step.network} ${step.what}`);
      } else {
        expect(held?.network).toBe(step.network);
        held = null;
      }
    }
    if (held) expect(round - held.since).toBeLessThan(2);
  }
  expect([...kinds].sort()).toEqual(["ethereum head", "solana final", "solana head"]);
});

test("every chain has only the noise that it can produce, and unreadable dust goes to shared addresses, early", () => {
  const steps = plan(6, 60);
  const orders = steps.flatMap((step) => (step.kind === "create" ? step.orders : []));
  const noise = steps.flatMap((step) => (step.kind === "noise" ? [{ ...step, order: orders[step.order] }] : []));
  const on = (network: string) => new Set(noise.flatMap((one) => (one.order?.network === network ? [one.noise] : [])));
  expect(on("ethereum")).toEqual(new Set(["fakeToken", "zero"]));
  expect(on("solana")).toEqual(new Set(["zero", "unreadable"]));
  const dust = noise.filter((one) => one.noise === "unreadable");
  expect(dust.some(({ order }) => order?.isDedicated)).toBe(false);
  expect(plan(6, 8).some((step) => step.kind === "noise" && step.noise === "unreadable")).toBe(true);
});
