/** The parameters of a page's URL. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** A place in a list that is sorted newest first: the rows after (older) or before (newer) an id. */
export type ListCursor = { after: string } | { before: string } | null;

/** Rows of a page of a long list. */
export const PAGE_SIZE = 50;

/** Reads the place in a list from the parameters of a URL. */
export function parseListCursor(params: SearchParams): ListCursor {
  const after = firstValue(params["after"]);
  const before = firstValue(params["before"]);
  if (after) return { after };
  return before ? { before } : null;
}

/** Writes a place in a list as a query string. */
export function writeListCursor(cursor: ListCursor): string {
  return cursor ? `?${new URLSearchParams(cursor)}` : "";
}

/** The value of a parameter, the first of several; empty where there is none. */
export function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}
