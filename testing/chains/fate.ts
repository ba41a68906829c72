import { createRandom, type Random } from "@/chaos/plan/random";

/** The outcome of a reorg for a transaction: included in the new block, in a later one, or removed. */
export type Fate = "again" | "later" | "never";

/** Returns a source of randomness that gives every transaction in a reorg the same fate. */
export function fated(fate: Fate): Random {
  return {
    ...createRandom(1),
    chance: () => fate !== "never",
    weighted: (weights) => (Object.keys(weights) as (keyof typeof weights)[]).find((one) => one === fate) ?? fail(fate),
  };
}

function fail(fate: string): never {
  throw new Error(`A reorg has no fate "${fate}"`);
}
