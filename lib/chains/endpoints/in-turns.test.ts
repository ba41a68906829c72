import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurns } from "@/lib/chains/endpoints/endpoints";

test("results are in the sequence of the items, however long each takes, and never more than allowed are in flight", async () => {
  let inFlight = 0;
  let highest = 0;
  const results = await inTurns([5, 1, 4, 2, 3, 0], 3, async (turns) => {
    highest = Math.max(highest, ++inFlight);
    for (let waited = 0; waited < turns; waited++) await turn();
    inFlight -= 1;
    return turns * 10;
  });
  expect([results, highest]).toEqual([[50, 10, 40, 20, 30, 0], 3]);
  expect(await inTurns([], 3, async () => 1)).toEqual([]);
});

test("a slow item does not delay the start of the others", async () => {
  const started: number[] = [];
  const slow = Promise.withResolvers<void>();
  const all = inTurns([0, 1, 2, 3], 2, async (item) => {
    started.push(item);
    if (item === 0) await slow.promise;
  });
  for (let waited = 0; waited < 10; waited++) await turn();
  expect(started).toEqual([0, 1, 2, 3]);
  slow.resolve();
  await all;
});

test("after a failure, no further item is started", async () => {
  const started: number[] = [];
  const all = inTurns([0, 1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    await turn();
    if (item === 1) throw new Error("one failed");
  });
  await expect(all).rejects.toThrow("one failed");
  for (let waited = 0; waited < 10; waited++) await turn();
  expect(started).not.toContain(4);
  expect(started).not.toContain(5);
});
