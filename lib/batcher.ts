import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";

interface BatcherOptions<Item, Result> {
  /**
   * Processes many items in one batch. If it rejects, nothing was done or the outcome is unknown.
   * @returns the results in the order of the items
   */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Returns the owner of an item. A slow owner does not delay other owners. */
  ownerOf(item: Item): string;
  /** Returns true if the failure of a batch may concern only one item. Each item is then retried alone. */
  isWorthRetrying(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  owner: string;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const MAX_CONCURRENCY = 64;
const MAX_WAITING = 4_096;
/** The maximum number of concurrent batches that are not late. While one batch waits for the disk, the others use the processors. */
const TRANSACTIONS = 3;
/** The number of queued items that justifies the fixed cost of another concurrent batch. */
const WORTH_A_BATCH = 5;
const LATE_MS = 100;

/**
 * Creates a function that batches work that arrives together. If no batch is running, work starts immediately; while one or two are
 * running, the next batch collects items until five are waiting. Each item has its own result. If a batch fails, its items are retried
 * separately, so that an invalid item fails alone. A batch that takes longer than 100 ms does not delay others: further batches run
 * concurrently, each with the items of a single owner, and owners of items in the late batch wait until it ends. If the process dies, a
 * batch is as atomic as `run`, and no caller has received a result; a repeated call determines the outcome.
 * @throws AppError 10006 from the returned function while 4,096 items wait
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const late = new Map<string, number>();
  let underWay = 0;
  let isPlanned = false;

  const mayBegin = () => underWay < TRANSACTIONS && waiting.length >= (underWay === 0 ? 1 : WORTH_A_BATCH);

  /** Schedules the next batch after all work that arrives in this turn of the event loop. */
  function plan(): void {
    if (isPlanned || !mayBegin()) return;
    isPlanned = true;
    setImmediate(start);
  }

  function start(): void {
    isPlanned = false;
    while (mayBegin()) {
      const batch = take();
      if (batch.length === 0) return;
      void send(batch);
    }
  }

  function take(): Waiting<Item, Result>[] {
    if (late.size === 0) return waiting.splice(0, MAX_CONCURRENCY);
    const first = waiting.find(({ owner }) => !late.has(owner));
    if (!first) return [];
    const batch = waiting.filter(({ owner }) => owner === first.owner).slice(0, MAX_CONCURRENCY);
    const batchSet = new Set(batch);
    waiting = waiting.filter((entry) => !batchSet.has(entry));
    return batch;
  }

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    underWay += 1;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      underWay -= 1;
      for (const { owner } of batch) late.set(owner, (late.get(owner) ?? 0) + 1);
      plan();
    }, LATE_MS);
    await answer(batch, options);
    clearTimeout(timer);
    if (isLate) for (const { owner } of batch) forget(late, owner);
    else underWay -= 1;
    plan();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAX_WAITING) {
        return reject(new AppError(problem("queue_full"), { retryAfterSeconds: 2 }));
      }
      waiting.push({ item, owner: options.ownerOf(item), resolve, reject });
      plan();
    });
}

/** Never rejects. */
async function answer<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  { run, isWorthRetrying }: Pick<BatcherOptions<Item, Result>, "run" | "isWorthRetrying">,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    if (results.length !== batch.length) throw new Error(`${batch.length} requested, ${results.length} returned`);
    batch.forEach(({ resolve }, index) => {
      resolve(results[index] as Result);
    });
  } catch (error) {
    if (batch.length === 1 || !isWorthRetrying(error)) for (const { reject } of batch) reject(error);
    else await Promise.all(batch.map((entry) => answer([entry], { run, isWorthRetrying })));
  }
}

function forget(late: Map<string, number>, owner: string): void {
  const left = (late.get(owner) ?? 1) - 1;
  if (left > 0) late.set(owner, left);
  else late.delete(owner);
}
