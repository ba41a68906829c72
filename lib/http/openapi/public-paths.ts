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
  description: "The order's id.",
  schema: { type: "string", pattern: ID },
};
const ACCOUNT: Parameter = {
  name: "account",
  in: "query",
  required: false,
  description: "Solana: the payer's account.",
  schema: { type: "string" },
};
const STRICT: Parameter = {
  name: "strict",
  in: "query",
  required: false,
  description: "`1`: answer 503 unless `status` is `ok`.",
  schema: { enum: ["1"] },
};
const NO_ORDER: Answer = {
  description: "There is no such order.",
  content: { "application/json": { schema: refTo("Notice") } },
};
const HEALTH: Answer["content"] = { "application/json": { schema: refTo("Health") } };

/** Paths that need no key. */
export const PUBLIC_PATHS: OpenApiDocument["paths"] = {
  "/api/pay/{trade_id}/status": publicOperation(
    {
      operationId: "readCheckout",
      summary: "Where an order stands",
      description: "For its payment page. Send the last `ETag` as `If-None-Match` to be told only what is new.",
      tags: ["Payer"],
      parameters: [TRADE_ID],
    },
    {
      "200": {
        description: "Success.",
        headers: headerRefs("ETag"),
        content: { "application/json": { schema: refTo("CheckoutStatus") } },
      },
      "304": { description: "Nothing is new.", headers: headerRefs("ETag") },
      "404": NO_ORDER,
    },
  ),
  "/api/pay/{trade_id}/events": publicOperation(
    {
      operationId: "followCheckout",
      summary: "Follow an order",
      description: "Server-sent events: the order's `version` now, and each higher one; an event `ping` now and then.",
      tags: ["Payer"],
      parameters: [TRADE_ID],
    },
    {
      "200": {
        description: "A stream that stays open.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      "404": NO_ORDER,
    },
  ),
  "/api/pay/{trade_id}/wallet": publicOperation(
    {
      operationId: "readWalletRequest",
      summary: "What a wallet is asked for",
      description:
        "For the payment page's wallet button: contract, chain, recipient and base units, and on Solana the unsigned transaction.",
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
      operationId: "listPublicKeys",
      summary: "Keys that callbacks are signed by",
      description:
        "A JWKS of this installation's Ed25519 keys: whoever would rather hold no secret verifies callbacks by them. The next key is shown a day before it signs.",
      tags: ["Events"],
    },
    {
      "200": { description: "Success.", content: { "application/json": { schema: refTo("Jwks") } } },
    },
  ),
  "/api/health": publicOperation(
    {
      operationId: "readHealth",
      summary: "How this installation is",
      description:
        "200 while the database answers, whatever else is wrong; else 503. For monitors that look at the HTTP status alone: with `strict=1` also 503 while `status` is `degraded`.",
      tags: ["Operation"],
      parameters: [STRICT],
    },
    {
      "200": { description: "The database answers; with `strict=1`: `status` is `ok`.", content: HEALTH },
      "503": {
        description: "The database is away; with `strict=1`: `status` is `degraded` or `down`.",
        content: HEALTH,
      },
    },
  ),
};

/** Headers of the document's own, by name. */
export function headerRefs(...names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns an operation without authentication: a link grants access to what its page shows. */
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
    "429": notice("Too much was asked from this address."),
    "503": notice("Not possible at this moment."),
  };
  return { get: { ...operation, security: [], responses: { ...busy, ...answers } } };
}
