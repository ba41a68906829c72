import type { Env } from "@/lib/config/env";
import { ID } from "@/lib/domain/api/limits";
import { type Answer, type OpenApiDocument, type Operation, type PathItem, refTo } from "@/lib/domain/api/open-api";
import { ORDER_ADD, ORDER_CHECKOUT } from "@/lib/domain/api/order-requests";
import { networkSchemas, offeredPairs } from "@/lib/domain/api/tokens";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { allNetworks, isOffered } from "@/lib/domain/networks";
import { ORDER_STATUSES } from "@/lib/domain/orders/order";
import { API_CODES, type ApiCode } from "@/lib/domain/problems/api-codes";
import { MAX_BODY_BYTES } from "@/lib/http/api-call";
import { ANSWER_SCHEMAS, eventSchema } from "@/lib/http/openapi/answers";
import {
  DEPOSIT_EVENTS,
  DEPOSIT_EXAMPLES,
  DEPOSIT_OPERATIONS,
  DEPOSIT_PATHS,
  DEPOSIT_SCHEMAS,
} from "@/lib/http/openapi/deposits";
import { EXAMPLES as ORDER_EXAMPLES } from "@/lib/http/openapi/examples";
import {
  type ApiOperation,
  COMMON_ERRORS,
  ERROR_WORDS,
  MERCHANT_OPERATIONS,
  ORDER_OPERATIONS,
} from "@/lib/http/openapi/operations";
import { headerRefs, PUBLIC_PATHS } from "@/lib/http/openapi/public-paths";
import { EVENT_TYPES, ORDER_EVENTS, webhooksOf } from "@/lib/http/openapi/webhooks";
import { API_STATUS } from "@/lib/http/problem-status";

const BASE = "/api/v1/pay/";
const JSON_TYPE = "application/json";
const REQUEST_ID: Schema = { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,128}$" };

const HEADERS: OpenApiDocument["components"]["headers"] = {
  "X-Request-Id": {
    description: "Finds the request in the operator's logs.",
    required: true,
    schema: REQUEST_ID,
  },
  "RateLimit-Policy": {
    description: "How many requests per window the key may make (IETF draft).",
    schema: { type: "string", pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+$' },
  },
  RateLimit: {
    description: "How many are left, and in how many seconds all are back.",
    schema: { type: "string", pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+$' },
  },
  "Retry-After": {
    description: "Seconds until it makes sense to ask again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "Idempotent-Replayed": { description: "`true` where the order was made before.", schema: { const: "true" } },
  ETag: { description: "Names what was answered; send it as `If-None-Match`.", schema: { type: "string" } },
};

const SECURITY_SCHEMES: OpenApiDocument["components"]["securitySchemes"] = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description:
      "Issued in the back office under Settings → API keys. A key has scopes and may be bound to addresses; what is outside of either is refused in words.",
  },
  Bearer: {
    type: "http",
    scheme: "bearer",
    description: "The same key, for clients that know no other header; it counts where `X-API-Key` is absent.",
  },
  Signature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description:
      "Beside the key, where it accepts signed requests only: Standard Webhooks with the key's secret. `webhook-id` is any text that is used once, `webhook-timestamp` Unix seconds (±300), and this header `v1,` with the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{METHOD} {path and query}\\n{raw body}`. Signature headers that are there must be right in any case.",
  },
};

const INTRODUCTION = [
  "A merchant's server creates an order, the payer sends an exact amount to one of the merchant's own addresses, and the service tells the merchant's server once the payment is final.",
  "Every answer has the envelope `code`, `message`, `request_id`, with `data` on success (`code` 0) and `errors` where fields are bad. Times are Unix seconds. Unknown fields of a request are ignored; answers may grow fields.",
  "Operations that need an API key are also served under `/api/v1/pay/sdk/`, their older form: `/api/v1/pay/sdk/order/add`. A signature covers the path that is requested.",
].join("\n\n");

const ALWAYS = ["X-Request-Id", "RateLimit-Policy", "RateLimit"];
const EXAMPLE_REQUEST_ID = "01kaq2v8x1000b8d2f4h6k9m3npq";
const CONFLICT: Schema = {
  description: "The order that it collides with, where it is still there.",
  type: "object",
  required: ["trade_id"],
  properties: { trade_id: { type: "string", pattern: ID }, status: { enum: ORDER_STATUSES } },
};
const NEW_TRADE_ID = "$response.body#/data/trade_id";
const ORDER_LINKS = {
  readOrder: { operationId: "readOrder", requestBody: { trade_id: NEW_TRADE_ID } },
  cancelOrder: { operationId: "cancelOrder", requestBody: { trade_id: NEW_TRADE_ID } },
  readCheckout: { operationId: "readCheckout", parameters: { trade_id: NEW_TRADE_ID } },
};
/** Every request of the merchants' API, in the order in which they are documented. */
const API_OPERATIONS: readonly ApiOperation[] = [...ORDER_OPERATIONS, ...DEPOSIT_OPERATIONS, ...MERCHANT_OPERATIONS];
const EXAMPLES = { ...ORDER_EXAMPLES, ...DEPOSIT_EXAMPLES };

