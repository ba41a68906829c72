import type { Env } from "@/lib/config/env";
import { ID } from "@/lib/domain/api/limits";
import { LINK_ADD } from "@/lib/domain/api/link-requests";
import { type Answer, type OpenApiDocument, type Operation, type PathItem, refTo } from "@/lib/domain/api/open-api";
import { ORDER_ADD, ORDER_CHECKOUT } from "@/lib/domain/api/order-requests";
import { networkSchemas, offeredPairs } from "@/lib/domain/api/tokens";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { allNetworks, isOffered } from "@/lib/domain/networks";
import { ORDER_STATUSES } from "@/lib/domain/orders/order";
import { API_CODES, type ApiCode } from "@/lib/domain/problems/api-codes";
import { REFUND_STATUSES } from "@/lib/domain/refunds/refund";
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
import { LEDGER_EXAMPLES, LEDGER_OPERATIONS, LEDGER_SCHEMAS } from "@/lib/http/openapi/ledger";
import { LINK_EXAMPLES, LINK_OPERATIONS, LINK_SCHEMAS } from "@/lib/http/openapi/links";
import {
  type ApiOperation,
  COMMON_ERRORS,
  ERROR_DESCRIPTIONS,
  MERCHANT_OPERATIONS,
  ORDER_OPERATIONS,
} from "@/lib/http/openapi/operations";
import { headerRefs, PUBLIC_PATHS } from "@/lib/http/openapi/public-paths";
import {
  REFUND_EVENTS,
  REFUND_EXAMPLES,
  REFUND_OPERATIONS,
  REFUND_PATHS,
  REFUND_SCHEMAS,
} from "@/lib/http/openapi/refunds";
import { EVENT_TYPES, ORDER_EVENTS, webhooksOf } from "@/lib/http/openapi/webhooks";
import { API_STATUS } from "@/lib/http/problem-status";

const BASE = "/api/v1/pay/";
const JSON_TYPE = "application/json";
const REQUEST_ID: Schema = { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,128}$" };

const HEADERS: OpenApiDocument["components"]["headers"] = {
  "X-Request-Id": {
    description: "Identifies the request in the operator's logs; equal to `request_id`.",
    required: true,
    schema: REQUEST_ID,
  },
  "RateLimit-Policy": {
    description: "The limit of the key: `q` requests within `w` seconds (IETF draft).",
    schema: { type: "string", pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+$' },
  },
  RateLimit: {
    description: "Requests that remain (`r`), and seconds until the full limit is available again (`t`).",
    schema: { type: "string", pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+$' },
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "Idempotent-Replayed": {
    description: "`true` if the object existed before this request.",
    schema: { const: "true" },
  },
  ETag: {
    description: "Identifies the content of the response. Send it as `If-None-Match`.",
    schema: { type: "string" },
  },
};

const SECURITY_SCHEMES: OpenApiDocument["components"]["securitySchemes"] = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description:
      "An API key from the back office, Settings → API keys. A key has scopes and can be restricted to IP address ranges. Requests without the required scope or from other addresses are refused with 10002, and the message states the reason.",
  },
  Bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same API key as a bearer token. It is used if `X-API-Key` is absent; two different keys are refused.",
  },
  Signature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description:
      "A Standard Webhooks signature with the secret of the API key, in addition to the key. It is required if the key requires signed requests, and checked whenever it is present. `webhook-id` is a unique string, `webhook-timestamp` the time in Unix seconds (±300), and `webhook-signature` is `v1,` with the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{METHOD} {path and query}\\n{raw body}`.",
  },
};

const INTRODUCTION = [
  "Your server creates an order. The payer sends an exact amount to one of your own addresses. When the transfer is final, the service notifies your server with a callback.",
  "Requests and responses are JSON. Every response has the envelope `code`, `message` and `request_id`, with `data` on success (`code` 0) and `errors` if fields are invalid. Times are Unix seconds. Unknown fields of a request are ignored, and new fields can be added to responses.",
  "The base URL is `/api/v1/pay`. Every operation that requires an API key is also served under `/api/v1/pay/sdk`, the older form of the base URL, which existing clients use. An empty array `[]` as the body means `{}`. A signature covers the path that you request.",
].join("\n\n");

const ALWAYS = ["X-Request-Id", "RateLimit-Policy", "RateLimit"];
const EXAMPLE_REQUEST_ID = "01kaq2v8x1000b8d2f4h6k9m3npq";
const CONFLICT: Schema = {
  anyOf: [
    {
      description: "The existing order, if it still exists.",
      type: "object",
      required: ["trade_id"],
      properties: { trade_id: { type: "string", pattern: ID }, status: { enum: ORDER_STATUSES } },
    },
    {
      description: "The refund that cannot be cancelled.",
      type: "object",
      required: ["refund_id", "status"],
      properties: { refund_id: { type: "string", pattern: ID }, status: { enum: REFUND_STATUSES } },
    },
  ],
};
const EMPTY_ARRAY: Schema = {
  description: "An empty array, as PHP encodes an empty object.",
  type: "array",
  maxItems: 0,
};
const NEW_TRADE_ID = "$response.body#/data/trade_id";
const ORDER_LINKS = {
  retrieveOrder: { operationId: "retrieveOrder", requestBody: { trade_id: NEW_TRADE_ID } },
  cancelOrder: { operationId: "cancelOrder", requestBody: { trade_id: NEW_TRADE_ID } },
  retrieveOrderStatus: { operationId: "retrieveOrderStatus", parameters: { trade_id: NEW_TRADE_ID } },
  streamOrderStatus: { operationId: "streamOrderStatus", parameters: { trade_id: NEW_TRADE_ID } },
  retrieveWalletRequest: { operationId: "retrieveWalletRequest", parameters: { trade_id: NEW_TRADE_ID } },
};
/** The operations of the merchant API, in the order of the reference. */
export const API_OPERATIONS: readonly ApiOperation[] = [
  ...ORDER_OPERATIONS,
  ...DEPOSIT_OPERATIONS,
  ...LINK_OPERATIONS,
  ...REFUND_OPERATIONS,
  ...LEDGER_OPERATIONS,
  ...MERCHANT_OPERATIONS,
];
const EXAMPLES = { ...ORDER_EXAMPLES, ...DEPOSIT_EXAMPLES, ...LINK_EXAMPLES, ...REFUND_EXAMPLES, ...LEDGER_EXAMPLES };

