import type { Rate } from "@/lib/domain/rates/price";

/** What a source said last of one token in one currency. */
export interface SourceRate {
  source: string;
  rate: Rate;
  /** When the source's number was read. */
  at: Date;
  /** How long it counts. */
  maxAgeMs: number;
}

/** What a token costs now, or why nobody can say. */
export type Market =
  | {
      rate: Rate;
      /** Those whose numbers decided, in the order they were given. */
      sources: string[];
      /** When the oldest of these numbers was read. */
      at: Date;
      /** Too far from the others; told to people. */
      leftOut: string[];
    }
  | { rate: null; why: "stale" | "contradiction"; leftOut: string[] };

/** A source that is further than this from the median of the others is wrong: a tenth. */
const FURTHEST = 1n;
const OF = 10n;

/**
 * The median of what fresh sources say. One that is more than a tenth away from the median of the others is left out, the
 * furthest first; where only two are left and contradict each other nobody knows who is wrong, so there is no rate.
 */
export function decideMarket(said: readonly SourceRate[], now: Date): Market {
  let fresh = said.filter(({ at, maxAgeMs }) => now.getTime() - at.getTime() <= maxAgeMs);
  const leftOut: string[] = [];
  for (;;) {
    const furthest = findFurthest(fresh);
    if (furthest === null) break;
    if (fresh.length === 2) return { rate: null, why: "contradiction", leftOut: [...leftOut, ...fresh.map(nameOf)] };
    leftOut.push(furthest.source);
    fresh = fresh.filter((one) => one !== furthest);
  }
  if (fresh.length === 0) return { rate: null, why: "stale", leftOut };
  const at = new Date(Math.min(...fresh.map((one) => one.at.getTime())));
  return { rate: medianOf(fresh), sources: fresh.map(nameOf), at, leftOut };
}

const nameOf = ({ source }: SourceRate) => source;

/** The source that is furthest from the median of the others, if that is too far; null when all are near enough. */
function findFurthest(fresh: readonly SourceRate[]): SourceRate | null {
  if (fresh.length < 2) return null;
  const distances = fresh.map((one) => {
    const median = medianOf(fresh.filter((other) => other !== one));
    const [less, more] = one.rate > median ? [median, one.rate] : [one.rate, median];
    return { one, less, more, isTooFar: (more - less) * OF > median * FURTHEST };
  });
  // By how many times it is off: a number near 0 pulls the others' medians down by half, and is itself off by far more.
  const [furthest] = distances
    .filter(({ isTooFar }) => isTooFar)
    .sort((left, right) => (left.more * right.less > right.more * left.less ? -1 : 1));
  return furthest?.one ?? null;
}

/** The middle number; of an even count the mean of both in the middle, cut off. */
function medianOf(rates: readonly SourceRate[]): Rate {
  const sorted = rates.map(({ rate }) => rate).sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const middle = Math.floor(sorted.length / 2);
  const [low = 0n, high = 0n] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2n;
}
