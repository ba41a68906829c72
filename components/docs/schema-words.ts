import type { Schema } from "@/lib/domain/fields/json-schema";

const MOST_VALUES = 16;
const TYPES: Readonly<Record<string, string>> = {
  integer: "whole number",
  number: "number",
  string: "text",
  boolean: "true or false",
  object: "object",
  array: "list",
  null: "null",
};

/** Returns a short description of a schema: "whole number from 1 to 100, or text". A reference is the name of its schema. */
export function schemaWords(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.anyOf) return joined(schema.anyOf.filter((one) => !isNothing(one)).map(schemaWords));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return enumWords(schema.enum);
  const types = [schema.type ?? []].flat();
  return joined(types.map((type) => (type === "null" ? "null" : typeWords(type, schema))));
}

/** Null or an empty text, which every optional field may be. */
function isNothing({ enum: values }: Schema): boolean {
  return values?.length === 2 && values.includes("") && values.includes(null);
}

function enumWords(values: readonly (string | number | null)[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  return values.length > MOST_VALUES ? `${shown.slice(0, 3).join(", ")} … (${values.length} values)` : joined(shown);
}

function typeWords(type: string, schema: Schema): string {
  const { format, items } = schema;
  if (type === "array") return items ? `list of ${schemaWords(items)}` : "list";
  if (type === "string") return `${formatWords(format)}${lengthWords(schema)}`;
  if (type === "integer" || type === "number") return `${TYPES[type]}${rangeWords(schema)}`;
  return TYPES[type] ?? type;
}

function formatWords(format: string | undefined): string {
  if (format === "uri") return "URL";
  return format === "date-time" ? "ISO 8601 time" : "text";
}

function lengthWords({ minLength, maxLength }: Schema): string {
  if (maxLength === undefined) return "";
  return minLength === undefined ? `, at most ${maxLength} characters` : `, ${minLength} to ${maxLength} characters`;
}

function rangeWords({ minimum, exclusiveMinimum, maximum, multipleOf }: Schema): string {
  const decimals =
    multipleOf === undefined || multipleOf === 1 ? "" : `, in steps of ${multipleOf.toFixed(6).replace(/0+$/, "")}`;
  if (maximum === undefined) return decimals;
  const from = exclusiveMinimum === undefined ? `from ${minimum ?? 0}` : `above ${exclusiveMinimum}`;
  return ` ${from} to ${maximum.toLocaleString("en")}${decimals}`;
}

function joined(words: readonly string[]): string {
  return [...new Set(words)].join(" or ");
}
