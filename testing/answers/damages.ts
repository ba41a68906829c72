/** The type of a field; each has its own invalid values. */
export type FieldType =
  | "quantity"
  | "height"
  | "hexTime"
  | "hash"
  | "address"
  | "word"
  | "bareHash"
  | "bareWord"
  | "number"
  | "slot"
  | "seconds"
  | "milliseconds"
  | "key"
  | "signature"
  | "amount"
  | "index"
  | "list"
  | "wholeList"
  | "object"
  | "status"
  | "text";

/** A placeholder for an omitted field. */
export const LEFT_OUT = Symbol("left out");

type Ways = Readonly<Record<string, (value: unknown) => unknown>>;

const HUGE = "9".repeat(20_000);
const YEAR_MS = 31_557_600_000;
const inDays = (days: number) => Math.floor((Date.now() + days * 86_400_000) / 1_000);
const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const text = (value: unknown) => String(value);

/** The invalid values for every type. */
const OF_ANY: Ways = {
  missing: () => LEFT_OUT,
  null: () => null,
  "an object": () => ({ hello: "world" }),
  "a list in a list": () => [[]],
  "a word": () => "rubbish",
  "an endless text": () => HUGE,
  "a fraction": () => 1.5,
  "below zero": () => -1,
};

const HEX_NUMBER: Ways = {
  "0x alone": () => "0x",
  "decimal digits": (value) => text(Number(value)),
  "a plain number": (value) => Number(value),
  "beyond 2^53": () => hex(2n ** 64n),
  "a sign before it": () => "-0x1",
};

const HASH: Ways = {
  "a byte too short": (value) => text(value).slice(0, -2),
  "a byte too long": (value) => `${text(value)}00`,
  "no hex digits": (value) => `${text(value).slice(0, -1)}g`,
};

const NUMBER: Ways = {
  "digits in a text": (value) => text(value),
  "beyond 2^53": () => 2 ** 60,
};

const BASE58: Ways = {
  "too long": (value) => text(value).repeat(2),
  "no base58": (value) => `0${text(value).slice(1)}`,
};

const OF_TYPE: Readonly<Record<FieldType, Ways>> = {
  quantity: HEX_NUMBER,
  height: {
    ...HEX_NUMBER,
    "beyond any chain": () => "0xfffffffffffff",
    "one less": (value) => hex(Number(value) - 1),
    "a thousand more": (value) => hex(Number(value) + 1_000),
  },
  hexTime: {
    ...HEX_NUMBER,
    zero: () => "0x0",
    "milliseconds for seconds": (value) => hex(Number(value) * 1_000),
    "in 1990": () => hex(631_152_000),
    "the day after tomorrow": () => hex(inDays(2)),
  },
  hash: { ...HASH, "without 0x": (value) => text(value).slice(2) },
  address: { ...HASH, "without 0x": (value) => text(value).slice(2) },
  word: { ...HASH, "0x alone": () => "0x" },
  bareHash: HASH,
  bareWord: HASH,
  number: { ...NUMBER, "one more": (value) => Number(value) + 1, "one less": (value) => Number(value) - 1 },
  slot: { ...NUMBER, "beyond any chain": () => Number.MAX_SAFE_INTEGER, "one less": (value) => Number(value) - 1 },
  seconds: {
    ...NUMBER,
    zero: () => 0,
    "milliseconds for seconds": (value) => Number(value) * 1_000,
    "in 1990": () => 631_152_000,
    "the day after tomorrow": () => inDays(2),
  },
  milliseconds: {
    ...NUMBER,
    zero: () => 0,
    "seconds for milliseconds": (value) => Math.floor(Number(value) / 1_000),
    "in the year 54227": () => 52_257 * YEAR_MS,
    "the day after tomorrow": () => inDays(2) * 1_000,
  },
  key: BASE58,
  signature: BASE58,
  amount: {
    "beyond 2^53": () => 2 ** 60,
    "a plain number": (value) => Number(value),
    "beyond 64 bits": () => text(2n ** 64n),
    empty: () => "",
  },
  index: { ...NUMBER, "of no account": () => 250 },
  list: { "of nothing": () => [null], "of numbers": () => [7], "a text in it": () => ["rubbish"] },
  wholeList: {
    "of nothing": () => [null],
    "of numbers": () => [7],
    "a text in it": () => ["rubbish"],
    "one too few": (value) => (value as unknown[]).slice(0, -1),
    "one twice": (value) => [...(value as unknown[]), (value as unknown[])[0]],
  },
  object: { "an empty list": () => [] },
  status: { ...HEX_NUMBER, "neither 0 nor 1": () => "0x2" },
  text: {},
};

/** Returns the invalid values for a field of a type, by name. */
export function waysOf(type: FieldType): Ways {
  return { ...OF_ANY, ...OF_TYPE[type] };
}

/** Changes the value at a path of a response; an empty path is the response itself. If `change` returns LEFT_OUT, the value is removed. */
export function changeAt(answer: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(answer);
  if (typeof answer !== "object" || answer === null || !(key in answer)) return answer;
  const holder = answer as Record<string, unknown>;
  const changed = changeAt(holder[key], rest, change);
  if (changed !== LEFT_OUT) holder[key] = changed;
  else if (Array.isArray(answer)) answer.splice(Number(key), 1);
  else delete holder[key];
  return answer;
}

/**
 * Returns the paths of all leaves of a response: values other than lists and objects, and empty lists and objects. The first element of a
 * list represents all elements.
 */
export function leavesOf(answer: unknown, path: readonly string[] = []): string[] {
  if (typeof answer !== "object" || answer === null) return [path.join(".")];
  const entries = Object.entries(answer).slice(0, Array.isArray(answer) ? 1 : undefined);
  return entries.length === 0 ? [path.join(".")] : entries.flatMap(([key, value]) => leavesOf(value, [...path, key]));
}
