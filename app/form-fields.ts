import type { ValuesOf } from "@/lib/domain/fields/field";
import { type FormFields, type FormTexts, formReader } from "@/lib/domain/fields/form";
import type { FieldError } from "@/lib/domain/problems/problem";

/** Returns a text of a form; "" if it is missing or a file. For values without a rule, such as ids. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Returns the texts of a form's fields. Fields that were not sent are left out. */
export function textsOf<Fields extends FormFields>(form: FormData, fields: Fields): Partial<FormTexts<Fields>> {
  const sent = Object.keys(fields).filter((name) => form.has(name));
  return Object.fromEntries(sent.map((name) => [name, textOf(form, name)])) as Partial<FormTexts<Fields>>;
}

/** Reads a form, or returns the problems of all its fields. */
export function readForm<Fields extends FormFields>(
  form: FormData,
  fields: Fields,
): ValuesOf<Fields> | { errors: FieldError[] } {
  return formReader(fields)(textsOf(form, fields));
}
