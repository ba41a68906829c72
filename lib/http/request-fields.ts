import type { Env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { JsonNumber, type JsonObject } from "@/lib/http/api-call";

/** What a field means, or what is wrong with it: words that follow the field's name. */
export type Validated<T> = { value: T } | { problem: string };
/** @param body the whole request, for fields that go together */
export type Validator<T> = (given: unknown, rules: OrderRules, body: JsonObject) => Validated<T>;
/** Words that follow "it must be"; made only where they are needed. */
type Words = string | ((rules: OrderRules) => string);

/** What of the settings decides about fields. */
export type OrderRules = Pick<Env, "rpcUrls" | "callbackAllowCidrs">;

const MAX_SHOWN = 60;
/** The end of the year 9999. */
const MAX_UNIX_SECONDS = 253_402_300_799;

/**
 * A reader of these fields of a request's body; fields that nobody asks for are ignored.
 * It throws an AppError 10001 that lists every bad field at once.
 */
export function fieldsReader<T extends object>(validators: { [Field in keyof T]: Validator<T[Field]> }) {
  const all = Object.entries(validators) as [keyof T & string, Validator<T[keyof T & string]>][];
  return (body: JsonObject, rules: OrderRules): T => {
    const errors: { field: string; message: string }[] = [];
    const fields: Partial<T> = {};
    for (const [field, validate] of all) {
      const validated = validate(Object.hasOwn(body, field) ? body[field] : undefined, rules, body);
      if ("value" in validated) fields[field] = validated.value;
      else errors.push({ field, message: `${field} ${validated.problem}` });
    }
    if (errors.length === 0) return fields as T;
    throw new AppError(10001, errors.map(({ message }) => message).join("; "), { errors });
  };
}

/** A field that must be there. */
export function required<T>(rule: Words, validate: Validator<T>): Validator<T> {
  return (given, rules, body) =>
    isAbsent(given) ? { problem: `is missing; it must be ${inWords(rule, rules)}` } : validate(given, rules, body);
}

/** A field that may be left out, null or an empty text. */
export function optional<T>(validate: Validator<T>): Validator<T | null> {
  return (given, rules, body) => (isAbsent(given) || given === "" ? { value: null } : validate(given, rules, body));
}

/** A text that `validate` reads further. */
export function text<T>(rule: Words, validate: (given: string, rules: OrderRules) => Validated<T>): Validator<T> {
  return (given, rules) =>
    typeof given === "string"
      ? validate(given, rules)
      : { problem: `${seen(given)} must be ${inWords(rule, rules)}, as a text` };
}

function inWords(rule: Words, rules: OrderRules): string {
  return typeof rule === "string" ? rule : rule(rules);
}

/** A value as it was seen, shortened, for messages. */
export function seen(given: unknown): string {
  if (given instanceof JsonNumber) return shorten(given.text);
  if (typeof given === "string") return JSON.stringify(shorten(given));
  if (Array.isArray(given)) return "(a list)";
  return typeof given === "object" && given !== null ? "(an object)" : String(given);
}

function isAbsent(given: unknown): boolean {
  return given === undefined || given === null;
}

/** Whether a field is there with anything in it. */
export function isGiven(body: JsonObject, field: string): boolean {
  return Object.hasOwn(body, field) && !isAbsent(body[field]) && body[field] !== "";
}

function shorten(given: string): string {
  const characters = [...given.slice(0, 2 * MAX_SHOWN + 2)];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join("")}…` : given;
}

/** A time in Unix seconds. */
export function validateTime(given: unknown): Validated<Date> {
  const seconds = wholeNumber(given);
  if (seconds <= MAX_UNIX_SECONDS) return { value: new Date(seconds * 1_000) };
  return { problem: `${seen(given)} is not a time; it must be Unix seconds, such as 1795197052` };
}

/** A whole number without a sign, as a number or a text; NaN where it is none. */
export function wholeNumber(given: unknown): number {
  const digits = given instanceof JsonNumber ? given.text : given;
  return typeof digits === "string" && /^\d{1,12}$/.test(digits) ? Number(digits) : Number.NaN;
}
