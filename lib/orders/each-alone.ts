import type { Db } from "@/db/client";
import { noteFailure } from "@/db/queries/transfers/failing-rows";
import { isDatabaseAway } from "@/db/unavailable";
import { type FailingTask, failurePlace, failureReason } from "@/lib/domain/transfers/failing-task";
import type { StoryContext } from "@/lib/orders/story-context";

interface Task<T extends { id: string }> {
  name: FailingTask;
  items: readonly T[];
  /** Does the task for all of these or for none: a transaction. */
  work: (items: readonly T[]) => Promise<void>;
}

/**
 * Does something for many rows at once so that a bad one fails alone: where the work fails it is done for halves, down to the
 * row itself, which is told and has its turn again later.
 * @throws what `work` throws while the database is away: that is no row's fault
 */
export async function eachAlone<T extends { id: string }>(
  db: Db,
  ctx: StoryContext,
  { name, items, work }: Task<T>,
  now: Date,
): Promise<void> {
  const [first] = items;
  if (!first) return;
  try {
    await work(items);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (items.length === 1) return tellFailure(db, ctx, { task: name, id: first.id }, error, now);
    const half = Math.ceil(items.length / 2);
    await eachAlone(db, ctx, { name, items: items.slice(0, half), work }, now);
    await eachAlone(db, ctx, { name, items: items.slice(half), work }, now);
  }
}

/** Keeps and logs that a row failed at its task; nothing of the row is logged but its id. */
export async function tellFailure(
  db: Db,
  ctx: StoryContext,
  { task, id }: { task: FailingTask; id: string },
  error: unknown,
  now: Date,
): Promise<void> {
  const reason = failureReason(error);
  const failures = await noteFailure(db, { task, id, reason }, now);
  ctx.log.error({ task, id, failures, reason, place: failurePlace(error) }, FAILED[task]);
}

const FAILED: Readonly<Record<FailingTask, string>> = {
  match: "a transfer could not be matched; it is tried again, and the others go on",
  confirm: "a transfer could not be confirmed; it is tried again, and the others go on",
  expire: "an order could not expire; it is tried again, and the others go on",
  release: "what a quote holds could not be released; it is tried again, and the others go on",
};
