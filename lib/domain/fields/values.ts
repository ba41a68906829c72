import { type Field, type RuledField, textField } from "@/lib/domain/fields/field";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { JsonNumber, seen } from "@/lib/domain/fields/json-value";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The inclusive bounds of a number, or of the number of characters in a string. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The largest whole number in a request. It covers Unix seconds far beyond any order's times, and positions in a list. */
export const MAX_WHOLE = 999_999_999_999;
const PRINTABLE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * Returns a string field without control characters.
 * @param refuseLength returns the problem for a string that is too short or too long
 */
export function printable(
  { min, max }: Bounds,
  refuseLength: (given: string, length: number, rule: Problem) => Problem,
): RuledField<string> {
  const rule = min > 0 ? problem("rule_length", { min, max }) : problem("rule_max_length", { max });
  const schema: Schema = { type: "string", maxLength: max, pattern: PRINTABLE };
  return textField(rule, min > 0 ? { ...schema, minLength: min } : schema, (given) => {
    // Characters are counted only if the number of code units exceeds the maximum.
    const length = given.length > max ? [...given].length : given.length;
    if (length < min || length > max) return { problem: refuseLength(given, length, rule) };
    if (UNPRINTABLE.test(given)) return { problem: problem("field_control_characters", { given: seen(given), rule }) };
    return { value: given };
  });
}

/**
 * Returns a field with a fixed set of values.
 * @param fold converts an input to the case of the choices
 */
export function choice<const Word extends string>(
  choices: readonly Word[],
  fold: (given: string) => string = (given) => given,
): RuledField<Word> {
  const rule = problem("rule_one_of", { values: choices.join(", ") });
  return textField(rule, { enum: choices }, (given) => {
    const folded = fold(given);
    const found = choices.find((candidate) => candidate === folded);
    return found === undefined
      ? { problem: problem("field_unknown_value", { given: seen(given), rule }) }
      : { value: found };
  });
}

/**
 * Returns a field that accepts whole numbers, as numbers or as strings of digits.
 * @param refuse returns the problem for any other value; it receives the value in display form
 */
export function whole({ min, max }: Bounds, refuse: (given: string) => Problem): Field<number> {
  const number: Schema = { type: "integer", minimum: min, maximum: max };
  const digits: Schema = { type: "string", pattern: digitsBetween(min, max) };
  return {
    schema: { anyOf: [number, digits] },
    read: (given) => {
      const value = wholeNumber(given);
      return value >= min && value <= max ? { value } : { problem: refuse(seen(given)) };
    },
  };
}

/** Returns an unsigned whole number in any notation (1800, 1.8e3, "1800") as a number; NaN if the value is not one. */
function wholeNumber(given: unknown): number {
  if (given instanceof JsonNumber) {
    const number = Number(given.text);
    return Number.isInteger(number) && number >= 0 && number <= MAX_WHOLE ? Math.abs(number) : Number.NaN;
  }
  return typeof given === "string" && /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
}

/**
 * Returns the schema of a decimal number above 0, as a number or a string.
 * @param max a power of ten
 */
export function decimalSchema(decimals: number, max: number): Schema {
  const fraction = decimals === 0 ? "" : `(\\.[0-9]{1,${decimals}})?`;
  const zeros = decimals === 0 ? "" : `(\\.0{1,${decimals}})?`;
  const pattern = `^(?!0${zeros}$)((0|[1-9][0-9]{0,${String(max).length - 2}})${fraction}|${max}${zeros})$`;
  const number: Schema = { type: "number", exclusiveMinimum: 0, maximum: max, multipleOf: 10 ** -decimals };
  return { anyOf: [number, { type: "string", pattern }] };
}

/**
 * Returns a pattern that matches the whole numbers from `min` to `max` without leading zeros. The range is split where the number of
 * digits changes, and then where the digits differ.
 */
export function digitsBetween(min: number, max: number): string {
  const ranges: string[] = [];
  for (let from = min; from <= max; ) {
    const size = 10 ** (String(from).length - 1) * 10;
    const to = Math.min(max, size - 1);
    ranges.push(...sameLength(String(from), String(to)));
    from = to + 1;
  }
  return `^(${ranges.join("|")})$`;
}

function sameLength(from: string, to: string): string[] {
  if (from === to) return [from];
  const low = from.slice(1);
  const high = to.slice(1);
  const rest = from.length - 1;
  if (from[0] === to[0]) return sameLength(low, high).map((tail) => from[0] + tail);
  const zeros = "0".repeat(rest);
  const nines = "9".repeat(rest);
  const first = Number(from[0]) + (low === zeros ? 0 : 1);
  const last = Number(to[0]) - (high === nines ? 0 : 1);
  return [
    ...(low === zeros ? [] : sameLength(low, nines).map((tail) => from[0] + tail)),
    ...(first > last ? [] : [`[${first}-${last}]${rest === 0 ? "" : `[0-9]{${rest}}`}`]),
    ...(high === nines ? [] : sameLength(zeros, high).map((tail) => to[0] + tail)),
  ];
}
