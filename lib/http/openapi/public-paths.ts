import { ID } from "@/lib/domain/api/limits";
import {
  type Answer,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  refTo,
} from "@/lib/domain/api/open-api";

const TRADE_ID: Parameter = {
  name: "trade_id",
  in: "path",
  required: true,
  description: "The id of the order.",
  schema: { type: "string", pattern: ID },
};
const ACCOUNT: Parameter = {
  name: "account",
  in: "query",
  required: false,
  description: "Solana only: the address of the payer's account.",
  schema: { type: "string" },
};
const STRICT: Parameter = {
  name: "strict",
  in: "query",
  required: false,
  description: "`1`: respond with 503 unless `status` is `ok`.",
  schema: { enum: ["1"] },
};
const NO_ORDER: Answer = {
  description: "The order does not exist.",
  content: { "application/json": { schema: refTo("Notice") } },
};
const HEALTH: Answer["content"] = { "application/json": { schema: refTo("Health") } };

/** The content of an event stream. OpenAPI 3.1 has no keyword for one event, so tools read the schema as that of each event. */
export const EVENT_STREAM: NonNullable<Answer["content"]> = {
  "text/event-stream": {
    schema: {
      description: "An event of the stream.",
      type: "object",
      required: ["event", "data"],
      properties: {
        event: { enum: ["message", "ping"], description: "`message`, also if the field is absent, or `ping`." },
        data: { type: "string", pattern: "^[0-9]+$", description: "The version; of a `ping`, always 1." },
        id: { type: "string", pattern: "^[0-9]+$", description: "Equal to `data`. A `ping` has none of its own." },
      },
    },
  },
};

/** Paths that need no key. */
export const PUBLIC_PATHS: OpenApiDocument["paths"] = {
  "/api/pay/{trade_id}/status": publicOperation(
    {
      operationId: "retrieveOrderStatus",
      summary: "Retrieve order status",
      description:
        "Returns the status of an order for its payer. Send the last `ETag` as `If-None-Match` to get 304 while nothing has changed.",
      tags: ["Payer"],
      parameters: [TRADE_ID],
    },
    {
      "200": {
        description: "Success.",
        headers: headerRefs("ETag"),
        content: { "application/json": { schema: refTo("CheckoutStatus") } },
      },
      "304": { description: "Nothing has changed.", headers: headerRefs("ETag") },
      "404": NO_ORDER,
    },
  ),
  "/api/pay/{trade_id}/events": publicOperation(
    {
      operationId: "streamOrderStatus",
      summary: "Stream order updates",
      description:
        "Sends server-sent events: the current `version` of the order, then every higher one. An event `ping` keeps the connection open.",
      tags: ["Payer"],
      parameters: [TRADE_ID],
    },
    {
      "200": {
        description: "An event stream that stays open.",
        content: EVENT_STREAM,
      },
      "404": NO_ORDER,
    },
  ),
  "/api/pay/{trade_id}/wallet": publicOperation(
    {
      operationId: "retrieveWalletRequest",
      summary: "Retrieve the wallet request",
      description:
        "Returns the data for a wallet button: chain, contract, recipient and base units; on Solana also the unsigned transaction.",
      tags: ["Payer"],
      parameters: [TRADE_ID, ACCOUNT],
    },
    {
      "200": { description: "Success.", content: { "application/json": { schema: refTo("WalletOffer") } } },
      "404": NO_ORDER,
    },
  ),
  "/api/v1/pay/public/webhook-jwks": publicOperation(
    {
      operationId: "listWebhookKeys",
      summary: "List webhook public keys",
      description:
        "Returns the Ed25519 public keys of this installation as a JWKS. Use them to verify callbacks without a secret. The next key is published a day before it is used.",
      tags: ["Events"],
    },
    {
      "200": { description: "Success.", content: { "application/json": { schema: refTo("Jwks") } } },
    },
  ),
  "/api/health": publicOperation(
    {
      operationId: "retrieveHealth",
      summary: "Retrieve health",
      description:
        "Returns the state of this installation. The HTTP status is 200 while the database responds, otherwise 503. With `strict=1`, it is also 503 while `status` is `degraded`, for monitors that check only the HTTP status.",
      tags: ["Operation"],
      parameters: [STRICT],
    },
    {
      "200": { description: "The database responds; with `strict=1`, `status` is `ok`.", content: HEALTH },
      "400": {
        description: "`strict` has a value other than `1`.",
        content: { "application/json": { schema: refTo("Notice") } },
      },
      "503": {
        description: "The database does not respond; with `strict=1`, `status` is `degraded` or `down`.",
        content: HEALTH,
      },
    },
  ),
};

/** Returns references to headers of the document's components. */
export function headerRefs(...names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns an operation without authentication. The link grants access to the content of its page. */
export function publicOperation(
  operation: Omit<Operation, "security" | "responses">,
  answers: Operation["responses"],
): PathItem {
  const notice = (description: string): Answer => ({
    description,
    headers: headerRefs("Retry-After"),
    content: { "application/json": { schema: refTo("Notice") } },
  });
  const busy = {
    "429": notice("Too many requests from this IP address."),
    "503": notice("Temporarily unavailable."),
  };
  return { get: { ...operation, security: [], responses: { ...busy, ...answers } } };
}
