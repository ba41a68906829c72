import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { namedTargetColumn } from "@/db/queries/credit-targets";
import { scanRows, toWalkedPage, type Walked, type WalkedPage } from "@/db/queries/keyset";
import { idList } from "@/db/queries/many-rows";
import { callbackAttempts, callbacks } from "@/db/schema";
import { type CallbackType, PAUSE_FROM_FAILURES } from "@/lib/domain/callbacks/callback";
import { type CallbackFilter, originsOf } from "@/lib/domain/callbacks/filter";
import type { NamedTarget } from "@/lib/domain/credit-target";
import { firstIdAt, idBefore } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";

/** The maximum number of callbacks that are examined for a page, however few of them match. */
const MAX_EXAMINED = 2_000;
/** The prefix of event ids. */
const EVENT = "evt_";

/** A callback in a list, with its last attempt. */
export type ListedCallback = Awaited<ReturnType<typeof readCallbacks>>[number];

/**
 * Returns a merchant's callbacks that match a filter, newest first. Scans the index of all callbacks, or of the failed ones, and examines
 * a bounded number of callbacks. If the matches do not fill the page, the next page continues after the last examined callback.
 */
export async function listCallbacks(
  db: Db,
  merchantId: string,
  filter: CallbackFilter,
  cursor: ListCursor,
  limit: number,
): Promise<WalkedPage<ListedCallback>> {
  const found = await scanCallbacks(db, merchantId, filter, cursor, limit);
  const rows = await readCallbacks(db, merchantId, found.ids.slice(0, limit));
  return toWalkedPage(rows, found, cursor, limit);
}

/**
 * Scans the callbacks by id, or failed callbacks by creation time, as their index does. Both sort orders agree, because ids begin with the
 * time.
 */
function scanCallbacks(
  db: Db,
  merchantId: string,
  filter: CallbackFilter,
  cursor: ListCursor,
  limit: number,
): Promise<Walked> {
  const isOfFailed = filter.status === "failed";
  return scanRows(db, {
    from: sql`callbacks c`,
    columns: sql`c.id, c.status, c.type, c.origin, c.created_at`,
    sortedBy: [...(isOfFailed ? [sql`c.created_at`] : []), sql`c.id`],
    along: [
      sql`c.merchant_id = ${merchantId}`,
      ...(isOfFailed ? [sql`c.status = 'failed'`] : []),
      ...spanOf(filter),
      ...(cursor ? fromCursor(merchantId, cursor, isOfFailed) : []),
    ],
    kept: keptBy(filter),
    cursor,
    limit,
    max: MAX_EXAMINED,
  });
}

function fromCursor(merchantId: string, cursor: NonNullable<ListCursor>, isByTime: boolean): SQL[] {
  const [id, beyond] = "before" in cursor ? [cursor.before, sql.raw(">")] : [cursor.after, sql.raw("<")];
  const at = sql`(select p.created_at from callbacks p where p.merchant_id = ${merchantId} and p.id = ${id})`;
  return [sql`c.id ${beyond} ${id}`, ...(isByTime ? [sql`c.created_at ${beyond}= ${at}`] : [])];
}

/** Returns the period of a filter as conditions that either index supports. */
function spanOf(filter: CallbackFilter, c: SQL = sql.raw("c")): SQL[] {
  const { since, before } = createdSpan(filter);
  return [
    ...(since
      ? [sql`${c}.created_at >= ${since.toISOString()}::timestamptz`, sql`${c}.id >= ${EVENT + idBefore(since)}`]
      : []),
    ...(before
      ? [sql`${c}.created_at < ${before.toISOString()}::timestamptz`, sql`${c}.id < ${EVENT + firstIdAt(before)}`]
      : []),
  ];
}

/** Returns the conditions on each examined callback `w`. */
function keptBy({ status, type, host }: CallbackFilter): SQL[] {
  return [
    ...(status && status !== "failed" ? [sql`w.status = ${status}`] : []),
    ...(type ? [sql`w.type = ${type}`] : []),
    ...(host ? [sql`w.origin = any(${idList(originsOf(host))})`] : []),
  ];
}

/**
 * The time by which an attempt may seem older than its callback, because the clocks of workers differ. With this
 * condition PostgreSQL skips the monthly partitions from before the callback.
 */
const CLOCK_SPREAD = sql.raw("interval '1 day'");

const lastAttempt = (db: Db) =>
  db
    .select({
      durationMs: callbackAttempts.durationMs,
      httpStatus: callbackAttempts.httpStatus,
      error: callbackAttempts.error,
      startedAt: callbackAttempts.startedAt,
    })
    .from(callbackAttempts)
    .where(
      and(
        eq(callbackAttempts.callbackId, callbacks.id),
        eq(callbackAttempts.merchantId, callbacks.merchantId),
        eq(callbackAttempts.number, callbacks.attempts),
        sql`${callbackAttempts.startedAt} >= ${callbacks.createdAt} - ${CLOCK_SPREAD}`,
      ),
    )
    .limit(1)
    .as("last_attempt");

/** The credit target that a callback belongs to. */
const target = namedTargetColumn("callbacks").mapWith((found: NamedTarget) => found);

