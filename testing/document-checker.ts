import { Ajv2020 } from "ajv/dist/2020.js";
import type { OpenApiDocument, Operation } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { isHttpUri } from "@/lib/domain/uri";

/**
 * Checks requests and responses against an OpenAPI document. The checks are as strict as possible: objects may have only the properties
 * that their schema names.
 */
export interface DocumentChecker {
  /** Every operation as "POST /api/…", with its statuses. */
  operations: ReadonlyMap<string, Operation>;
  /** Returns a description of how a response differs from the document; null if it matches. The text of a stream is its first event. */
  checkAnswer(operation: string, answer: { status: number; headers: Headers; text: string }): string | null;
  /** Returns a description of how a value differs from a schema; null if it matches. */
  checkValue(schema: Schema, value: unknown): string | null;
}

const DEFINITIONS = "definitions.json";
const REFERENCE = "#/components/";

/**
 * Creates a checker for a document.
 * @param isOpen true if objects may have members that no schema names, as in requests
 */
export function createDocumentChecker(document: OpenApiDocument, { isOpen = false } = {}): DocumentChecker {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    multipleOfPrecision: 3,
    formats: {
      uri: isHttpUri,
      email: /^[^@\s]+@[^@\s]+$/,
      "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
    },
  });
  const local = (schema: object): object =>
    JSON.parse(
      JSON.stringify(isOpen ? schema : closed(schema)).replaceAll(`"${REFERENCE}schemas/`, `"${DEFINITIONS}#/$defs/`),
    );
  ajv.addSchema({ $id: DEFINITIONS, $defs: local(document.components.schemas) });
  const compiled = new Map<Schema, ReturnType<typeof ajv.compile>>();
  const checkValue = (schema: Schema, value: unknown) => {
    const validate = compiled.get(schema) ?? ajv.compile(local(schema));
    compiled.set(schema, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  );
  return {
    operations,
    checkValue,
    checkAnswer(name, { status, headers, text }) {
      const answer = operations.get(name)?.responses[status];
      if (!answer) return `${name} is documented without ${status}`;
      for (const header of Object.keys(answer.headers ?? {})) {
        const { required, schema } = document.components.headers[header] ?? { schema: {} };
        const value = headers.get(header);
        if (value === null && required) return `${name} ${status} is without the header ${header}`;
        const problem = value === null ? null : checkValue(schema, schema.type === "integer" ? Number(value) : value);
        if (problem) return `${name} ${status}, header ${header}: ${problem}`;
      }
      const type = headers.get("content-type")?.split(";")[0] ?? "";
      const media = answer.content?.[type];
      if (!answer.content) return text === "" ? null : `${name} ${status} has a body`;
      if (!media) return `${name} ${status} is documented without ${type}`;
      const problem = checkValue(media.schema, type === "text/event-stream" ? parseEvent(text) : JSON.parse(text));
      return problem && `${name} ${status}: ${problem}`;
    },
  };
}

/** Returns the fields of a server-sent event, without `retry`. An event without a name has the name "message" (HTML standard). */
function parseEvent(text: string): Record<string, string> {
  const fields = text.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = /^(event|data|id): (.*)$/.exec(line) ?? [];
    return name === "" ? [] : [[name, value]];
  });
  return { event: "message", ...Object.fromEntries(fields) };
}

/** Returns the same schemas, but objects may have only the properties that they name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isList = inside["type"] === "object" && inside["properties"] && !inside["additionalProperties"];
  return isList ? { ...inside, additionalProperties: false } : inside;
}
