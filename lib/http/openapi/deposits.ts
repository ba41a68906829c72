import { ID } from "@/lib/domain/api/limits";
import { type Answer, type OpenApiDocument, type Parameter, refTo } from "@/lib/domain/api/open-api";
import { DEPOSIT_ADDRESS, DEPOSIT_LIST } from "@/lib/domain/deposits/deposit-requests";
import type { DepositArrivalData, DepositStatusData } from "@/lib/domain/deposits/deposit-view";
import type { DepositAddressData, DepositData } from "@/lib/domain/deposits/deposit-wire";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { CURRENCIES } from "@/lib/domain/networks";
import { CREATED, HASH } from "@/lib/http/openapi/examples";
import type { ApiOperation } from "@/lib/http/openapi/operations";
import { headerRefs, publicOperation } from "@/lib/http/openapi/public-paths";
import { count, countOrNull, list, money, object, text, textOrNull, url } from "@/lib/http/openapi/shapes";
import type { DocumentedEvent } from "@/lib/http/openapi/webhooks";

const ARRIVAL = object<DepositArrivalData>("A transfer to it.", {
  network: refTo("Network"),
  currency: { enum: CURRENCIES, description: "The token that came." },
  amount: text("How much came: an exact decimal."),
  tx_hash: text("Its transaction."),
  state: {
    enum: ["seen", "confirming", "confirmed", "reversed"],
    description: "`seen`: in the newest block only; `reversed`: confirmed, then removed by a reorg.",
  },
  confirmations: count("How many it has, at most as many as it needs."),
  required_confirmations: count("How many it needs."),
  seen_at: count("When it was first seen, in Unix seconds."),
});

/** The objects of answers about deposits, by name. */
export const DEPOSIT_SCHEMAS: Readonly<Record<string, Schema>> = {
  DepositAddress: object<DepositAddressData>("An address that stays with a customer.", {
    deposit_address_id: { type: "string", pattern: ID, description: "Its id." },
    customer_ref: text("As asked."),
    network: refTo("Network"),
    currencies: list({ enum: CURRENCIES }, "What counts there."),
    address: text("Where the customer pays."),
    deposit_url: url("A page for the customer that shows the address, and what came there."),
    created_at: count("When the customer got it, in Unix seconds."),
  }),
  Deposit: object<DepositData>("A transfer to a customer's address that is final, or was until a reorg removed it.", {
    deposit_id: { type: "string", pattern: ID, description: "Its id: credit each once." },
    deposit_address_id: { type: "string", pattern: ID, description: "Of the address." },
    customer_ref: text("Whose address it is."),
    network: refTo("Network"),
    currency: { enum: CURRENCIES, description: "The token that came." },
    amount: money("How much came."),
    status: {
      enum: ["confirmed", "reversed"],
      description:
        "`reversed`: a reorg deeper than the confirmations removed it. It is `confirmed` again when the chain includes it again and it is final.",
    },
    address: text("Where it came."),
    from_address: text("Who sent it; an exchange sends from an address of its own."),
    tx_hash: text("Its transaction."),
    confirmations: count("How many it had when it was final."),
    seen_at: count("When it was first seen, in Unix seconds."),
    confirmed_at: count("When it was final, in Unix seconds."),
    reversed_at: countOrNull("When a reorg removed it, in Unix seconds; null while it is confirmed."),
    explorer_url: url("Where people can look at it."),
  }),
  DepositList: object<{ deposits: unknown; next_cursor: unknown }>("A page of deposits.", {
    deposits: list(refTo("Deposit"), "Newest first."),
    next_cursor: textOrNull("The `cursor` of the next page; null after the last."),
  }),
  DepositStatus: object<DepositStatusData>("What came to a deposit address, as its page shows it.", {
    deposit_address_id: { type: "string", pattern: ID, description: "Its id." },
    version: count("It only ever rises."),
    tag: text("Names everything that the page shows: another tag means that there is something new to show."),
    state: {
      enum: ["open", "closed", "broken"],
      description: "`closed`: paused or removed; `broken`: it does not fit its seal. Nobody may send there then.",
    },
    transfers: list(ARRIVAL, "The newest twenty, newest first."),
  }),
};

