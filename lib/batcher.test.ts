import { expect, test, vi } from "vitest";
import { createBatcher } from "@/lib/batcher";

interface Job {
  owner: string;
  name: string;
}

/** Creates a batcher whose batches the test completes. */
function open(isWorthRetrying = true) {
  const batches: { names: string[]; done: PromiseWithResolvers<string[]> }[] = [];
  const ask = createBatcher<Job, string>({
    run(jobs) {
      const done = Promise.withResolvers<string[]>();
      batches.push({ names: jobs.map(({ name }) => name), done });
      return done.promise;
    },
    ownerOf: ({ owner }) => owner,
    isWorthRetrying: () => isWorthRetrying,
  });
  const seen = (count: number) => vi.waitFor(() => expect(batches).toHaveLength(count));
  const succeed = (index: number) => batches[index]?.done.resolve(batches[index].names.map((name) => `${name}!`));
  return { ask: (name: string, owner = "one") => ask({ owner, name }), batches, seen, succeed };
}

/** Waits for some turns of the event loop instead of a fixed time, because a batch that takes longer than 100 ms is late. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise(setImmediate);
}

test("concurrent items run together, and each gets its own result", async () => {
  const { ask, batches, seen, succeed } = open();
  const answers = Promise.all(["a", "b", "c"].map((name) => ask(name)));
  await seen(1);
  succeed(0);
  expect(await answers).toEqual(["a!", "b!", "c!"]);
  expect(batches[0]?.names).toEqual(["a", "b", "c"]);
});

test("items that arrive during a run wait for it, four at most, and then run together", async () => {
  const { ask, batches, seen, succeed } = open();
  const first = ask("first");
  await seen(1);
  const few = Promise.all(["a", "b", "c", "d"].map((name) => ask(name)));
  await turns();
  expect(batches).toHaveLength(1);
  succeed(0);
  expect(await first).toBe("first!");
  await seen(2);
  succeed(1);
  expect(await few).toEqual(["a!", "b!", "c!", "d!"]);
});

test("where more wait, they go beside it, 64 in a batch and three batches at most", async () => {
  const { ask, batches, succeed } = open();
  const first = ask("first");
  await turns();
  const names = Array.from({ length: 140 }, (_, index) => `n${index}`);
  const rest = Promise.all(names.map((name) => ask(name)));
  await turns();
  expect(batches.map((batch) => batch.names.length)).toEqual([1, 64, 64]);
  succeed(1);
  await turns();
  expect(batches[3]?.names).toHaveLength(12);
  for (const index of [0, 2, 3]) succeed(index);
  expect(await first).toBe("first!");
  expect(await rest).toEqual(names.map((name) => `${name}!`));
});

test("where one of many fails, it fails alone", async () => {
  const ask = createBatcher<string, string>({
    run: async (names) => (names.includes("bad") ? Promise.reject(new Error("refused")) : names),
    ownerOf: () => "one",
    isWorthRetrying: () => true,
  });
  const answers = await Promise.allSettled(["a", "bad", "b"].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await ask("next")).toBe("next");
});

test("a failure of all items is reported to each and not retried", async () => {
  const { ask, batches, seen } = open(false);
  const answers = Promise.allSettled(["a", "b"].map((name) => ask(name)));
  await seen(1);
  batches[0]?.done.reject(new Error("away"));
  expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(batches).toHaveLength(1);
});

test("results that do not match their items are discarded", async () => {
  const { ask, batches, seen } = open(false);
  const answers = Promise.allSettled(["a", "b"].map((name) => ask(name)));
  await seen(1);
  batches[0]?.done.resolve(["a!"]);
  expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("an owner with slow work delays only itself", async () => {
  const { ask, batches, seen, succeed } = open();
  const slow = ask("slow", "stuck");
  await seen(1);
  const more = ask("more", "stuck");
  const other = ask("other", "well");
  const another = ask("another", "third");
  await seen(2);
  succeed(1);
  expect(await other).toBe("other!");
  await seen(3);
  succeed(2);
  expect(await another).toBe("another!");
  expect(batches.map(({ names }) => names)).toEqual([["slow"], ["other"], ["another"]]);
  succeed(0);
  expect(await slow).toBe("slow!");
  await seen(4);
  succeed(3);
  expect(await more).toBe("more!");
});

test("a batch that failed late is repeated item by item, and then work continues", async () => {
  const { ask, batches, seen, succeed } = open();
  const answers = Promise.allSettled([ask("a", "one"), ask("b", "two")]);
  await seen(1);
  const third = ask("c", "three");
  await seen(2);
  batches[0]?.done.reject(new Error("a lock was held for too long"));
  await seen(4);
  for (const index of [1, 2, 3]) succeed(index);
  expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await third).toBe("c!");
  const next = ask("d", "one");
  await seen(5);
  succeed(4);
  expect(await next).toBe("d!");
});

test("only so many may wait", async () => {
  const { ask, seen } = open();
  void ask("first");
  await seen(1);
  for (let count = 0; count < 4_096; count++) void ask(`n${count}`);
  await expect(ask("one too many")).rejects.toMatchObject({ code: 10006, retryAfterSeconds: 2 });
});