/** Returns the columns of callbacks for a list, newest first. */
async function readCallbacks(db: Db, merchantId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const last = lastAttempt(db);
  return db
    .select({
      id: callbacks.id,
      target,
      type: callbacks.type,
      url: callbacks.url,
      origin: callbacks.origin,
      status: callbacks.status,
      attempts: callbacks.attempts,
      seriesAttempts: callbacks.seriesAttempts,
      nextAttemptAt: callbacks.nextAttemptAt,
      unsignedReason: callbacks.unsignedReason,
      createdAt: callbacks.createdAt,
      lastHttpStatus: callbacks.lastHttpStatus,
      /** The duration of the last attempt; null before the first. */
      durationMs: last.durationMs,
      error: last.error,
      triedAt: last.startedAt,
    })
    .from(callbacks)
    .leftJoinLateral(last, sql`true`)
    .where(and(eq(callbacks.merchantId, merchantId), sql`${callbacks.id} = any(${idList(ids)})`))
    .orderBy(desc(callbacks.id));
}

/** The maximum number of a merchant's newest callbacks whose origins are checked. */
const MAX_ORIGINS_EXAMINED = 1_000;
/** The maximum number of callbacks that are counted. */
export const MAX_COUNTED = 1_000;

/** An origin that keeps failing. It is probed with one delivery at a time, and paused between two probes. */
export interface PausedOrigin {
  origin: string;
  /** The number of consecutive failures. */
  failures: number;
  /** The time of the next probe; null if it is due now. */
  pausedUntil: Date | null;
  /** The number of the merchant's callbacks that are pending for the origin, at most MAX_COUNTED. */
  waiting: number;
}

/** Returns the failing origins to which the merchant's newest callbacks are sent. */
export async function listPausedOrigins(db: Db, merchantId: string): Promise<PausedOrigin[]> {
  const rows = await db.execute<{ origin: string; failures: number; until: string | null; waiting: number }>(sql`
    with newest as (
      select c.origin from callbacks c where c.merchant_id = ${merchantId} order by c.id desc limit ${MAX_ORIGINS_EXAMINED}),
    own as (select distinct origin from newest)
    select o.origin, o.failures, o.paused_until as until,
      (select count(*)::integer from (
        select from callbacks c where c.origin = o.origin and c.status = 'pending' and c.merchant_id = ${merchantId}
        limit ${MAX_COUNTED}) counted) as waiting
    from own join lateral (
      select k.* from callback_origins k where k.origin = own.origin and k.failures >= ${PAUSE_FROM_FAILURES} limit 1) o on true
    order by o.origin`);
  return rows.map(({ until, ...row }) => ({ ...row, pausedUntil: until === null ? null : new Date(until) }));
}

/** Returns the number of a merchant's failed callbacks that match a filter, up to MAX_COUNTED. The status of the filter is ignored. */
export async function countFailedCallbacks(db: Db, merchantId: string, filter: CallbackFilter): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from (${failedOf(merchantId, filter, MAX_COUNTED)}) counted`);
  return row?.count ?? 0;
}

/** Returns a query for the ids of failed callbacks that match a filter, oldest first. */
export function failedOf(merchantId: string, { status: _any, ...filter }: CallbackFilter, limit: number): SQL {
  const kept = keptBy(filter);
  return sql`
    select w.id from callbacks w
    where w.merchant_id = ${merchantId} and w.status = 'failed'
      and ${sql.join([sql`true`, ...spanOf(filter, sql.raw("w")), ...kept], sql` and `)}
    order by w.created_at limit ${limit}`;
}

const ATTEMPTS_SHOWN = 50;

/** Returns the newest attempts of a callback, newest first. */
export async function listAttempts(db: Db, merchantId: string, callback: { id: string; createdAt: Date }) {
  return db
    .select()
    .from(callbackAttempts)
    .where(
      and(
        eq(callbackAttempts.callbackId, callback.id),
        eq(callbackAttempts.merchantId, merchantId),
        sql`${callbackAttempts.startedAt} >= ${callback.createdAt.toISOString()}::timestamptz - ${CLOCK_SPREAD}`,
      ),
    )
    .orderBy(desc(callbackAttempts.number))
    .limit(ATTEMPTS_SHOWN);
}

/** Returns a callback of a merchant with its newest attempts first, and its credit target; null if there is none. */
export async function findCallback(db: Db, merchantId: string, id: string) {
  const [row] = await db
    .select({ callback: callbacks, target })
    .from(callbacks)
    .where(and(eq(callbacks.merchantId, merchantId), eq(callbacks.id, id)));
  if (!row) return null;
  return { ...row.callback, target: row.target, tries: await listAttempts(db, merchantId, row.callback) };
}

/** Returns the callbacks of an order with the hosts that they are sent to, oldest first, and the host of future callbacks. */
export async function listCallbackHosts(db: Db, merchantId: string, orderId: string) {
  const [order] = await db.execute<{ url: string | null }>(sql`
    select o.notify_url as url from orders o where o.id = ${orderId} and o.merchant_id = ${merchantId}`);
  const rows = await db.execute<{ id: string; type: CallbackType; url: string }>(sql`
    select c.id, c.type, c.url from callbacks c where c.order_id = ${orderId} and c.merchant_id = ${merchantId} order by c.id`);
  const pending = rows.map(({ id, type, url }) => ({ id, type, host: new URL(url).host }));
  return { pending, notifyHost: order?.url ? new URL(order.url).host : null };
}
