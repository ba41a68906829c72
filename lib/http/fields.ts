import { AppError } from "@/lib/errors";
import { JsonNumber, type JsonObject } from "@/lib/http/json-body";

/** What a field means, or what is wrong with it: words that follow the field's name. */
export type Judged<T> = { value: T } | { problem: string };
export type Judge<T> = (given: unknown) => Judged<T>;

const MAX_SHOWN = 60;

/**
 * Reads fields of a request's body; fields that nobody asks for are ignored.
 * @throws AppError 10001 that lists every bad field at once
 */
export function readFields<T extends object>(body: JsonObject, judges: { [Field in keyof T]: Judge<T[Field]> }): T {
  const errors: { field: string; message: string }[] = [];
  const fields: Partial<T> = {};
  for (const field of Object.keys(judges) as (keyof T & string)[]) {
    const judged = judges[field](Object.hasOwn(body, field) ? body[field] : undefined);
    if ("value" in judged) fields[field] = judged.value;
    else errors.push({ field, message: `${field} ${judged.problem}` });
  }
  if (errors.length === 0) return fields as T;
  throw new AppError(10001, errors.map(({ message }) => message).join("; "), { errors });
}

/** A field that must be there. `rule` says what is right, in words that follow "it must be". */
export function required<T>(rule: string, judge: Judge<T>): Judge<T> {
  return (given) => (isAbsent(given) ? { problem: `is missing; it must be ${rule}` } : judge(given));
}

/** A field that may be left out, null or an empty text. */
export function optional<T>(judge: Judge<T>): Judge<T | null> {
  return (given) => (isAbsent(given) || given === "" ? { value: null } : judge(given));
}

/** A text that `judge` reads further. */
export function text<T>(rule: string, judge: (given: string) => Judged<T>): Judge<T> {
  return (given) =>
    typeof given === "string" ? judge(given) : { problem: `${seen(given)} must be ${rule}, as a text` };
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

function shorten(given: string): string {
  const characters = [...given.slice(0, 2 * MAX_SHOWN + 2)];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join("")}…` : given;
}
