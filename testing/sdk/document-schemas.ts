import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";

/** The path of the merchant API. */
export const BASE = "/api/v1/pay/";
const REFERENCE = "#/components/schemas/";
/** Schemas whose values operators can extend: the types accept any string. */
export const OPEN_ENUMS = ["Network", "OfferedNetwork"];
/** Longer enums, such as those of fiat currencies, become plain strings. */
export const MAX_ENUM = 60;

/** An operation of the merchant API. */
interface SdkOperation {
  /** The path below the base URL, such as "order/add". */
  path: string;
  summary: string;
  request: Schema;
  /** The schema of `data`. */
  response: Schema;
}

/** Returns the operations of the merchant API in the order of the document. */
export function operationsOf(document: OpenApiDocument): SdkOperation[] {
  return Object.entries(document.paths)
    .filter(([name]) => name.startsWith(BASE))
    .flatMap(([name, { post }]) => (post ? [{ path: name.slice(BASE.length), post }] : []))
    .map(({ path, post }) => ({
      path,
      summary: post.summary,
      request: post.requestBody?.content["application/json"]?.schema ?? {},
      response: post.responses["200"]?.content?.["application/json"]?.schema?.properties?.["data"] ?? {},
    }));
}

/** Returns the schemas that the operations and the callbacks use, sorted by name. */
export function usedSchemas(document: OpenApiDocument): { name: string; schema: Schema }[] {
  const schemas = document.components.schemas;
  const roots = operationsOf(document).flatMap(({ request, response }) => [request, response]);
  const names = collectNames([...roots, { $ref: `${REFERENCE}Event` }], schemas);
  return [...names].toSorted().map((name) => ({ name, schema: schemas[name] ?? {} }));
}

/** Returns the name of the schema that a reference names. */
export function nameOf(reference: string): string {
  return reference.slice(REFERENCE.length);
}

function collectNames(roots: readonly Schema[], schemas: OpenApiDocument["components"]["schemas"]): Set<string> {
  const names = new Set<string>();
  const pending = [...roots];
  for (let schema = pending.pop(); schema; schema = pending.pop()) {
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
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

/**
 * Returns the schemas of a choice that are worth a type. An empty array stands for an empty object and an empty text for an omitted field;
 * users of the packages need neither.
 */
export function choicesOf(schema: Schema): readonly Schema[] {
  if (schema.type) return [];
  return (schema.anyOf ?? schema.oneOf ?? []).filter(
    (choice) => choice.const !== "" && !(choice.type === "array" && choice.maxItems === 0),
  );
}

/** Returns the types that a schema names, without an array that can only be empty. */
export function plainTypesOf(schema: Schema): readonly string[] {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.filter((type) => type !== "array" || schema.items);
}
