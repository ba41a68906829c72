import { and, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { failingRows } from "@/db/schema";
import { isDatabaseAway } from "@/db/unavailable";
import { type FailingTask, failurePlace, failureReason } from "@/lib/domain/transfers/failing-task";

/** Many ids as one parameter: `where id = any(…)`, so that a statement's text is the same however many they are. */
export function idList(ids: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
}

/** Rows as one parameter, to be read by `jsonb_to_recordset`; base units go as text. */
export function rowList(rows: readonly object[]): SQL {
  const text = JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
  return sql`${text}::text::jsonb`;
}

interface Context {
  log: { error(facts: object, words: string): void };
}

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
  ctx: Context,
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
  ctx: Context,
  { task, id }: { task: FailingTask; id: string },
  error: unknown,
  now: Date,
): Promise<void> {
  const reason = failureReason(error);
  const noted = await noteFailure(db, { task, id, reason }, now);
  ctx.log.error({ task, id, ...noted, reason, place: failurePlace(error) }, FAILED[task]);
}

const FAILED: Readonly<Record<FailingTask, string>> = {
  match: "a transfer could not be matched; it is tried again, and the others go on",
  confirm: "a transfer could not be confirmed; it is tried again, and the others go on",
  expire: "an order could not expire; it is tried again, and the others go on",
  release: "what a quote holds could not be released; it is tried again, and the others go on",
  refund: "a look at a refund could not be written down; it is tried again, and the others go on",
};

const FIRST_WAIT = sql`interval '5 seconds'`;
const LONGEST_WAIT = sql`interval '15 minutes'`;
/** A row that was due so long ago needs its task no more: due ones are tried every second. */
const STALE_MS = 3_600_000;

interface Failure {
  task: FailingTask;
  id: string;
  reason: string;
}

/** What is known of a failure once it is kept. */
interface Noted {
  failures: number;
  network?: string;
  tradeId?: string | null;
}

/**
 * Keeps that a row failed, and when it is its turn again: after 5 seconds, and twice as long each time, up to a quarter of an hour.
 * @returns how often it has failed in a row, and the order that it is about; `failures` 0 where there is no such row any more
 */
export async function noteFailure(db: Db, { task, id, reason }: Failure, now: Date): Promise<Noted> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await db.execute<{ failures: number; network: string; tradeId: string | null }>(sql`
    with owner as (${ownerOf(task, id)}), noted as (
    insert into failing_rows as f (task, id, merchant_id, network, failures, first_failed_at, retry_at, reason)
    select ${task}, ${id}, owner.merchant_id, owner.network, 1, ${at}, ${at} + ${FIRST_WAIT}, ${reason} from owner
    on conflict (task, id, merchant_id) do update set failures = f.failures + 1, reason = excluded.reason,
      retry_at = ${at} + least(${LONGEST_WAIT}, ${FIRST_WAIT} * (2 ^ least(f.failures, 20)))
    returning failures)
    select failures, network, trade_id as "tradeId" from noted, owner`);
  return row ?? { failures: 0 };
}

function ownerOf(task: FailingTask, id: string): SQL {
  switch (task) {
    case "expire":
      return sql`select o.merchant_id, coalesce(o.network, '') as network, o.id as trade_id from orders o where o.id = ${id}`;
    case "release":
      return sql`select q.merchant_id, q.network, q.order_id as trade_id from quotes q where q.id = ${id} and q.released_at is null`;
    case "match":
    case "confirm":
    case "refund":
      return sql`select t.merchant_id, t.network, t.order_id as trade_id from transfers t where t.id = ${id}`;
  }
}

/** These have done their task. */
export async function forgetFailures(db: Db, task: FailingTask, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.delete(failingRows).where(and(eq(failingRows.task, task), sql`${failingRows.id} = any(${idList(ids)})`));
}

/** Lets through the rows of a query that did not fail at a task, or whose turn it is again. */
export function isTurnOf(task: FailingTask, id: SQLWrapper, now: Date): SQL {
  return sql`not exists (select from failing_rows f
    where f.task = ${task} and f.id = ${id} and f.retry_at > ${now.toISOString()}::timestamptz)`;
}

const isFresh = (now: Date) => gt(failingRows.retryAt, new Date(now.getTime() - STALE_MS));

/** How many orders and transfers of a merchant fail at something now. */
export async function countFailingOf(db: Db, merchantId: string, now: Date): Promise<number> {
  return db.$count(failingRows, and(eq(failingRows.merchantId, merchantId), isFresh(now)));
}

/** How many fail on each network, of whatever merchant. */
export async function countFailingByNetwork(db: Db, now: Date): Promise<Map<string, number>> {
  const rows = await db
    .select({ network: failingRows.network, count: sql<number>`count(*)::int` })
    .from(failingRows)
    .where(isFresh(now))
    .groupBy(failingRows.network);
  return new Map(rows.map(({ network, count }) => [network, count]));
}

/** What of a merchant fails, longest first, at most `limit`. */
export async function listFailingOf(db: Db, merchantId: string, now: Date, limit: number) {
  return db
    .select()
    .from(failingRows)
    .where(and(eq(failingRows.merchantId, merchantId), isFresh(now)))
    .orderBy(failingRows.firstFailedAt, failingRows.id)
    .limit(limit);
}
