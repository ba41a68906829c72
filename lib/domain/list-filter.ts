import { NO_RULES, type RequestRules } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { firstValue, type ListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { findNetwork } from "@/lib/domain/networks";

/** The maximum length of a search text: no id, hash, address or host is longer. */
export const TEXT_LIMIT = 100;
const DAY_MS = 86_400_000;

/** A URL parameter, or a field of an API request that is read from the URL. Its problem is not reported. */
interface QueryField<Text extends string> {
  read(given: unknown, rules: RequestRules, body: JsonObject): { value: Text } | { problem: unknown };
}

/** URL parameters, keyed by field name. */
type QueryFields = Readonly<Record<string, QueryField<string>>>;
type QueryOf<Fields> = {
  -readonly [Name in keyof Fields]?: Fields[Name] extends QueryField<infer Text> ? Text : never;
};

/** A field of a filter, and the filter without that field. */
export interface FilterPart<Filter> {
  field: keyof Filter & string;
  rest: Filter;
}

/**
 * The schema of a filter that exists only in URLs. Forms, chips, and the URLs of pages and files all use it to read and write the filter.
 */
export interface FilterSchema<Filter> {
  /** Reads a filter from URL parameters. Invalid values are omitted. */
  parse(params: SearchParams): Filter;
  /** Returns a filter and a position as a query string; "" if both are empty. */
  write(filter: Filter, cursor?: ListCursor): string;
  parts(filter: Filter): FilterPart<Filter>[];
}

export type FilterOf<Schema> = Schema extends FilterSchema<infer Filter> ? Filter : never;

/**
 * Reads URL parameters. Empty and invalid values are omitted.
 * @param paramOf the names of parameters that differ from the names of their fields
 */
export function readQuery<Fields extends QueryFields>(
  fields: Fields,
  params: SearchParams,
  paramOf: { readonly [Name in keyof Fields]?: string } = {},
): QueryOf<Fields> {
  const values: Record<string, string> = {};
  for (const [name, { read }] of Object.entries(fields)) {
    const reading = read(firstValue(params[paramOf[name] ?? name]), NO_RULES, params);
    if ("value" in reading && reading.value !== "") values[name] = reading.value;
  }
  return values as QueryOf<Fields>;
}

/**
 * Returns the schema of a filter with these fields.
 * @param paramOf the names of parameters that differ from the names of their fields
 */
export function filterBy<Fields extends QueryFields>(
  fields: Fields,
  paramOf: { readonly [Name in keyof Fields]?: string } = {},
): FilterSchema<QueryOf<Fields>> {
  type Filter = QueryOf<Fields>;
  const names = Object.keys(fields) as (keyof Filter & string)[];
  return {
    parse: (params) => readQuery(fields, params, paramOf),
    write(filter, cursor = null) {
      const params = new URLSearchParams();
      for (const name of names) if (filter[name]) params.set(paramOf[name] ?? name, String(filter[name]));
      for (const [name, id] of Object.entries(cursor ?? {})) params.set(name, id);
      const text = params.toString();
      return text ? `?${text}` : "";
    },
    parts(filter) {
      return names.flatMap((field) => {
        const { [field]: value, ...rest } = filter;
        return value ? [{ field, rest: rest as unknown as Filter }] : [];
      });
    },
  };
}

/** Returns a parameter that `parse` reads. If `parse` returns null, the value is invalid. */
export function queryText(parse: (typed: string) => string | null | undefined): QueryField<string> {
  return {
    read: (given) => {
      const value = typeof given === "string" ? parse(given) : null;
      return value === null || value === undefined ? { problem: null } : { value };
    },
  };
}

/** A search text, truncated to the length of the longest id, hash or address. */
export const SEARCH_TEXT = queryText((typed) => typed.trim().slice(0, TEXT_LIMIT));

/** A network by its id or an alias, read as its id. */
export const NETWORK_ID = queryText((typed) => findNetwork(typed)?.id);

/** A calendar day in UTC, such as "2026-11-22". */
export const DAY = queryText((typed) => {
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? new Date(typed) : null;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(typed) ? typed : null;
});

/** Returns the period of a filter's days in UTC. Both days are included: the period starts at `since` and ends just before `before`. */
export function createdSpan({ from, to }: { from?: string; to?: string }): { since: Date | null; before: Date | null } {
  return {
    since: from ? new Date(from) : null,
    before: to ? new Date(new Date(to).getTime() + DAY_MS) : null,
  };
}
