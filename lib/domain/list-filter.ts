import { firstValue, type ListPlace, type SearchParams } from "@/lib/domain/list-place";

/** Of a text that is searched for: no id, hash, address or host is longer. */
export const TEXT_LIMIT = 100;
const DAY_MS = 86_400_000;

/** Each field of a filter: its parameter in the URL, and how that is read; what makes no sense is nothing. */
export type FilterFields<Filter> = {
  readonly [Field in keyof Required<Filter>]: {
    param: string;
    read(typed: string): Filter[Field] | undefined;
  };
};

/** What a filter asks for in one field, with the filter that is left without it. */
export interface FilterPart<Filter> {
  field: keyof Filter & string;
  rest: Filter;
}

/** The forms, the chips, the URL of a page and of a file are all read and written by one of these. */
export interface FilterSchema<Filter> {
  /** Reads a filter from the parameters of a URL; what makes no sense is left out. */
  parse(params: SearchParams): Filter;
  /** Writes a filter and a place as a query string, "" when there is nothing to say. */
  write(filter: Filter, place?: ListPlace): string;
  parts(filter: Filter): FilterPart<Filter>[];
}

/** The way of a filter of texts to the URL and back, made of the table of its fields. */
export function filterBy<Filter extends { [Field in keyof Filter]?: string | undefined }>(
  fields: FilterFields<Filter>,
): FilterSchema<Filter> {
  const names = Object.keys(fields) as (keyof Filter & string)[];
  return {
    parse(params) {
      const filter: Partial<Filter> = {};
      for (const name of names) {
        const value = fields[name].read(firstValue(params[fields[name].param]));
        if (value) filter[name] = value;
      }
      return filter as Filter;
    },
    write(filter, place = null) {
      const params = new URLSearchParams();
      for (const name of names) if (filter[name]) params.set(fields[name].param, String(filter[name]));
      for (const [name, id] of Object.entries(place ?? {})) params.set(name, id);
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

/** Reads one of a few known words. */
export const oneOf =
  <T extends string>(known: readonly T[]) =>
  (typed: string) =>
    known.find((one) => one === typed);

/** "2026-11-22", where there is such a day. */
export function readDay(typed: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? new Date(typed) : null;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(typed) ? typed : undefined;
}

/** The time of a filter's days, both included, in UTC: from the first instant on, before the second. */
export function createdSpan({ from, to }: { from?: string; to?: string }): { since: Date | null; before: Date | null } {
  return {
    since: from ? new Date(from) : null,
    before: to ? new Date(new Date(to).getTime() + DAY_MS) : null,
  };
}
