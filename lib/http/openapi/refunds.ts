import { ID } from "@/lib/domain/api/limits";
import { type Answer, type OpenApiDocument, type Parameter, refTo } from "@/lib/domain/api/open-api";
import { REFUND_ADD, REFUND_LIST, REFUND_NAMES } from "@/lib/domain/api/refund-requests";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { CURRENCIES } from "@/lib/domain/networks";
import type { ClaimStatusData } from "@/lib/domain/refunds/claim-view";
import { REFUND_STATUSES } from "@/lib/domain/refunds/refund";
import type { RefundData } from "@/lib/domain/refunds/refund-wire";
import { CREATED, HASH } from "@/lib/http/openapi/examples";
import type { ApiOperation } from "@/lib/http/openapi/operations";
import { EVENT_STREAM, headerRefs, publicOperation } from "@/lib/http/openapi/public-paths";
import {
  count,
  countOrNull,
  decimalNumber,
  list,
  object,
  text,
  textOrNull,
  url,
  urlOrNull,
} from "@/lib/http/openapi/shapes";
import type { DocumentedEvent } from "@/lib/http/openapi/webhooks";

/** The schemas of responses about refunds, by name. */
export const REFUND_SCHEMAS: Readonly<Record<string, Schema>> = {
  Refund: object<RefundData>(
    "A refund of an order, or of a transfer that credits no order. The customer claims it by entering an address, the merchant approves it and pays from the own wallet, and Stablegate detects the transfer.",
    {
      refund_id: { type: "string", pattern: ID, description: "The id of the refund." },
      mch_refund_id: textOrNull("Your number of the refund."),
      trade_id: textOrNull("The id of the order; null if the refund is for a transfer that credits no order."),
      mch_order_id: textOrNull("Your order number."),
      status: {
        enum: REFUND_STATUSES,
        description:
          "`requested`: the claim link is open. `claimed`: the customer entered an address. `approved`: you approved it and are expected to pay. `sent`: your transfer was seen. `completed`: it is final. `cancelled` and `expired`: it is not paid.",
      },
      version: count("Increases with every change of the refund."),
      currency: { enum: CURRENCIES, description: "The currency of the refund." },
      amount: decimalNumber("The amount of the refund."),
      fiat: textOrNull("The fiat currency, if the refund was requested in fiat."),
      fiat_amount: {
        type: ["number", "null"],
        minimum: 0,
        description: "The fiat amount, if the refund was requested in fiat.",
      },
      reason: textOrNull("The reason, which the customer sees."),
      network: textOrNull("The network that the customer chose; null before the claim."),
      address: textOrNull("The address that the customer entered; null before the claim."),
      tx_hash: textOrNull("The hash of the transaction that pays the refund; null before it was seen."),
      explorer_url: urlOrNull("The transaction in a block explorer."),
      claim_url: url("The page on which the customer claims the refund. Send it only to the customer."),
      created_at: count("Creation time, in Unix seconds."),
      expires_at: count("Time when the claim link expires, in Unix seconds."),
      claimed_at: countOrNull("Time of the claim, in Unix seconds."),
      approved_at: countOrNull("Time of the approval, in Unix seconds."),
      sent_at: countOrNull("Time of the block that contains the transfer, in Unix seconds."),
      completed_at: countOrNull("Time when the transfer became final, in Unix seconds."),
      ended_at: countOrNull("Time when the refund was cancelled or expired, in Unix seconds."),
    },
  ),
  RefundStatus: object<ClaimStatusData>("The public status of a refund.", {
    refund_id: { type: "string", pattern: ID, description: "The id of the refund." },
    version: count("Increases with every change."),
    tag: text("Identifies the content of the page. A different tag means that the page has new content."),
    status: { enum: REFUND_STATUSES, description: "The status of the refund." },
  }),
  RefundList: object<{ refunds: unknown; next_cursor: unknown }>("A page of refunds.", {
    refunds: list(refTo("Refund"), "Newest first."),
    next_cursor: textOrNull("The `cursor` of the next page; null on the last page."),
  }),
};

