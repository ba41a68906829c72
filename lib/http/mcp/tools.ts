import type { OpenApiDocument } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";
import type { Scope } from "@/lib/domain/keys/key-rules";
import { API_OPERATIONS, requestName } from "@/lib/http/openapi/document";
import type { ApiOperation } from "@/lib/http/openapi/operations";

/** The effect of a tool: it only reads, creates an object, or ends one. */
type Effect = "reads" | "creates" | "ends";

/** The part of a tool that its operation in the API document does not describe. */
interface ToolRule {
  effect: Effect;
  /** The field with the merchant's number of the object, by which repeated calls are recognized. */
  number?: string;
  /** The confirmation that the agent asks for before a call. */
  before?: string;
  /** A notice in the result for the agent and its user. */
  after?: string;
}

/** The operations that agents can use, by path. None of them moves money or changes keys, addresses, users or settings. */
const RULES: Readonly<Record<string, ToolRule>> = {
  "order/add": { effect: "creates", number: "mch_order_id" },
  "order/checkout": { effect: "creates", number: "mch_order_id" },
  "order/detail": { effect: "reads" },
  "order/list": { effect: "reads" },
  "order/cancel": { effect: "ends", before: "Ask the user to confirm the order." },
  "link/add": { effect: "creates", number: "mch_link_id" },
  "link/detail": { effect: "reads" },
  "link/list": { effect: "reads" },
  "link/close": { effect: "ends", before: "Ask the user to confirm the link." },
  "refund/add": {
    effect: "creates",
    number: "mch_refund_id",
    before: "Ask the user to confirm the order, the amount and the reason.",
    after:
      "No money has moved. The customer claims the refund at claim_url; then a user approves it in the back office and pays it from the merchant's own wallet.",
  },
  "refund/detail": { effect: "reads" },
  "refund/list": { effect: "reads" },
  "refund/cancel": { effect: "ends", before: "Ask the user to confirm the refund." },
  "transfer/unmatched": { effect: "reads" },
  "report/detail": { effect: "reads" },
  "payment-methods": { effect: "reads" },
  "merchant/detail": { effect: "reads" },
};

/** A tool as clients see it, in the format of the Model Context Protocol. */
interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema & { type: "object" };
  outputSchema: Schema & { type: "object" };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** A tool: its definition for clients, and the operation of the API that it calls. */
export interface Tool {
  definition: ToolDefinition;
  /** The path of the operation below the base URL. */
  path: string;
  /** The scope that the key needs; null if every key may use it. */
  scope: Scope | null;
  effect: Effect;
  /** The field that every call must have, so that a repeated call creates nothing twice; null if the tool creates nothing. */
  number: string | null;
  /** A notice in the result; null if there is none. */
  after: string | null;
}

/** Returns the name of an operation's tool: "create_order" for "createOrder". */
function toolName({ operationId }: ApiOperation): string {
  return operationId.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Returns the tools of an installation, derived from its API document. */
export function toolsOf({ components: { schemas } }: Pick<OpenApiDocument, "components">): readonly Tool[] {
  return API_OPERATIONS.flatMap((operation) => {
    const rule = RULES[operation.path];
    return rule ? [toolOf(operation, rule, schemas)] : [];
  });
}

function toolOf(operation: ApiOperation, rule: ToolRule, schemas: Schemas): Tool {
  const { path, summary, scope, answer } = operation;
  const { effect, number = null, before, after = null } = rule;
  const repeated = number && `\`${number}\` is required; a repeated call with the same one creates nothing twice.`;
  const description = [textFor(operation.description), repeated, before].filter(Boolean).join("\n\n");
  return {
    definition: {
      name: toolName(operation),
      title: summary,
      description,
      inputSchema: inputSchema(schemas[requestName(path)] ?? {}, number, schemas),
      outputSchema: { ...resolve(schemas[answer] ?? {}, schemas), type: "object" },
      annotations: {
        title: summary,
        readOnlyHint: effect === "reads",
        destructiveHint: effect === "ends",
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    path,
    scope,
    effect,
    number,
    after,
  };
}

/** Returns a description in which tools replace the paths of their operations. */
function textFor(description: string): string {
  return API_OPERATIONS.filter(({ path }) => path in RULES).reduce(
    (text, operation) => text.replaceAll(`\`${operation.path}\``, `\`${toolName(operation)}\``),
    description,
  );
}

/**
 * Returns the input schema of a tool: the schema of the request without the keywords that cover several fields together, because the
 * interfaces of models refuse tools with `anyOf`, `oneOf` or `allOf` at the top level. The API itself checks these rules in every call.
 */
function inputSchema(request: Schema, number: string | null, schemas: Schemas): Schema & { type: "object" } {
  const { anyOf: _any, oneOf: _one, allOf: _all, required = [], ...single } = resolve(request, schemas);
  const needed = number === null || required.includes(number) ? required : [...required, number];
  return { ...single, type: "object", ...(needed.length > 0 && { required: needed }) };
}

type Schemas = Readonly<Record<string, Schema>>;

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Returns a schema in which the components replace the references to them, because not all clients resolve references. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) {
    const { $ref, ...own } = schema;
    return { ...resolve(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas), ...own };
  }
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return isSchema(value) ? resolve(value, schemas) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, within(value)]));
}