/** The OpenAPI 3.1 document of an installation: what the readers of requests take, and what is answered. */
export function openApiDocument(env: Pick<Env, "publicUrl" | "rpcUrls">, version: string): OpenApiDocument {
  const networks = allNetworks();
  const offered = networks.filter((network) => env.rpcUrls.has(network.id) && isOffered(network));
  return {
    openapi: "3.1.0",
    info: {
      title: "Stablegate",
      version,
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: env.publicUrl }],
    tags: [
      { name: "Orders", description: "Payments that are asked for." },
      { name: "Deposits", description: "Addresses that stay with customers, and what came there." },
      { name: "Events", description: "What happened, told by callbacks and listed." },
      { name: "Merchant", description: "The merchant behind the key." },
      { name: "Payer", description: "What a payment page asks; needs no key." },
      { name: "Operation", description: "For load balancers and monitors; needs no key." },
    ],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths: {
      ...Object.fromEntries(API_OPERATIONS.map((operation) => [BASE + operation.path, apiPath(operation)])),
      ...PUBLIC_PATHS,
      ...DEPOSIT_PATHS,
    },
    webhooks: webhooksOf({ ...ORDER_EVENTS, ...DEPOSIT_EVENTS }),
    components: {
      schemas: {
        ...Object.fromEntries(API_OPERATIONS.map(({ path, request }) => [requestName(path), request.schema])),
        OrderAddRequest: { ...ORDER_ADD.schema, allOf: [offeredPairs(offered, false)] },
        OrderCheckoutRequest: { ...ORDER_CHECKOUT.schema, allOf: [offeredPairs(offered, true)] },
        ...ANSWER_SCHEMAS,
        ...DEPOSIT_SCHEMAS,
        Event: eventSchema(EVENT_TYPES, ["Order", "Deposit"]),
        ...networkSchemas(networks, offered),
        ...Object.fromEntries(API_CODES.map((code) => [`Error${code}`, errorSchema(code)])),
      },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** "order/add" is OrderAddRequest. */
function requestName(path: string): string {
  const words = path.split(/[/-]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Request`;
}

function apiPath(operation: ApiOperation): PathItem {
  const { path, operationId, summary, description, tag, errors } = operation;
  const codes = API_CODES.filter((code) => COMMON_ERRORS.includes(code) || errors.includes(code));
  const post: Operation = {
    operationId,
    summary,
    description,
    tags: [tag],
    requestBody: {
      required: true,
      content: { [JSON_TYPE]: { schema: refTo(requestName(path)), example: EXAMPLES[path]?.asks } },
    },
    responses: {
      "200": success(operation),
      ...Object.fromEntries(codes.map((code) => [API_STATUS[code], failure(code)])),
      "413": { ...failure(10001), description: `The body is larger than ${MAX_BODY_BYTES} bytes.` },
    },
  };
  return { post };
}

function success({ path, answer, mayRepeat }: ApiOperation): Answer {
  const schema: Schema = {
    type: "object",
    required: ["code", "message", "data", "request_id"],
    properties: { code: { const: 0 }, message: { const: "success" }, data: refTo(answer), request_id: REQUEST_ID },
  };
  const example = { code: 0, message: "success", data: EXAMPLES[path]?.data, request_id: EXAMPLE_REQUEST_ID };
  return {
    description: "Success.",
    headers: headerRefs(...ALWAYS, ...(mayRepeat ? ["Idempotent-Replayed"] : [])),
    content: { [JSON_TYPE]: { schema, example } },
    ...((answer === "OrderCreated" || answer === "CheckoutCreated") && { links: ORDER_LINKS }),
  };
}

function failure(code: ApiCode): Answer {
  const isTemporary = code === 10005 || code === 10006;
  return {
    description: `Code ${code}. ${ERROR_WORDS[code]}`,
    headers: headerRefs(...ALWAYS, ...(isTemporary ? ["Retry-After"] : [])),
    content: { [JSON_TYPE]: { schema: refTo(`Error${code}`) } },
  };
}

function errorSchema(code: ApiCode): Schema {
  const text: Schema = { type: "string", minLength: 1 };
  const entry: Schema = { type: "object", required: ["field", "message"], properties: { field: text, message: text } };
  return {
    description: ERROR_WORDS[code],
    type: "object",
    required: ["code", "message", "request_id"],
    properties: {
      code: { const: code },
      message: { ...text, description: "For people." },
      errors: { type: "array", items: entry, description: "One entry for each bad field." },
      ...(code === 10004 && { data: CONFLICT }),
      request_id: REQUEST_ID,
    },
  };
}
