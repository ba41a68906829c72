const SHORTEST_STALL_MS = 15_000;

/** A number that a chain only ever raises, such as the height that is final. */
interface Rising {
  /** As one endpoint tells it; null where nobody knows. */
  byOne: () => Promise<number | null>;
  /** As each of them tells it. */
  byAll: () => Promise<(number | null)[]>;
  /** How long blocks take now. */
  blockMs: () => number;
}

/**
 * Reads such a number. One that stands still for a while may only do so at the endpoint that is asked first, so all of
 * them are asked then, and the highest counts.
 */
export function createRisingReader({ byOne, byAll, blockMs }: Rising, now: () => Date): () => Promise<number | null> {
  let highest: number | null = null;
  let risenAt = now();

  return async () => {
    const told = await byOne();
    const stallMs = Math.max(4 * blockMs(), SHORTEST_STALL_MS);
    const isStalled = highest !== null && (told ?? -1) <= highest && now().getTime() - risenAt.getTime() >= stallMs;
    const heights = (isStalled ? [told, ...(await byAll())] : [told]).filter((height) => height !== null);
    if (heights.length === 0) return null;
    const found = Math.max(...heights);
    if (isStalled || found > (highest ?? -1)) [highest, risenAt] = [found, now()];
    return found;
  };
}
