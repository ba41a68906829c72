import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";

const HEAD = `// Generated from the OpenAPI document by sdk/api-types.test.ts. Do not edit.
// To update it: npx vitest run --project unit sdk/api-types -u
`;
const BASE = "/api/v1/pay/";
const REFERENCE = "#/components/schemas/";
/** Schemas whose values operators can extend: the types accept any string and suggest the known ones. */
const OPEN_ENUMS = ["Network", "OfferedNetwork"];
/** Longer enums, such as those of fiat currencies, become plain strings. */
const MAX_ENUM = 60;

/** Returns the TypeScript source of the types of the merchant API. Only schemas that its operations use are included. */
export function typesOfDocument(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths)
    .filter(([name]) => name.startsWith(BASE))
    .flatMap(([name, { post }]) => (post ? [{ path: name.slice(BASE.length), post }] : []));
  const entries = operations.map(({ path, post }) => {
    const request = post.requestBody?.content["application/json"]?.schema ?? {};
    const response = post.responses["200"]?.content?.["application/json"]?.schema?.properties?.["data"] ?? {};
    const line = `"${path}": { request: ${typeOf(request)}; response: ${typeOf(response)} };`;
    return { text: `${comment(`${post.summary}.`, "  ")}  ${line}\n`, schemas: [request, response] };
  });
  const schemas = document.components.schemas;
  const used = collectNames([...entries.flatMap((entry) => entry.schemas), { $ref: `${REFERENCE}Event` }], schemas);
  const types = [...used].toSorted().map((name) => typeDeclaration(name, schemas[name] ?? {}));
  const map = `/** The request and the response of each operation, by its path below \`${BASE}\`. */\nexport interface Operations {\n${entries.map(({ text }) => text).join("")}}\n`;
  return [HEAD, ...types, map].join("\n");
}

function collectNames(roots: readonly Schema[], schemas: OpenApiDocument["components"]["schemas"]): Set<string> {
  const names = new Set<string>();
  const pending = [...roots];
  for (let schema = pending.pop(); schema; schema = pending.pop()) {
    if (schema.$ref) {
      const name = schema.$ref.slice(REFERENCE.length);
      const target = schemas[name];
      if (target && !names.has(name)) pending.push(target);
      names.add(name);
    }
    pending.push(...Object.values(schema.properties ?? {}), ...(schema.properties ? [] : (schema.anyOf ?? [])));
    if (schema.items) pending.push(schema.items);
    if (schema.additionalProperties) pending.push(schema.additionalProperties);
  }
  return names;
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
  if (schema.$ref) return schema.$ref.slice(REFERENCE.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return enumType(schema.enum);
  if (schema.properties) return objectType(schema, indent);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.type) return union(choices.filter(isMeaningful).map((choice) => typeOf(choice, indent)));
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0
    ? "unknown"
    : union(types.filter((type) => type !== "array" || schema.items).map((type) => plainType(type, schema, indent)));
}

/** An empty array stands for an empty object and an empty text for an omitted field. Users of this package need neither. */
function isMeaningful(schema: Schema): boolean {
  return schema.const !== "" && !(schema.type === "array" && schema.maxItems === 0);
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
