import {
  fieldsReader,
  NO_RULES,
  type Reader,
  type Reading,
  type RequestRules,
  type ValuesOf,
} from "@/lib/domain/fields/field";
import type { Bounds } from "@/lib/domain/fields/values";
import type { FieldError, Problem } from "@/lib/domain/problems/problem";

/** A field of a form: a field of an API request without a schema, because forms are not part of the API document. */
export interface FormField<T> {
  readonly read: Reader<T>;
  /** True if the field reads all values that were sent under its name. */
  readonly isList?: true;
}

/** The fields of a form by their names. */
export type FormFields = Readonly<Record<string, FormField<unknown>>>;

/** The values of a form as the user entered them. */
export type FormTexts<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly isList: true } ? readonly string[] : string;
};

/** Returns a reader of a form that reports the problems of all its fields together. */
export function formReader<Fields extends FormFields>(
  fields: Fields,
): (texts: Partial<FormTexts<Fields>>, rules?: RequestRules) => ValuesOf<Fields> | { errors: FieldError[] } {
  const read = fieldsReader(fields);
  return (texts, rules = NO_RULES) => {
    const reading = read(texts, rules);
    return "errors" in reading ? reading : reading.values;
  };
}

/**
 * Returns a text field that `read` parses; a field that was not sent is read as an empty string.
 * @param read also receives the whole form, for fields that depend on each other
 */
export function formText<T>(
  read: (typed: string, form: Readonly<Record<string, unknown>>) => Reading<T>,
): FormField<T> {
  return { read: (given, _rules, form) => read(typeof given === "string" ? given : "", form) };
}

/** Returns an optional text field: null if it is empty; otherwise `read` parses it without surrounding white space. */
export function optionalText<T>(read: (typed: string) => Reading<T>): FormField<T | null> {
  return formText<T | null>((typed) => {
    const text = typed.trim();
    return text === "" ? { value: null } : read(text);
  });
}

/** Returns a field that reads all values sent under one name. */
export function formList<T>(
  read: (typed: readonly string[], form: Readonly<Record<string, unknown>>) => Reading<T>,
): FormField<T> & { readonly isList: true } {
  return {
    isList: true,
    read: (given, _rules, form) => {
      const texts = Array.isArray(given) ? given.filter((text) => typeof text === "string") : [];
      return read(texts, form);
    },
  };
}

/** A checkbox: browsers send it only if it is checked. */
export const CHECK_BOX: FormField<boolean> = { read: (given) => ({ value: given !== undefined }) };

/** A field that is true if its value is `true`. */
export const FORM_FLAG: FormField<boolean> = formText((typed) => ({ value: typed === "true" }));

/** Returns a field with a fixed set of values; other values are read as `usual`. */
export function formOption<const Word extends string>(choices: readonly Word[], usual: Word): FormField<Word> {
  return formText((typed) => ({ value: choices.find((candidate) => candidate === typed) ?? usual }));
}

/** Returns a field with a fixed set of values. */
export function formChoice<const Word extends string>(choices: readonly Word[], refused: Problem): FormField<Word> {
  return formText((typed) => {
    const value = choices.find((candidate) => candidate === typed);
    return value === undefined ? { problem: refused } : { value };
  });
}

/** Returns a field of whole numbers, entered as one to six digits. */
export function formWhole({ min, max }: Bounds, refused: Problem): FormField<number> {
  return formText((typed) => {
    const value = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
    return value >= min && value <= max ? { value } : { problem: refused };
  });
}
