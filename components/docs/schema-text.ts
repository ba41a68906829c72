import type { Schema } from "@/lib/domain/fields/json-schema";

const MAX_VALUES = 16;
const TYPES: Readonly<Record<string, string>> = {
  integer: "integer",
  number: "number",
  string: "string",
  boolean: "boolean",
  object: "object",
  array: "array",
  null: "null",
};

/** Returns a short description of a schema: "integer from 1 to 100 or string". The description of a reference is the name of its schema. */
export function schemaText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.anyOf) return joinTexts(schema.anyOf.filter((one) => !isNothing(one)).map(schemaText));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return enumText(schema.enum);
  const types = [schema.type ?? []].flat();
  return joinTexts(types.map((type) => (type === "null" ? "null" : typeText(type, schema))));
}

/** Returns true for the schema of null or an empty string, which every optional field accepts. */
function isNothing({ enum: values }: Schema): boolean {
  return values?.length === 2 && values.includes("") && values.includes(null);
}

function enumText(values: readonly (string | number | null)[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return values.length > MAX_VALUES ? `${shown.slice(0, 3).join(", ")} … (${values.length} values)` : joinTexts(shown);
}

function typeText(type: string, schema: Schema): string {
  const { format, items } = schema;
  if (type === "array") return items ? `array of ${schemaText(items)}` : "array";
  if (type === "string") return `${formatText(format)}${lengthText(schema)}`;
  if (type === "integer" || type === "number") return `${TYPES[type]}${rangeText(schema)}`;
  return TYPES[type] ?? type;
}

function formatText(format: string | undefined): string {
  if (format === "uri") return "URL";
  return format === "date-time" ? "ISO 8601 time" : "string";
}

function lengthText({ minLength, maxLength }: Schema): string {
  if (maxLength === undefined) return "";
  return minLength === undefined ? `, at most ${maxLength} characters` : `, ${minLength} to ${maxLength} characters`;
}

function rangeText({ minimum, exclusiveMinimum, maximum, multipleOf }: Schema): string {
  const decimals =
    multipleOf === undefined || multipleOf === 1 ? "" : `, in steps of ${multipleOf.toFixed(6).replace(/0+$/, "")}`;
  if (maximum === undefined) return decimals;
  const from = exclusiveMinimum === undefined ? `from ${minimum ?? 0}` : `above ${exclusiveMinimum}`;
  return ` ${from} to ${maximum.toLocaleString("en")}${decimals}`;
}

function joinTexts(texts: readonly string[]): string {
  return [...new Set(texts)].join(" or ");
}
