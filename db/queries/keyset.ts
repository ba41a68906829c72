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

/** What a walk along an index found: it looks at a bounded number of rows, however few of them a filter lets through. */
export interface Walked {
  /** Up to one more than a page holds. */
  ids: string[];
  /** It looked at enough. */
  isCut: boolean;
  /** The last row that was looked at, and when it was made. */
  last: string | null;
  lastAt: Date | null;
}

/** One page of a walk, and how far it looked. */
export interface WalkedPage<T> extends Page<T> {
  /** The page ended here before it was full, because it had looked at enough rows; null where it was not so. */
  lookedUntil: Date | null;
}

/** Makes a page of `limit` rows out of what a walk found; where that does not fill it, the next page goes on from there. */
export function toWalkedPage<T extends { id: string }>(
  rows: T[],
  found: Walked,
  place: ListPlace,
  limit: number,
): WalkedPage<T> {
  const isBackwards = place !== null && "before" in place;
  const edge = found.isCut && found.ids.length <= limit ? found.last : null;
  const [first, last] = [rows.at(0)?.id ?? edge, rows.at(-1)?.id ?? edge];
  const hasMore = found.ids.length > limit || edge !== null;
  const newest = isBackwards && edge ? edge : first;
  const oldest = !isBackwards && edge ? edge : last;
  return {
    rows,
    newer: newest && (isBackwards ? hasMore : place !== null) ? { before: newest } : null,
    older: oldest && (isBackwards || hasMore) ? { after: oldest } : null,
    lookedUntil: edge === null ? null : found.lastAt,
  };
}
