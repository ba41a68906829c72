import type { SampleRequest } from "@/components/docs/code-samples";
import type { OpenApiDocument, Operation } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";

/** The media type of requests and responses. */
export const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

/** An API operation and its page in the reference. */
export interface ReferenceOperation {
  /** The last part of the URL of the operation's page: "create-order". */
  slug: string;
  method: "GET" | "POST";
  path: string;
  operation: Operation;
}

/** A page of the reference. */
export interface ReferencePage {
  /** The last part of the page's URL; "" for the start page. */
  slug: string;
  title: string;
  /** The heading of the page's group in the menu. */
  group: string;
  /** The operation; null for a guide. */
  operation: ReferenceOperation | null;
}

const GUIDES: readonly Pick<ReferencePage, "slug" | "title">[] = [
  { slug: "", title: "Introduction" },
  { slug: "authentication", title: "Authentication" },
  { slug: "requests", title: "Requests and responses" },
  { slug: "errors", title: "Errors" },
  { slug: "webhooks", title: "Webhooks" },
];

/** Returns all pages of the reference, in the order of the menu. */
export function listPages(document: OpenApiDocument): ReferencePage[] {
  const operations = listOperations(document);
  return [
    ...GUIDES.map((guide) => ({ ...guide, group: "Guides", operation: null })),
    ...document.tags.flatMap(({ name }) =>
      operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((operation) => ({
          slug: operation.slug,
          title: operation.operation.summary,
          group: name,
          operation,
        })),
    ),
  ];
}

function listOperations({ paths }: OpenApiDocument): ReferenceOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      slug: slugOf(operation.operationId),
      method: method === "get" ? ("GET" as const) : ("POST" as const),
      path,
      operation,
    })),
  );
}

/** Returns the last part of the URL of an operation's page: "create-order" for "createOrder". */
export function slugOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** Returns true if an operation needs an API key. */
export function needsKey({ security }: Operation): boolean {
  return security === undefined || security.length > 0;
}

/** Returns the example request of an operation. `server` is the URL of the installation. */
export function exampleOf({ method, path, operation }: ReferenceOperation, server: string): SampleRequest {
  const body = operation.requestBody?.content[JSON_TYPE]?.example;
  return {
    method,
    url: server + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase()),
    needsKey: needsKey(operation),
    isStream: operation.responses["200"]?.content?.[STREAM_TYPE] !== undefined,
    ...(method === "POST" && { body: body ?? {} }),
  };
}

/** The members of an object, with the name of its schema if it has one. */
export interface ObjectFields {
  /** The name of the object, such as "Order"; "" if it has none. */
  name: string;
  required: ReadonlySet<string>;
  fields: readonly (readonly [name: string, schema: Schema])[];
}

/** Returns the object types that a value, or an item of a list, can have: none for a plain value, several for alternatives. */
export function objectsIn(document: OpenApiDocument, schema: Schema): ObjectFields[] {
  const { $ref, anyOf, oneOf, items, properties, required = [] } = schema;
  if ($ref) {
    const name = $ref.split("/").at(-1) ?? "";
    const named = document.components.schemas[name];
    return named ? objectsIn(document, named).map((found) => ({ ...found, name: found.name || name })) : [];
  }
  const alternatives = anyOf ?? oneOf ?? (items ? [items] : []);
  if (properties)
    return [{ name: schema.title ?? "", required: new Set(required), fields: Object.entries(properties) }];
  return alternatives.flatMap((one) => objectsIn(document, one));
}

/** Returns the schema of `data` in an envelope, or the schema itself if there is no envelope. */
export function dataOf(schema: Schema): Schema {
  return schema.properties?.["data"] ?? schema;
}

/** An entry in the search index. */
export interface SearchEntry {
  /** The text that is shown and searched first. */
  title: string;
  /** The page that contains the field, or the group that contains the page. */
  context: string;
  url: string;
}

/** Returns the search entries of the reference: pages, fields, error codes and events. */
export function searchEntries(document: OpenApiDocument): SearchEntry[] {
  const pages = listPages(document).map(({ slug, title, group }) => ({ title, context: group, url: urlOf(slug) }));
  const fields = listOperations(document).flatMap(({ slug, operation }) => {
    const context = operation.summary;
    const request = operation.requestBody?.content[JSON_TYPE]?.schema;
    const response = operation.responses["200"]?.content?.[JSON_TYPE]?.schema;
    const entriesOf = (schema: Schema | undefined, part: string) =>
      (schema ? objectsIn(document, schema) : []).flatMap(({ fields: members }) =>
        members.map(([name]) => ({
          title: name,
          context: `${context}, ${part}`,
          url: `${urlOf(slug)}#${part}-${name}`,
        })),
      );
    return [...entriesOf(request, "request"), ...entriesOf(response && dataOf(response), "response")];
  });
  const errors = Object.keys(document.components.schemas).flatMap((name) => {
    const code = /^Error(\d+)$/.exec(name)?.[1];
    return code ? [{ title: code, context: "Errors", url: `${urlOf("errors")}#error-${code}` }] : [];
  });
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    title: type,
    context: `Webhooks: ${post?.summary ?? ""}`,
    url: `${urlOf("webhooks")}#event-${type}`,
  }));
  return [...pages, ...errors, ...events, ...fields];
}

/** Returns the path of a page of the reference. */
export function urlOf(slug: string): string {
  return slug === "" ? "/docs" : `/docs/${slug}`;
}
