import { fieldsReader, NO_RULES, type Reader, type Reading, type ValuesOf } from "@/lib/domain/fields/field";
import type { Bounds } from "@/lib/domain/fields/values";
import type { FieldError, Problem } from "@/lib/domain/problems/problem";

/** A field of a form: a field of an API request without a schema, because forms are not part of the API document. */
export interface FormField<T> {
  readonly read: Reader<T>;
}

/** The fields of a form by their names. */
export type FormFields = Readonly<Record<string, FormField<unknown>>>;

/** The texts of a form as they were typed. */
export type FormTexts<Fields> = { readonly [Name in keyof Fields]: string };

/** Returns a reader of a form that reports the problems of all its fields together. */
export function formReader<Fields extends FormFields>(
  fields: Fields,
): (texts: Partial<FormTexts<Fields>>) => ValuesOf<Fields> | { errors: FieldError[] } {
  const read = fieldsReader(fields);
  return (texts) => {
    const reading = read(texts, NO_RULES);
    return "errors" in reading ? reading : reading.values;
  };
}

/** Returns a field that `read` reads; a field that was not sent is an empty text. @param read receives the whole form too, for fields that depend on each other */
export function formText<T>(
  read: (typed: string, form: Readonly<Record<string, unknown>>) => Reading<T>,
): FormField<T> {
  return { read: (given, _rules, form) => read(typeof given === "string" ? given : "", form) };
}

/** Returns a field that is null if nothing is typed; otherwise `read` reads it without the white space around it. */
export function optionalText<T>(read: (typed: string) => Reading<T>): FormField<T | null> {
  return formText<T | null>((typed) => {
    const text = typed.trim();
    return text === "" ? { value: null } : read(text);
  });
}

/** Returns a field that is one of a few words. */
export function formChoice<const Word extends string>(words: readonly Word[], refused: Problem): FormField<Word> {
  return formText((typed) => {
    const value = words.find((word) => word === typed);
    return value === undefined ? { problem: refused } : { value };
  });
}

/** Returns a field of whole numbers, typed as one to six digits. */
export function formWhole({ min, max }: Bounds, refused: Problem): FormField<number> {
  return formText((typed) => {
    const value = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
    return value >= min && value <= max ? { value } : { problem: refused };
  });
}