/** Returns the OpenAPI 3.1 document of an installation, derived from the fields that read requests. */
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
      { name: "Orders", description: "Requests for a single payment." },
      { name: "Deposits", description: "Permanent addresses of customers, and the transfers to them." },
      { name: "Payment links", description: "Templates from which payers create orders." },
      { name: "Refunds", description: "Refunds that customers claim and that you pay from your own wallet." },
      { name: "Reports", description: "Unmatched transfers, and the sums of a period." },
      {
        name: "Events",
        description: "Changes to orders, deposits and refunds, sent as callbacks and available as a list.",
      },
      { name: "Merchant", description: "The merchant that owns the API key." },
      {
        name: "Payer",
        description: "Public data of one order or deposit address, for payment pages. No API key is required.",
      },
      {
        name: "Operation",
        description: "State of the installation, for load balancers and monitors. No API key is required.",
      },
    ],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths: {
      ...Object.fromEntries(API_OPERATIONS.map((operation) => [BASE + operation.path, apiPath(operation)])),
      ...PUBLIC_PATHS,
      ...DEPOSIT_PATHS,
      ...REFUND_PATHS,
    },
    webhooks: webhooksOf({ ...ORDER_EVENTS, ...DEPOSIT_EVENTS, ...REFUND_EVENTS }),
    components: {
      schemas: {
        ...Object.fromEntries(API_OPERATIONS.map(({ path, request }) => [requestName(path), request.schema])),
        OrderAddRequest: { ...ORDER_ADD.schema, allOf: [offeredPairs(offered, false)] },
        OrderCheckoutRequest: { ...ORDER_CHECKOUT.schema, allOf: [offeredPairs(offered, true)] },
        LinkAddRequest: { ...LINK_ADD.schema, allOf: [offeredPairs(offered, true)] },
        ...ANSWER_SCHEMAS,
        ...DEPOSIT_SCHEMAS,
        ...LINK_SCHEMAS,
        ...REFUND_SCHEMAS,
        ...LEDGER_SCHEMAS,
        Event: eventSchema(EVENT_TYPES, ["Order", "Deposit", "Refund"]),
        ...networkSchemas(networks, offered),
        ...Object.fromEntries(API_CODES.map((code) => [`Error${code}`, errorSchema(code)])),
      },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Returns the name of the schema of a request: OrderAddRequest for "order/add". */
export function requestName(path: string): string {
  const texts = path.split(/[/-]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${texts.join("")}Request`;
}

function apiPath(operation: ApiOperation): PathItem {
  const { path, operationId, summary, description, tag, scope, errors } = operation;
  const codes = API_CODES.filter((code) => COMMON_ERRORS.includes(code) || errors.includes(code));
  const post: Operation = {
    operationId,
    summary,
    description: `${description}\n\n${scope === null ? "Any API key can be used." : `The API key needs the scope \`${scope}\`.`}`,
    tags: [tag],
    requestBody: {
      required: true,
      content: { [JSON_TYPE]: { schema: bodySchema(operation), example: EXAMPLES[path]?.request } },
    },
    responses: {
      "200": success(operation),
      ...Object.fromEntries(codes.map((code) => [API_STATUS[code], failure(code)])),
      "413": { ...failure(10001), description: `The body is larger than ${MAX_BODY_BYTES} bytes.` },
    },
  };
  return { post };
}

/** Returns the schema of a request's body. An empty array stands for an empty object, which suffices if no field is required. */
function bodySchema({ path, request: { schema } }: ApiOperation): Schema {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const needsOne = alternatives.length > 0 && alternatives.every(({ required }) => required !== undefined);
  const needsFields = schema.required !== undefined || needsOne;
  return needsFields ? refTo(requestName(path)) : { anyOf: [refTo(requestName(path)), EMPTY_ARRAY] };
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
    description: `Code ${code}. ${ERROR_DESCRIPTIONS[code]}`,
    headers: headerRefs(...ALWAYS, ...(isTemporary ? ["Retry-After"] : [])),
    content: { [JSON_TYPE]: { schema: refTo(`Error${code}`) } },
  };
}

function errorSchema(code: ApiCode): Schema {
  const text: Schema = { type: "string", minLength: 1 };
  const entry: Schema = { type: "object", required: ["field", "message"], properties: { field: text, message: text } };
  return {
    description: ERROR_DESCRIPTIONS[code],
    type: "object",
    required: ["code", "message", "request_id"],
    properties: {
      code: { const: code },
      message: { ...text, description: "A description of the error for developers." },
      errors: { type: "array", items: entry, description: "One entry for each invalid field." },
      ...(code === 10004 && { data: CONFLICT }),
      request_id: REQUEST_ID,
    },
  };
}
