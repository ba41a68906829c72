/** The current rows of a list, which an open page fetches to update the rows that it shows. */
export interface LivePage<Row> {
  /** The rows, newest first. More than one page is read, so that new rows do not displace the rows that are shown. */
  rows: Row[];
  /** The id above which all rows were read; null if the entire list was read. */
  until: string | null;
  at: Date;
}

/** Returns the number of rows to read for a page of the given size. */
export const liveLimit = (pageSize: number) => 2 * pageSize;

/** A displayed row. `isGone` is true if it no longer matches the list's filter. */
export interface LiveRow<Row> {
  row: Row;
  isGone: boolean;
}

/**
 * Merges the current rows into the rows that a page shows. Each row keeps its position and gets its current values. New rows are only
 * counted, so that rows do not move while a user works with them.
 * @param pageSize the number of rows of a full page; rows below the last row of a full page belong to the next page
 */
export function mergeLive<Row extends { id: string }>(
  shown: readonly Row[],
  { rows, until }: LivePage<Row>,
  pageSize: number,
): { rows: LiveRow<Row>[]; newCount: number } {
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const known = new Set(shown.map(({ id }) => id));
  const bottom = shown.length < pageSize ? "" : (shown.at(-1)?.id ?? "");
  return {
    rows: shown.map((row) => ({
      row: fresh.get(row.id) ?? row,
      isGone: !fresh.has(row.id) && row.id > (until ?? ""),
    })),
    newCount: rows.filter(({ id }) => !known.has(id) && id > bottom).length,
  };
}

const [UNITS, TIME] = ["$units", "$time"] as const;

/** Serializes rows for the browser. Types that JSON lacks, base units and times, are marked. */
export function writeLive<Row>(page: LivePage<Row>): string {
  return JSON.stringify(mark(page));
}

/** Parses the output of `writeLive`. */
export function readLive<Row>(text: string): LivePage<Row> {
  return JSON.parse(text, (_key, value) => {
    if (value === null || typeof value !== "object") return value;
    if (typeof value[UNITS] === "string") return BigInt(value[UNITS]);
    return typeof value[TIME] === "string" ? new Date(value[TIME]) : value;
  });
}

function mark(value: unknown): unknown {
  if (typeof value === "bigint") return { [UNITS]: value.toString() };
  if (value instanceof Date) return { [TIME]: value.toISOString() };
  if (Array.isArray(value)) return value.map(mark);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mark(part)]));
}
