import { asc, desc, gt, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import type { ListCursor } from "@/lib/domain/list-cursor";

/** A page of a list sorted newest first, with the positions of its neighbors. */
export interface Page<T> {
  rows: T[];
  newer: { before: string } | null;
  older: { after: string } | null;
}

/** Returns the condition and order that read one page of time-ordered ids from a position. `toPage` creates the page from the rows. */
export function keyset(id: PgColumn, cursor: ListCursor): { where: SQL | undefined; order: SQL } {
  if (cursor && "before" in cursor) return { where: gt(id, cursor.before), order: asc(id) };
  return { where: cursor ? lt(id, cursor.after) : undefined, order: desc(id) };
}

/** Returns a page of `limit` rows from up to `limit + 1` that were read by `keyset`. */
export function toPage<T extends { id: string }>(read: T[], cursor: ListCursor, limit: number): Page<T> {
  const isBackwards = cursor !== null && "before" in cursor;
  const hasMore = read.length > limit;
  const rows = read.slice(0, limit);
  if (isBackwards) rows.reverse();
  const first = rows.at(0);
  const last = rows.at(-1);
  return {
    rows,
    newer: first && (isBackwards ? hasMore : cursor !== null) ? { before: first.id } : null,
    older: last && (isBackwards || hasMore) ? { after: last.id } : null,
  };
}

/** The result of an index scan. A scan examines a bounded number of rows, however few of them match a filter. */
export interface Walked {
  /** The ids found, up to one more than a page has. */
  ids: string[];
  /** True if the scan stopped because it had examined the maximum number of rows. */
  isCut: boolean;
  /** The id of the last row that was examined, and its creation time. */
  last: string | null;
  lastAt: Date | null;
}

/** An index scan, newest first. */
export interface ScanStep {
  /** The table with its alias: "orders o". */
  from: SQL;
  /** The columns that conditions of `kept` need, including `id` and `created_at`. */
  columns: SQL;
  /** The columns by which the index is sorted, the id last. */
  sortedBy: readonly SQL[];
  /** The conditions that the index resolves. */
  along: readonly SQL[];
  /** The conditions on each examined row `w`. */
  kept: readonly SQL[];
  cursor: ListCursor;
  limit: number;
  /** The maximum number of rows that are examined, if a condition may reject some of them. */
  max: number;
}

/** Scans an index and returns the rows that match the conditions: up to one more than a page has. */
export async function scanRows(db: Db, { from, columns, sortedBy, along, kept, ...step }: ScanStep): Promise<Walked> {
  const { cursor, limit } = step;
  const isBackwards = cursor !== null && "before" in cursor;
  const [ahead, back] = isBackwards ? [sql.raw("asc"), sql.raw("desc")] : [sql.raw("desc"), sql.raw("asc")];
  const isPlain = kept.length === 0;
  const max = isPlain ? limit : step.max;
  const order = sortedBy.map((column) => sql`${column} ${ahead}`);
  // PostgreSQL evaluates a CTE only as far as its rows are needed, so a scan ends when the page is full.
  const isFull = sql`(select count(*) from found) > ${limit}`;
  const [row] = await db.execute<{ ids: string[]; looked: number; last: string | null; at: string | null }>(sql`
    with walked as (
      select ${columns} from ${from} where ${sql.join([...along], sql` and `)}
      order by ${sql.join(order, sql`, `)} limit ${max + 1}),
    found as (
      select w.id from walked w where ${sql.join([...kept, sql`true`], sql` and `)} order by w.id ${ahead} limit ${limit + 1}),
    edge as (select w.id, w.created_at from walked w order by w.id ${back} limit 1)
    select (select coalesce(json_agg(f.id order by f.id ${ahead}), '[]') from found f) as ids,
      case when ${isFull} then 0 else (select count(*) from walked)::integer end as looked,
      case when ${isFull} then null else (select e.id from edge e) end as last,
      case when ${isFull} then null else (select e.created_at from edge e) end as at`);
  if (!row) throw new Error("A select without a table returns one row");
  const lastAt = row.at === null ? null : new Date(row.at);
  return { ids: row.ids, isCut: !isPlain && row.looked > max, last: row.last, lastAt };
}

/** A page of an index scan, and the position up to which it examined rows. */
export interface WalkedPage<T> extends Page<T> {
  /**
   * The creation time of the last examined row if the page ended before it was full, because the maximum number of rows was examined;
   * otherwise null.
   */
  lookedUntil: Date | null;
}

/**
 * Returns a page of `limit` rows from the result of an index scan. If the rows do not fill the page, the next page continues after the
 * last examined row.
 */
export function toWalkedPage<T extends { id: string }>(
  rows: T[],
  found: Walked,
  cursor: ListCursor,
  limit: number,
): WalkedPage<T> {
  const isBackwards = cursor !== null && "before" in cursor;
  const edge = found.isCut && found.ids.length <= limit ? found.last : null;
  const first = rows.at(0)?.id ?? edge;
  const last = rows.at(-1)?.id ?? edge;
  const hasMore = found.ids.length > limit || edge !== null;
  const newest = isBackwards && edge ? edge : first;
  const oldest = !isBackwards && edge ? edge : last;
  return {
    rows,
    newer: newest && (isBackwards ? hasMore : cursor !== null) ? { before: newest } : null,
    older: oldest && (isBackwards || hasMore) ? { after: oldest } : null,
    lookedUntil: edge === null ? null : found.lastAt,
  };
}
