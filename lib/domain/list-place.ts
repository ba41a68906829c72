/** A place in a list that is sorted newest first: the rows after (older) or before (newer) an id. */
export type ListPlace = { after: string } | { before: string } | null;

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the place in a list from the parameters of a URL. */
export function parseListPlace(params: SearchParams): ListPlace {
  const [after, before] = [oneOf(params["after"]), oneOf(params["before"])];
  if (after) return { after };
  return before ? { before } : null;
}

/** Writes a place in a list as a query string. */
export function writeListPlace(place: ListPlace): string {
  return place ? `?${new URLSearchParams(place)}` : "";
}

/** The first value of a parameter of a URL; empty where there is none. */
export function oneOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}
