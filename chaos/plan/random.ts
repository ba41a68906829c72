/** A reproducible source of random numbers: the same seed returns the same numbers in the same order. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from `min` to `max`, both inclusive. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  /**
   * Returns a random item.
   * @throws Error if there are no items
   */
  pick<T>(items: readonly T[]): T;
  /** Returns the key of an entry, selected by weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  shuffled<T>(items: readonly T[]): T[];
}

/** Creates a Mulberry32 generator with 32 bits of state, which is good enough for tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new Error("There is nothing to choose from");
    return items[int(0, items.length - 1)] as T;
  };
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick,
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const found = entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? entries[0])?.[0] as keyof typeof weights;
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((left, right) => left.at - right.at)
        .map(({ item }) => item),
  };
}
