import type { RequestRules, ValuesOf } from "@/lib/domain/fields/field";
import { type FormFields, type FormTexts, formReader } from "@/lib/domain/fields/form";
import type { FieldError } from "@/lib/domain/problems/problem";

/** Returns a text field of a form; "" if it is missing or a file. Used for values without validation rules, such as ids. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

function listOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

/** Returns the text fields of a form. Fields that were not sent are left out. */
export function textsOf<Fields extends FormFields>(form: FormData, fields: Fields): Partial<FormTexts<Fields>> {
  const sent = Object.entries(fields).filter(([name]) => form.has(name));
  const texts = sent.map(([name, { isList }]) => [name, isList ? listOf(form, name) : textOf(form, name)]);
  return Object.fromEntries(texts) as Partial<FormTexts<Fields>>;
}

/** Reads and validates a form, or returns the errors of all its fields. */
export function readForm<Fields extends FormFields>(
  form: FormData,
  fields: Fields,
  rules?: RequestRules,
): ValuesOf<Fields> | { errors: FieldError[] } {
  return formReader(fields)(textsOf(form, fields), rules);
}
