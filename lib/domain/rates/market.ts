import type { Rate } from "@/lib/domain/rates/price";

/** The last rate of a source for one token in one currency. */
export interface SourceRate {
  source: string;
  rate: Rate;
  /** The time when the source's rate was read. */
  at: Date;
  /** The maximum age of the rate. */
  maxAgeMs: number;
}

/** The market rate of a token, or the reason why there is none. */
export type Market =
  | {
      rate: Rate;
      /** The sources that determined the rate, in the given order. */
      sources: string[];
      /** The time when the oldest of these rates was read. */
      at: Date;
      /** The sources that were excluded because they differ too much; they are reported. */
      leftOut: string[];
    }
  | { rate: null; why: "stale" | "contradiction"; leftOut: string[] };

/** The largest deviation of a source from the median of the others: a tenth. A source that deviates more is excluded. */
const FURTHEST = 1n;
const OF = 10n;

/**
 * Returns the median rate of the sources whose rates are not too old. A source that differs by more than a tenth from the median of the
 * others is excluded, the furthest first. If only two are left and differ by more than a tenth, there is no rate, because neither can be
 * preferred.
 */
export function decideMarket(readings: readonly SourceRate[], now: Date): Market {
  let fresh = readings.filter(({ at, maxAgeMs }) => now.getTime() - at.getTime() <= maxAgeMs);
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

/** Returns the source that is furthest from the median of the others, if it is too far; null if all are close enough. */
function findFurthest(fresh: readonly SourceRate[]): SourceRate | null {
  if (fresh.length < 2) return null;
  const distances = fresh.map((one) => {
    const median = medianOf(fresh.filter((other) => other !== one));
    const [less, more] = one.rate > median ? [median, one.rate] : [one.rate, median];
    return { one, less, more, isTooFar: (more - less) * OF > median * FURTHEST };
  });
  // Sorts by ratio, not by difference. A rate near 0 halves the medians of the other sources, but its own ratio is far larger than theirs.
  const [furthest] = distances
    .filter(({ isTooFar }) => isTooFar)
    .sort((left, right) => (left.more * right.less > right.more * left.less ? -1 : 1));
  return furthest?.one ?? null;
}

/** Returns the median. For an even count, it is the mean of the two middle numbers, rounded down. */
function medianOf(rates: readonly SourceRate[]): Rate {
  const sorted = rates.map(({ rate }) => rate).sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const middle = Math.floor(sorted.length / 2);
  const [low = 0n, high = 0n] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2n;
}
