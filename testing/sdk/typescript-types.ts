import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";
import {
  BASE,
  choicesOf,
  MAX_ENUM,
  nameOf,
  OPEN_ENUMS,
  operationsOf,
  plainTypesOf,
  usedSchemas,
} from "@/testing/sdk/document-schemas";

const HEAD = `// Generated from the OpenAPI document by sdk/api-types.test.ts. Do not edit.
// To update it: npx vitest run --project unit sdk/api-types -u
`;
/** Returns the TypeScript source of the types of the merchant API. Only schemas that its operations use are included. */
export function typescriptTypes(document: OpenApiDocument): string {
  const types = usedSchemas(document).map(({ name, schema }) => typeDeclaration(name, schema));
  const operations = operationsOf(document).map(({ path, summary, request, response }) => {
    const line = `"${path}": { request: ${typeOf(request)}; response: ${typeOf(response)} };`;
    return `${comment(`${summary}.`, "  ")}  ${line}\n`;
  });
  const map = `/** The request and the response of each operation, by its path below \`${BASE}\`. */\nexport interface Operations {\n${operations.join("")}}\n`;
  return [HEAD, ...types, map].join("\n");
}

function typeDeclaration(name: string, schema: Schema): string {
  const head = comment(schema.description ?? "", "");
  if (OPEN_ENUMS.includes(name)) return `${head}export type ${name} = ${typeOf(schema)} | (string & {});\n`;
  if (schema.properties && Object.keys(schema.properties).length > 0)
    return `${head}export interface ${name} ${objectType(schema, "")}\n`;
  return `${head}export type ${name} = ${typeOf(schema)};\n`;
}

/** Conditions between members, such as `oneOf` beside `properties`, are left to the server. */
function objectType(schema: Schema, indent: string): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const doc = comment(member.description ?? "", `${indent}  `);
    return `${doc}${indent}  ${name}${isRequired ? "" : "?"}: ${typeOf(member, `${indent}  `)};\n`;
  });
  return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${indent}}`;
}

function typeOf(schema: Schema, indent = ""): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return enumType(schema.enum);
  if (schema.properties) return objectType(schema, indent);
  const choices = choicesOf(schema);
  if (choices.length > 0) return union(choices.map((choice) => typeOf(choice, indent)));
  const types = plainTypesOf(schema);
  return types.length === 0 ? "unknown" : union(types.map((type) => plainType(type, schema, indent)));
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === "integer") return "number";
  if (type === "array") return `${parenthesized(typeOf(schema.items ?? {}, indent))}[]`;
  if (type !== "object") return type;
  return `Record<string, ${schema.additionalProperties ? typeOf(schema.additionalProperties, indent) : "unknown"}>`;
}

function enumType(values: readonly unknown[]): string {
  return values.length > MAX_ENUM ? "string" : union(values.map((value) => JSON.stringify(value)));
}

/** Returns the union of types. Literals are left out beside `number | string`, which contains them. */
function union(types: readonly string[]): string {
  const all = new Set(types.flatMap((type) => (type.includes("{") ? [type] : type.split(" | "))));
  const isLiteral = (type: string): boolean => /^["\d]/.test(type);
  const isCovered = all.has("number") && all.has("string");
  return [...all].filter((type) => !isCovered || !isLiteral(type)).join(" | ");
}

const parenthesized = (type: string): string => (type.includes(" | ") ? `(${type})` : type);

function comment(text: string, indent: string): string {
  return text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n`;
}
