import { EVENT_LIST, NO_FIELDS, ORDER_LIST } from "@/lib/domain/api/list-requests";
import { ORDER_ADD, ORDER_CHECKOUT, ORDER_NAMES } from "@/lib/domain/api/order-requests";
import type { Schema } from "@/lib/domain/fields/json-schema";
import type { ApiCode } from "@/lib/domain/problems/api-codes";

/** A request of the merchants' API in its document. */
export interface ApiOperation {
  /** Under the API's base. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The tag in the document. */
  tag: string;
  request: { readonly schema: Schema };
  /** Name of the schema of `data`. */
  answer: string;
  /** Beside those that any request may get. */
  errors: readonly ApiCode[];
  /** True if a response may be that of an order that existed before. */
  mayRepeat?: true;
}

/** Errors that any request may get. */
export const COMMON_ERRORS: readonly ApiCode[] = [10001, 10002, 10005, 10006, 10099];

/** The description of each code. */
export const ERROR_WORDS: Readonly<Record<ApiCode, string>> = {
  10001: "A parameter is missing or invalid, or the body is no JSON object. `errors` lists every bad field.",
  10002:
    "The API key is missing, unknown, revoked or not allowed to do this; or the signature is wrong, too old or used before.",
  10003: "The order does not exist, or is another merchant's.",
  10004: "It cannot be so: `data` and `errors` say with what it collides.",
  10005: "Too many requests. `Retry-After` says when to ask again.",
  10006:
    "Not possible at this moment. Repeat the request with the same values after `Retry-After` seconds: that is safe.",
  10099: "An error on the service's side. Its operator finds it by the `request_id`.",
};

/** The requests about orders, in the order in which they are documented. */
export const ORDER_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "order/add",
    operationId: "createOrder",
    summary: "Create an order",
    description:
      "Asks for a payment in a token on a network: of an amount, or of a price in money of the world. Repeats are safe: the same `mch_order_id` with the same `currency`, `network`, `amount` (or `fiat` and `fiat_amount`), `notify_url` and `redirect_url` answers the order as it is now, with the header `Idempotent-Replayed: true`. Other terms are a conflict, which names the first field that differs and carries the existing `trade_id`.",
    tag: "Orders",
    request: ORDER_ADD,
    answer: "OrderCreated",
    errors: [10004],
    mayRepeat: true,
  },
  {
    path: "order/checkout",
    operationId: "createCheckout",
    summary: "Leave the choice to the payer",
    description:
      "As `order/add`, with `currency` and `network` optional: the payer chooses on the page, and the choice makes the offer. Until then `currency`, `network`, `actual_amount` and `address` are null in `order/detail`. `amount` is that number of whatever token is chosen. A `mch_order_id` that `order/add` was asked with is a conflict.",
    tag: "Orders",
    request: ORDER_CHECKOUT,
    answer: "CheckoutCreated",
    errors: [10004],
    mayRepeat: true,
  },
  {
    path: "order/detail",
    operationId: "readOrder",
    summary: "Read an order",
    description: "By `trade_id`, by `mch_order_id`, or by both, which must then be of one order.",
    tag: "Orders",
    request: ORDER_NAMES,
    answer: "Order",
    errors: [10003],
  },
  {
    path: "order/list",
    operationId: "listOrders",
    summary: "List orders",
    description:
      "Newest first, page by page: send `next_cursor` as `cursor` until it is null. An order that exists when you begin is on exactly one page.",
    tag: "Orders",
    request: ORDER_LIST,
    answer: "OrderList",
    errors: [],
  },
  {
    path: "order/cancel",
    operationId: "cancelOrder",
    summary: "Cancel an order",
    description:
      "Repeats are safe. An order that is paid, expired or being paid, or for which more than dust has arrived, matched or not, is a conflict, with the order's `status`.",
    tag: "Orders",
    request: ORDER_NAMES,
    answer: "Order",
    errors: [10003, 10004],
  },
];

/** The other requests of the merchants' API. */
export const MERCHANT_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "event/list",
    operationId: "listEvents",
    summary: "List what happened",
    description:
      "The bodies of your callbacks, oldest first, those of orders without a `notify_url` too: a shop that was away catches up without callbacks. Send `next` as `after` the next time. No event ever appears before one that was answered already.",
    tag: "Events",
    request: EVENT_LIST,
    answer: "EventList",
    errors: [],
  },
  {
    path: "payment-methods",
    operationId: "listPaymentMethods",
    summary: "What can be paid with",
    description: "The networks and currencies that an order can be created for at this moment.",
    tag: "Merchant",
    request: NO_FIELDS,
    answer: "PaymentMethods",
    errors: [],
  },
  {
    path: "merchant/detail",
    operationId: "readMerchant",
    summary: "Whose key this is",
    description: "What plugins ask first, to see that address and key are right.",
    tag: "Merchant",
    request: NO_FIELDS,
    answer: "Merchant",
    errors: [],
  },
  {
    path: "plugin/activate",
    operationId: "activatePlugin",
    summary: "Connect a shop plugin",
    description:
      "What plugins of the hosted service ask first: from then on the key's callbacks have the format that they read.",
    tag: "Merchant",
    request: NO_FIELDS,
    answer: "Merchant",
    errors: [],
  },
];
