import { expect, test } from "vitest";
import { createRisingReader } from "@/lib/chains/endpoints/heights";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

/**
 * Returns the results of a reader that is called once a second. The first endpoint returns the values of `first` in turn; the second
 * always returns `other`.
 */
async function readings(first: (number | null)[], other: number | null): Promise<(number | null)[]> {
  let second = 0;
  const now = () => at(second);
  const byOne = async () => first[second] ?? null;
  const read = createRisingReader(
    { byOne, byAll: async () => [first[second] ?? null, other], blockMs: () => 1_000 },
    now,
  );
  const found: (number | null)[] = [];
  for (; second < first.length; second++) found.push(await read());
  return found;
}

test("a rising height is read from one endpoint only", async () => {
  expect(await readings([1, 2, 2, 3], 100)).toEqual([1, 2, 2, 3]);
});

test("a height that is unchanged for fifteen seconds is read from all, and again after as long", async () => {
  const found = await readings(Array(32).fill(5), 100);
  expect(found.flatMap((height, second) => (height === 100 ? [second] : []))).toEqual([15, 30]);
});

test("an endpoint that lost it is outvoted by one that has it; without any there is no height", async () => {
  expect((await readings([5, ...Array(15).fill(null)], 6)).at(-1)).toBe(6);
  expect(await readings([null, null], 6)).toEqual([null, null]);
});
