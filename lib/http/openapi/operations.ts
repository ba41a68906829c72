import { EVENT_LIST, NO_FIELDS, ORDER_LIST } from "@/lib/domain/api/list-requests";
import { ORDER_ADD, ORDER_CHECKOUT, ORDER_NAMES } from "@/lib/domain/api/order-requests";
import type { Schema } from "@/lib/domain/fields/json-schema";
import type { Scope } from "@/lib/domain/keys/key-rules";
import type { ApiCode } from "@/lib/domain/problems/api-codes";

/** An operation of the merchant API in the OpenAPI document. */
export interface ApiOperation {
  /** The path below the base URL, without a slash at its start. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The tag in the document. */
  tag: string;
  /** The scope that the API key needs; null if every key may use it. */
  scope: Scope | null;
  request: { readonly schema: Schema };
  /** The name of the schema of `data`. */
  answer: string;
  /** The errors in addition to COMMON_ERRORS. */
  errors: readonly ApiCode[];
  /** True if the response may be for an order that already existed. */
  mayRepeat?: true;
}

/** The errors of every request. */
export const COMMON_ERRORS: readonly ApiCode[] = [10001, 10002, 10005, 10006, 10099];

/** The description of each code. */
export const ERROR_DESCRIPTIONS: Readonly<Record<ApiCode, string>> = {
  10001:
    "A required field is missing, a field is invalid, or the body is not a JSON object. `errors` lists every invalid field.",
  10002:
    "The API key is missing, unknown or revoked, lacks the required scope, or is not allowed from this IP address; or the signature is invalid, too old or replayed.",
  10003: "The order does not exist or belongs to another merchant.",
  10004:
    "Conflict with the terms or the state of an existing order, or with the settings of the API key. `errors` names the field that differs, and `data` the order.",
  10005: "Too many requests. Retry after the number of seconds in `Retry-After`.",
  10006:
    "Temporarily unavailable. Repeat the same request after the number of seconds in `Retry-After`; repeats are safe.",
  10099: "Internal error. Quote the `request_id` when you report it.",
};

/** The operations for orders, in the order in which they are documented. */
export const ORDER_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "order/add",
    operationId: "createOrder",
    summary: "Create an order",
    description:
      "Creates an order for a payment in one currency on one network. Set either `amount` (in tokens) or `fiat` and `fiat_amount`. Send the payer to `payment_url`, or show `actual_amount` and `address` yourself.\n\nRequests are idempotent by `mch_order_id`: a repeat with the same `currency`, `network`, `amount` (or `fiat` and `fiat_amount`), `notify_url` and `redirect_url` returns the order in its current state, with the header `Idempotent-Replayed: true`. A repeat with other terms is refused with 10004; `errors` names the first field that differs and `data` has the existing `trade_id`.",
    tag: "Orders",
    scope: "orders:create",
    request: ORDER_ADD,
    answer: "OrderCreated",
    errors: [10004],
    mayRepeat: true,
  },
  {
    path: "order/checkout",
    operationId: "createCheckout",
    summary: "Create a checkout",
    description:
      "Creates an order whose payer selects the currency and the network on the payment page. The request has the fields of `order/add`, but `currency` and `network` are optional. Send the payer to `checkout_url`.\n\nUntil the selection, `currency`, `network`, `actual_amount` and `address` are null in `order/detail`. `amount` is the number of tokens, whichever currency the payer selects. An `mch_order_id` that was used with `order/add` is refused with 10004.",
    tag: "Orders",
    scope: "orders:create",
    request: ORDER_CHECKOUT,
    answer: "CheckoutCreated",
    errors: [10004],
    mayRepeat: true,
  },
  {
    path: "order/detail",
    operationId: "retrieveOrder",
    summary: "Retrieve an order",
    description:
      "Returns an order with its status, transfers and callback. Send `trade_id`, `mch_order_id`, or both for the same order.",
    tag: "Orders",
    scope: "orders:read",
    request: ORDER_NAMES,
    answer: "Order",
    errors: [10003],
  },
  {
    path: "order/list",
    operationId: "listOrders",
    summary: "List orders",
    description:
      "Returns a page of orders, newest first. Send `next_cursor` as `cursor` to get the next page, until it is null. An order that exists when you start is on exactly one page.",
    tag: "Orders",
    scope: "orders:read",
    request: ORDER_LIST,
    answer: "OrderList",
    errors: [],
  },
  {
    path: "order/cancel",
    operationId: "cancelOrder",
    summary: "Cancel an order",
    description:
      "Cancels a pending order. Repeats are safe. The request is refused with 10004 and the order's `status` if the order is paid, confirming or expired, or if more than dust has arrived for it, even if that transfer is not matched yet.",
    tag: "Orders",
    scope: "orders:cancel",
    request: ORDER_NAMES,
    answer: "Order",
    errors: [10003, 10004],
  },
];

/** The other operations of the merchant API. */
export const MERCHANT_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "event/list",
    operationId: "listEvents",
    summary: "List events",
    description:
      "Returns the bodies of your callbacks, oldest first, including those of orders without a `notify_url`. A server that was offline can catch up without callbacks. Send `next` as `after` in the next request. An event never appears before one that was already returned.",
    tag: "Events",
    scope: "events:read",
    request: EVENT_LIST,
    answer: "EventList",
    errors: [],
  },
  {
    path: "payment-methods",
    operationId: "listPaymentMethods",
    summary: "List payment methods",
    description: "Returns the networks and currencies for which you can create orders now.",
    tag: "Merchant",
    scope: null,
    request: NO_FIELDS,
    answer: "PaymentMethods",
    errors: [],
  },
  {
    path: "merchant/detail",
    operationId: "retrieveMerchant",
    summary: "Retrieve the merchant",
    description: "Returns the merchant that owns the API key. Use it to check the base URL and the key.",
    tag: "Merchant",
    scope: null,
    request: NO_FIELDS,
    answer: "Merchant",
    errors: [],
  },
  {
    path: "plugin/activate",
    operationId: "activatePlugin",
    summary: "Activate a plugin",
    description:
      'For shop plugins of the hosted service. The callbacks of this key and its successors then use the plugin v1 format. The key must have been created with "For a plugin"; otherwise the request is refused with 10004, the key keeps its format, and a user can allow the plugin under Settings → Plugins.',
    tag: "Merchant",
    scope: "orders:create",
    request: NO_FIELDS,
    answer: "Merchant",
    errors: [10004],
  },
];