/** The operations for refunds, in the order in which they are documented. */
export const REFUND_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "refund/add",
    operationId: "createRefund",
    summary: "Create a refund",
    description:
      "Requests a refund of an order that received money, and returns a claim link for the customer. No money moves: you approve the claim in the back office and pay from your own wallet.\n\nSeveral partial refunds are possible. Their sum never exceeds the amount that the order received. With `mch_refund_id`, a repeated request returns the same refund with the header `Idempotent-Replayed: true`.",
    tag: "Refunds",
    scope: "refunds:create",
    request: REFUND_ADD,
    answer: "Refund",
    errors: [10003, 10004],
    mayRepeat: true,
  },
  {
    path: "refund/detail",
    operationId: "retrieveRefund",
    summary: "Retrieve a refund",
    description: "Returns a refund by `refund_id` or `mch_refund_id`.",
    tag: "Refunds",
    scope: "refunds:read",
    request: REFUND_NAMES,
    answer: "Refund",
    errors: [10003],
  },
  {
    path: "refund/list",
    operationId: "listRefunds",
    summary: "List refunds",
    description:
      "Returns a page of refunds, newest first. Send `next_cursor` as `cursor` to get the next page, until it is null.",
    tag: "Refunds",
    scope: "refunds:read",
    request: REFUND_LIST,
    answer: "RefundList",
    errors: [],
  },
  {
    path: "refund/cancel",
    operationId: "cancelRefund",
    summary: "Cancel a refund",
    description:
      "Cancels a refund whose transfer was not seen yet. Cancelling a cancelled refund succeeds. If you already sent the transfer, it is still shown in the back office for three hours.",
    tag: "Refunds",
    scope: "refunds:create",
    request: REFUND_NAMES,
    answer: "Refund",
    errors: [10003, 10004],
  },
];

const REFUND_PATH_ID: Parameter = {
  name: "refund_id",
  in: "path",
  required: true,
  description: "The id of the refund.",
  schema: { type: "string", pattern: ID },
};
const NO_REFUND: Answer = {
  description: "The refund does not exist.",
  content: { "application/json": { schema: refTo("Notice") } },
};

/** The paths that the claim page uses. They need no key. */
export const REFUND_PATHS: OpenApiDocument["paths"] = {
  "/api/refund/{refund_id}/status": publicOperation(
    {
      operationId: "retrieveRefundStatus",
      summary: "Retrieve refund status",
      description:
        "Returns the public status of a refund. Send the last `ETag` as `If-None-Match` to get 304 while nothing has changed.",
      tags: ["Payer"],
      parameters: [REFUND_PATH_ID],
    },
    {
      "200": {
        description: "Success.",
        headers: headerRefs("ETag"),
        content: { "application/json": { schema: refTo("RefundStatus") } },
      },
      "304": { description: "Nothing has changed.", headers: headerRefs("ETag") },
      "404": NO_REFUND,
    },
  ),
  "/api/refund/{refund_id}/events": publicOperation(
    {
      operationId: "streamRefundStatus",
      summary: "Stream refund updates",
      description:
        "Sends server-sent events: the current `version` of the refund, then every higher one. An event `ping` keeps the connection open.",
      tags: ["Payer"],
      parameters: [REFUND_PATH_ID],
    },
    {
      "200": {
        description: "An event stream that stays open.",
        content: EVENT_STREAM,
      },
      "404": NO_REFUND,
    },
  ),
};

const REFUND_ID = "01kaq5r3x2000f7j0n3q6s9v1wyz";

const REQUESTED = {
  refund_id: REFUND_ID,
  mch_refund_id: "R-1001",
  trade_id: CREATED.trade_id,
  mch_order_id: CREATED.mch_order_id,
  status: "requested",
  version: 1,
  currency: CREATED.currency,
  amount: 5,
  fiat: null,
  fiat_amount: null,
  reason: "Returned shoes",
  network: null,
  address: null,
  tx_hash: null,
  explorer_url: null,
  claim_url: `https://pay.example.com/refund/${REFUND_ID}`,
  created_at: 1795200000,
  expires_at: 1797792000,
  claimed_at: null,
  approved_at: null,
  sent_at: null,
  completed_at: null,
  ended_at: null,
};

const COMPLETED = {
  ...REQUESTED,
  status: "completed",
  version: 5,
  network: "ethereum",
  address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  tx_hash: HASH,
  explorer_url: `https://etherscan.io/tx/${HASH}`,
  claimed_at: 1795203600,
  approved_at: 1795207200,
  sent_at: 1795207260,
  completed_at: 1795208040,
};

/** An example of the request and the response of each operation, by its path. */
export const REFUND_EXAMPLES: Readonly<Record<string, { request: object; data: object }>> = {
  "refund/add": {
    request: { mch_order_id: CREATED.mch_order_id, amount: 5, mch_refund_id: "R-1001", reason: "Returned shoes" },
    data: REQUESTED,
  },
  "refund/detail": { request: { refund_id: REFUND_ID }, data: COMPLETED },
  "refund/list": { request: { status: "completed" }, data: { refunds: [COMPLETED], next_cursor: null } },
  "refund/cancel": {
    request: { refund_id: REFUND_ID },
    data: { ...REQUESTED, status: "cancelled", version: 2, ended_at: 1795201000 },
  },
};

/** The refund events. */
export const REFUND_EVENTS: Readonly<Record<"refund.completed", DocumentedEvent>> = {
  "refund.completed": {
    summary: "A refund is completed",
    created: "order",
    example: {
      id: "evt_01kaq5t9y4000h9m2q5s8v1x4z70",
      type: "refund.completed",
      timestamp: "2026-11-21T12:54:00.000Z",
      data: COMPLETED,
    },
  },
};
