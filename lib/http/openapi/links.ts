import { ID } from "@/lib/domain/api/limits";
import { LINK_ADD, LINK_LIST, LINK_NAMES } from "@/lib/domain/api/link-requests";
import { refTo } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { LINK_STATUSES } from "@/lib/domain/links/link";
import type { LinkData } from "@/lib/domain/links/link-wire";
import { CURRENCIES } from "@/lib/domain/networks";
import type { ApiOperation } from "@/lib/http/openapi/operations";
import { count, countOrNull, list, object, textOrNull, url, urlOrNull } from "@/lib/http/openapi/shapes";

const amountOrNull = (description: string): Schema => ({ type: ["number", "null"], minimum: 0, description });

/** The schemas of responses about payment links, by name. */
export const LINK_SCHEMAS: Readonly<Record<string, Schema>> = {
  Link: object<LinkData>("A payment link: a template from which each payer creates an order.", {
    link_id: { type: "string", pattern: ID, description: "The id of the link." },
    mch_link_id: textOrNull("Your number of the link."),
    url: url("The page on which a payer starts a payment."),
    status: {
      enum: LINK_STATUSES,
      description:
        "`open`: payers can start a payment. `used_up`: `max_uses` orders are open or paid; an order that expires unpaid opens the link again. `expired` and `closed`: no more payments can be started, and open orders can still be paid.",
    },
    network: textOrNull("The network; null if the payer selects it."),
    currency: {
      anyOf: [{ enum: CURRENCIES }, { type: "null" }],
      description: "The currency; null if the payer selects it.",
    },
    amount: amountOrNull("The fixed amount in tokens; null if the payer enters the amount, or if it is in `fiat`."),
    fiat: textOrNull("The fiat currency of the amounts; null if they are in tokens."),
    fiat_amount: amountOrNull("The fixed price in `fiat`; null if the payer enters the amount, or if it is in tokens."),
    min_amount: amountOrNull("The minimum of an amount that the payer enters."),
    max_amount: amountOrNull("The maximum of an amount that the payer enters."),
    subject: textOrNull("Text shown to the payer."),
    note_label: textOrNull("The label of the field in which the payer can enter a note."),
    notify_url: urlOrNull("The URL for callbacks about its orders."),
    redirect_url: urlOrNull("The URL to which the payer returns."),
    max_uses: countOrNull("The maximum number of orders that are open or paid; null for any number."),
    uses: count("The number of its orders that are open or paid."),
    paid_orders: count("The number of its orders that are paid."),
    created_at: count("Creation time, in Unix seconds."),
    expires_at: countOrNull("Time when the link expires, in Unix seconds; null if it does not expire."),
    closed_at: countOrNull("Time when the link was closed, in Unix seconds."),
  }),
  LinkList: object<{ links: unknown; next_cursor: unknown }>("A page of payment links.", {
    links: list(refTo("Link"), "Newest first."),
    next_cursor: textOrNull("The `cursor` of the next page; null on the last page."),
  }),
};

/** The operations for payment links, in the order in which they are documented. */
export const LINK_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "link/add",
    operationId: "createLink",
    summary: "Create a payment link",
    description:
      "Creates a payment link. Each payer who opens its `url` and submits the form creates an order with your usual time to pay. The `metadata` of the order contains the `payment_link` and the payer's `note`.\n\nSet `amount`, or `fiat` and `fiat_amount`, for a fixed amount. Without them, the payer enters the amount, between `min_amount` and `max_amount`. With `mch_link_id`, a repeated request returns the same link with the header `Idempotent-Replayed: true`.",
    tag: "Payment links",
    scope: "links:create",
    request: LINK_ADD,
    answer: "Link",
    errors: [10004],
    mayRepeat: true,
  },
  {
    path: "link/detail",
    operationId: "retrieveLink",
    summary: "Retrieve a payment link",
    description: "Returns a payment link by `link_id` or `mch_link_id`.",
    tag: "Payment links",
    scope: "links:read",
    request: LINK_NAMES,
    answer: "Link",
    errors: [10003],
  },
  {
    path: "link/list",
    operationId: "listLinks",
    summary: "List payment links",
    description:
      "Returns a page of payment links, newest first. Send `next_cursor` as `cursor` to get the next page, until it is null.",
    tag: "Payment links",
    scope: "links:read",
    request: LINK_LIST,
    answer: "LinkList",
    errors: [],
  },
  {
    path: "link/close",
    operationId: "closeLink",
    summary: "Close a payment link",
    description:
      "Closes a payment link, so that no more orders are created with it. Its open orders can still be paid. Closing a closed link succeeds.",
    tag: "Payment links",
    scope: "links:create",
    request: LINK_NAMES,
    answer: "Link",
    errors: [10003],
  },
];

const LINK_ID = "01kaq6m2t3000c5e7g9j1m4p6rsv";

const LINK = {
  link_id: LINK_ID,
  mch_link_id: "L-1001",
  url: `https://pay.example.com/link/${LINK_ID}`,
  status: "open",
  network: null,
  currency: null,
  amount: null,
  fiat: "EUR",
  fiat_amount: null,
  min_amount: 5,
  max_amount: 500,
  subject: "Donation",
  note_label: "Your name",
  notify_url: "https://shop.example/paid",
  redirect_url: null,
  max_uses: null,
  uses: 0,
  paid_orders: 0,
  created_at: 1795200000,
  expires_at: 1795804800,
  closed_at: null,
};

/** An example of the request and the response of each operation, by its path. */
export const LINK_EXAMPLES: Readonly<Record<string, { request: object; data: object }>> = {
  "link/add": {
    request: {
      fiat: "EUR",
      min_amount: 5,
      max_amount: 500,
      subject: "Donation",
      note_label: "Your name",
      mch_link_id: "L-1001",
      notify_url: "https://shop.example/paid",
    },
    data: LINK,
  },
  "link/detail": { request: { link_id: LINK_ID }, data: { ...LINK, uses: 3, paid_orders: 2 } },
  "link/list": {
    request: { status: "open" },
    data: { links: [{ ...LINK, uses: 3, paid_orders: 2 }], next_cursor: null },
  },
  "link/close": {
    request: { link_id: LINK_ID },
    data: { ...LINK, status: "closed", uses: 3, paid_orders: 2, closed_at: 1795300000 },
  },
};
