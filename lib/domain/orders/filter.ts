import { firstValue, type ListPlace, type SearchParams } from "@/lib/domain/list-place";
import { PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { CURRENCIES, type Currency, findNetwork } from "@/lib/domain/networks";
import { ORDER_EXCEPTIONS, ORDER_STATUSES, type OrderException, type OrderStatus } from "@/lib/domain/orders/order";

/** Which orders a list or a file shows; lives only in the URL. */
export interface OrderFilter {
  status?: OrderStatus;
  exception?: OrderException;
  /** Id of a network. */
  network?: string;
  currency?: Currency;
  /** Only orders whose callback fares so. */
  callback?: CallbackStatus;
  /** First and last day on which they were made, both included: "2026-11-22", in UTC. */
  from?: string;
  to?: string;
  /** Least and most that the payer is asked for, both included: decimal texts, in whichever token. */
  min?: string;
  max?: string;
  /** Order id, the merchant's own number or its beginning, transaction hash or address. */
  text?: string;
}

export const CALLBACK_STATUSES = ["pending", "delivered", "failed"] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

const TEXT_LIMIT = 100;
const DAY_MS = 86_400_000;

type Reader<Field extends keyof OrderFilter> = (typed: string) => OrderFilter[Field];

const oneOf =
  <T extends string>(known: readonly T[]) =>
  (typed: string) =>
    known.find((one) => one === typed);

/**
 * Each field of a filter: its parameter in the URL, and how that is read; what makes no sense is nothing. The forms, the chips,
 * the URL of a page and of a file are all read and written by this table.
 */
const FIELDS: { readonly [Field in keyof Required<OrderFilter>]: { param: string; read: Reader<Field> } } = {
  text: { param: "q", read: (typed) => typed.trim().slice(0, TEXT_LIMIT) },
  status: { param: "status", read: oneOf(ORDER_STATUSES) },
  exception: { param: "exception", read: oneOf(ORDER_EXCEPTIONS) },
  network: { param: "network", read: (typed) => findNetwork(typed)?.id },
  currency: { param: "currency", read: oneOf(CURRENCIES) },
  callback: { param: "callback", read: oneOf(CALLBACK_STATUSES) },
  from: { param: "from", read: readDay },
  to: { param: "to", read: readDay },
  min: { param: "min", read: readAmount },
  max: { param: "max", read: readAmount },
};

const FIELD_NAMES = Object.keys(FIELDS) as (keyof OrderFilter)[];

/** Reads a filter from the parameters of a URL; what makes no sense is left out. */
export function parseOrderFilter(params: SearchParams): OrderFilter {
  const filter: Record<string, string> = {};
  for (const name of FIELD_NAMES) {
    const value = FIELDS[name].read(firstValue(params[FIELDS[name].param]));
    if (value) filter[name] = value;
  }
  return filter;
}

/** Writes a filter and a place as a query string, "" when there is nothing to say. */
export function writeOrderFilter(filter: OrderFilter, place: ListPlace = null): string {
  const params = new URLSearchParams();
  for (const name of FIELD_NAMES) {
    const value = filter[name];
    if (value) params.set(FIELDS[name].param, value);
  }
  for (const [name, id] of Object.entries(place ?? {})) params.set(name, id);
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** What a filter asks for, field by field, each with the filter that is left without it. */
export function partsOfFilter(filter: OrderFilter): { field: keyof OrderFilter; value: string; rest: OrderFilter }[] {
  return FIELD_NAMES.flatMap((field) => {
    const { [field]: value, ...rest } = filter;
    return value ? [{ field, value, rest }] : [];
  });
}

/** When the orders of a filter were made: from the first instant on, before the second. */
export function createdSpan({ from, to }: OrderFilter): { since: Date | null; before: Date | null } {
  return {
    since: from ? new Date(from) : null,
    before: to ? new Date(new Date(to).getTime() + DAY_MS) : null,
  };
}

/** The amounts of a filter in steps of 0.000001. */
export function amountSpan({ min, max }: OrderFilter): { least: bigint | null; most: bigint | null } {
  const steps = (text: string | undefined) => (text ? parseUnits(text, PUBLIC_DECIMALS) : null);
  return { least: steps(min), most: steps(max) };
}

function readDay(typed: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? new Date(typed) : null;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(typed) ? typed : undefined;
}

function readAmount(typed: string): string | undefined {
  const text = typed.trim();
  return text.length <= TEXT_LIMIT && /^\d{1,15}(\.\d{1,6})?$/.test(text) ? text : undefined;
}
