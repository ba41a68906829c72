import { and, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { failingRows } from "@/db/schema";
import { isDatabaseAway } from "@/db/unavailable";
import { type FailingTask, failureLocation, failureReason } from "@/lib/domain/transfers/failing-task";

/** Returns many ids as one parameter: `where id = any(…)`, so that a statement's text is the same for any number of ids. */
export function idList(ids: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
}

/**
 * The ids that the first parameter of a prepared statement contains, separated by spaces: `where id = any(…)`. The subselect hides their
 * number from the planner, which would otherwise plan the statement again for each call. Planning a large statement costs more than
 * running it.
 */
export const GIVEN_IDS = "(select string_to_array($1, ' '))::text[]";

/** Returns rows as one parameter for `jsonb_to_recordset`; base units are strings. */
export function rowList(rows: readonly object[]): SQL {
  const text = JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
  return sql`${text}::text::jsonb`;
}

interface Context {
  log: { error(facts: object, message: string): void };
}

interface Task<T extends { id: string }> {
  name: FailingTask;
  items: readonly T[];
  /** Runs the task for all items or for none, in a transaction. */
  work: (items: readonly T[]) => Promise<void>;
}

/**
 * Runs a task for a batch of rows. If the task fails, it runs again for each half, down to a single row, so that a failing row does not
 * affect the others. A failing row is logged and retried later.
 * @throws the errors of `work` while the database is unavailable, because no row causes them
 */
export async function forEachIsolated<T extends { id: string }>(
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
    if (items.length === 1) return logRowFailure(db, ctx, { task: name, id: first.id }, error, now);
    const half = Math.ceil(items.length / 2);
    await forEachIsolated(db, ctx, { name, items: items.slice(0, half), work }, now);
    await forEachIsolated(db, ctx, { name, items: items.slice(half), work }, now);
  }
}

/** Stores and logs the failure of a row in its task. Only the row's id is logged. */
export async function logRowFailure(
  db: Db,
  ctx: Context,
  { task, id }: { task: FailingTask; id: string },
  error: unknown,
  now: Date,
): Promise<void> {
  const reason = failureReason(error);
  const noted = await noteFailure(db, { task, id, reason }, now);
  ctx.log.error({ task, id, ...noted, reason, cursor: failureLocation(error) }, FAILED[task]);
}

const FAILED: Readonly<Record<FailingTask, string>> = {
  match: "a transfer could not be matched; it will be retried, and the others continue",
  confirm: "a transfer could not be confirmed; it will be retried, and the others continue",
  expire: "an order could not expire; it will be retried, and the others continue",
  release: "the reservation of a quote could not be released; it will be retried, and the others continue",
  refund: "a refund check could not be recorded; it will be retried, and the others continue",
  match_refund: "a transfer could not be matched with refunds; it will be retried, and the others continue",
  confirm_refund: "the transfer of a refund could not be confirmed; it will be retried, and the others continue",
  expire_refund: "a refund could not expire; it will be retried, and the others continue",
};

const FIRST_WAIT = sql`interval '5 seconds'`;
const LONGEST_WAIT = sql`interval '15 minutes'`;
/** The time in milliseconds after which a row whose retry is overdue no longer needs its task. Due rows are retried every second. */
const STALE_MS = 3_600_000;

interface Failure {
  task: FailingTask;
  id: string;
  reason: string;
}

/** A stored failure. */
interface Noted {
  failures: number;
  network?: string;
  tradeId?: string | null;
}

/**
 * Stores the failure of a row and the time of its retry: after 5 seconds, doubled each time, up to 15 minutes.
 * @returns the number of consecutive failures, and the network and order of the row; `failures` is 0 if the row no longer exists
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
    case "match_refund":
    case "confirm_refund":
      // A transfer that completes no refund yet belongs to the merchants of all refunds with its address.
      return sql`select distinct r.merchant_id, x.network, null::text as trade_id
        from refund_transfers x join refund_requests r on r.family = x.family and r.address = x.to_address
        where x.tx_id || ' ' || x.position = ${id} limit 1`;
    case "expire_refund":
      return sql`select r.merchant_id, coalesce(r.network, '') as network, r.order_id as trade_id from refund_requests r where r.id = ${id}`;
  }
}

/** Deletes the failures of rows whose task succeeded. */
export async function forgetFailures(db: Db, task: FailingTask, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.delete(failingRows).where(and(eq(failingRows.task, task), sql`${failingRows.id} = any(${idList(ids)})`));
}

/** Returns a condition for the rows of a query that did not fail in a task, or are due for a retry. */
export function isTurnOf(task: FailingTask, id: SQLWrapper, now: Date): SQL {
  return sql`not exists (select from failing_rows f
    where f.task = ${task} and f.id = ${id} and f.retry_at > ${now.toISOString()}::timestamptz)`;
}

const isFresh = (now: Date) => gt(failingRows.retryAt, new Date(now.getTime() - STALE_MS));

/** Returns the number of a merchant's orders and transfers that currently fail in a task. */
export async function countFailingOf(db: Db, merchantId: string, now: Date): Promise<number> {
  return db.$count(failingRows, and(eq(failingRows.merchantId, merchantId), isFresh(now)));
}

/** Returns the number of failing rows on each network, of all merchants. */
export async function countFailingByNetwork(db: Db, now: Date): Promise<Map<string, number>> {
  const rows = await db
    .select({ network: failingRows.network, count: sql<number>`count(*)::int` })
    .from(failingRows)
    .where(isFresh(now))
    .groupBy(failingRows.network);
  return new Map(rows.map(({ network, count }) => [network, count]));
}

/** Returns a merchant's failing rows, the oldest failure first, at most `limit`. */
export async function listFailingOf(db: Db, merchantId: string, now: Date, limit: number) {
  return db
    .select()
    .from(failingRows)
    .where(and(eq(failingRows.merchantId, merchantId), isFresh(now)))
    .orderBy(failingRows.firstFailedAt, failingRows.id)
    .limit(limit);
}
