/** The parameters of a page's URL. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** A position in a list that is sorted newest first: the rows after (older) or before (newer) an id. */
export type ListCursor = { after: string } | { before: string } | null;

/** The number of rows per page of a long list. */
export const PAGE_SIZE = 50;

/** Reads the position in a list from the parameters of a URL. */
export function parseListCursor(params: SearchParams): ListCursor {
  const after = firstValue(params["after"]);
  const before = firstValue(params["before"]);
  if (after) return { after };
  return before ? { before } : null;
}

/** Returns a position in a list as a query string. */
export function writeListCursor(cursor: ListCursor): string {
  return cursor ? `?${new URLSearchParams(cursor)}` : "";
}

/** Returns the value of a parameter, the first if there are several; empty if there is none. */
export function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}