/** The requests about deposits, in the order in which they are documented. */
export const DEPOSIT_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "deposit-address",
    operationId: "takeDepositAddress",
    summary: "Give a customer an address",
    description:
      "One permanent address for a customer on a network: any amount, any currency of the network, no expiry. Repeats are safe and answer the same address, with the header `Idempotent-Replayed: true`. It is one of your addresses of its own (dedicated) that never served an order, and serves none from then on; where you have the same address on other networks of its family, the customer gets it there too, and what arrives on any of them is the customer's.",
    tag: "Deposits",
    request: DEPOSIT_ADDRESS,
    answer: "DepositAddress",
    errors: [],
    mayRepeat: true,
  },
  {
    path: "deposit/list",
    operationId: "listDeposits",
    summary: "List deposits",
    description:
      "What came to customers' addresses and is final, newest first, page by page: send `next_cursor` as `cursor` until it is null. Places go by when a transfer was first seen, which may be before one that was final earlier: know deposits again by `deposit_id`, or follow the events.",
    tag: "Deposits",
    request: DEPOSIT_LIST,
    answer: "DepositList",
    errors: [],
  },
];

const DEPOSIT_ID: Parameter = {
  name: "deposit_address_id",
  in: "path",
  required: true,
  description: "The address's id.",
  schema: { type: "string", pattern: ID },
};
const NO_DEPOSIT: Answer = {
  description: "There is no such deposit address.",
  content: { "application/json": { schema: refTo("Notice") } },
};

/** The paths of the page of a deposit address, which need no key. */
export const DEPOSIT_PATHS: OpenApiDocument["paths"] = {
  "/api/deposit/{deposit_address_id}/status": publicOperation(
    {
      operationId: "readDepositAddress",
      summary: "What came to a deposit address",
      description: "For its page. Send the last `ETag` as `If-None-Match` to be told only what is new.",
      tags: ["Payer"],
      parameters: [DEPOSIT_ID],
    },
    {
      "200": {
        description: "Success.",
        headers: headerRefs("ETag"),
        content: { "application/json": { schema: refTo("DepositStatus") } },
      },
      "304": { description: "Nothing is new.", headers: headerRefs("ETag") },
      "404": NO_DEPOSIT,
    },
  ),
  "/api/deposit/{deposit_address_id}/events": publicOperation(
    {
      operationId: "followDepositAddress",
      summary: "Follow a deposit address",
      description:
        "Server-sent events: the address's `version` now, and each higher one; an event `ping` now and then.",
      tags: ["Payer"],
      parameters: [DEPOSIT_ID],
    },
    {
      "200": {
        description: "A stream that stays open.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      "404": NO_DEPOSIT,
    },
  ),
};

const CUSTOMER = { customer_ref: "customer-42", network: "ethereum" };
const DEPOSIT = {
  deposit_id: "01kaq4p2w1000d5g8j1m4q7s0vxy",
  deposit_address_id: "01kaq4n9v8000b3e6h9k2n5r8tvw",
  ...CUSTOMER,
  currency: "USDT",
  amount: 37.42,
  status: "confirmed",
  address: CREATED.address,
  from_address: "0x2b1A1a6B5fB2a0cC1dD9E8f7A6b5C4d3E2F1a0B9",
  tx_hash: HASH,
  confirmations: 14,
  seen_at: 1795195600,
  confirmed_at: 1795195770,
  reversed_at: null,
  explorer_url: `https://etherscan.io/tx/${HASH}`,
};

/** The requests and responses, by path. */
export const DEPOSIT_EXAMPLES: Readonly<Record<string, { asks: object; data: object }>> = {
  "deposit-address": {
    asks: { ...CUSTOMER, notify_url: "https://shop.example/deposited" },
    data: {
      deposit_address_id: DEPOSIT.deposit_address_id,
      ...CUSTOMER,
      currencies: ["USDT", "USDC"],
      address: CREATED.address,
      deposit_url: `https://pay.example.com/deposit/${DEPOSIT.deposit_address_id}`,
      created_at: 1795195252,
    },
  },
  "deposit/list": { asks: { customer_ref: "customer-42" }, data: { deposits: [DEPOSIT], next_cursor: null } },
};

/** The events of deposits. */
export const DEPOSIT_EVENTS = {
  "deposit.confirmed": {
    summary: "A deposit is confirmed",
    created: "address",
    example: {
      id: "evt_01kaq4r6y3000h9k2n5q8s1v4xza",
      type: "deposit.confirmed",
      timestamp: "2026-11-21T09:29:30.000Z",
      data: DEPOSIT,
    },
  },
  "deposit.reversed": {
    summary: "A reorg removed a confirmed deposit",
    created: "address",
    example: {
      id: "evt_01kaq5c2t4000m7p0s3v6y9b2dfh",
      type: "deposit.reversed",
      timestamp: "2026-11-21T09:41:10.000Z",
      data: { ...DEPOSIT, status: "reversed", reversed_at: 1795196470 },
    },
  },
} as const satisfies Record<string, DocumentedEvent>;
