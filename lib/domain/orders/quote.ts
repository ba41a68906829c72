import { unitsPerStep } from "@/lib/domain/money";

/** The number of different amounts that one price can have on one shared address. */
export const AMOUNTS_PER_PRICE = 10_000;

const SHORT_STEPS = 100;
const STEPS_PER_SHORT = AMOUNTS_PER_PRICE / SHORT_STEPS;

/**
 * Returns the steps (of 0.000001) to add to a price at a preference rank: ranks 0–99 add 0.0000, 0.0001 … 0.0099, ranks 100–9,999 add the
 * remaining six-decimal values in ascending order.
 */
export function stepsAtRank(rank: number): number {
  if (rank < SHORT_STEPS) return rank * STEPS_PER_SHORT;
  const rest = rank - SHORT_STEPS;
  return rest + Math.floor(rest / (STEPS_PER_SHORT - 1)) + 1;
}

/** Returns the preference rank at which `steps` are added to a price; the inverse of stepsAtRank. */
export function rankOfSteps(steps: number): number {
  if (steps % STEPS_PER_SHORT === 0) return steps / STEPS_PER_SHORT;
  return SHORT_STEPS + steps - Math.floor(steps / STEPS_PER_SHORT) - 1;
}

/** Returns the amount of a price at a preference rank, in base units. */
export function amountAtRank(priceUnits: bigint, rank: number, decimals: number): bigint {
  return priceUnits + BigInt(stepsAtRank(rank)) * unitsPerStep(decimals);
}

/**
 * Returns true if a shared address offers an amount (in millionths), which must end in exactly `guardLevel` nines. Amounts that end in
 * nines are reserved for the period after a restore, so that a new order never gets the amount of a lost order.
 * @param guardLevel 0 in normal operation; 1 after a restore; one more for each restore of a dump that was made in such a period
 */
export function isOffered(microUnits: bigint, guardLevel = 0): boolean {
  const unit = 10n ** BigInt(guardLevel);
  return (microUnits + 1n) % unit === 0n && (microUnits + 1n) % (unit * 10n) !== 0n;
}
