import { asc, desc, gt, lt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { ListPlace } from "@/lib/domain/list-place";

/** One page of a list sorted newest first, and where its neighbours are. */
export interface Page<T> {
  rows: T[];
  newer: { before: string } | null;
  older: { after: string } | null;
}

/** Condition and order that read one page of time-ordered ids from a place on; `toPage` makes the page of what it read. */
export function keyset(id: PgColumn, place: ListPlace): { where: SQL | undefined; order: SQL } {
  if (place && "before" in place) return { where: gt(id, place.before), order: asc(id) };
  return { where: place ? lt(id, place.after) : undefined, order: desc(id) };
}

/** Makes a page of `limit` rows out of up to `limit + 1` that were read by `keyset`. */
export function toPage<T extends { id: string }>(read: T[], place: ListPlace, limit: number): Page<T> {
  const isBackwards = place !== null && "before" in place;
  const hasMore = read.length > limit;
  const rows = read.slice(0, limit);
  if (isBackwards) rows.reverse();
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    newer: first && (isBackwards ? hasMore : place !== null) ? { before: first.id } : null,
    older: last && (isBackwards || hasMore) ? { after: last.id } : null,
  };
}
