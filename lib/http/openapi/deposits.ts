import { ID } from "@/lib/domain/api/limits";
import { type Answer, type OpenApiDocument, type Parameter, refTo } from "@/lib/domain/api/open-api";
import { DEPOSIT_ADDRESS, DEPOSIT_LIST } from "@/lib/domain/deposits/deposit-requests";
import type { DepositArrivalData, DepositStatusData } from "@/lib/domain/deposits/deposit-view";
import type { DepositAddressData, DepositData } from "@/lib/domain/deposits/deposit-wire";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { CURRENCIES } from "@/lib/domain/networks";
import { CREATED, HASH } from "@/lib/http/openapi/examples";
import type { ApiOperation } from "@/lib/http/openapi/operations";
import { EVENT_STREAM, headerRefs, publicOperation } from "@/lib/http/openapi/public-paths";
import { count, countOrNull, decimalNumber, list, object, text, textOrNull, url } from "@/lib/http/openapi/shapes";
import type { DocumentedEvent } from "@/lib/http/openapi/webhooks";

const ARRIVAL = object<DepositArrivalData>("A transfer to the deposit address.", {
  network: refTo("Network"),
  currency: { enum: CURRENCIES, description: "The currency that was received." },
  amount: text("The amount that was received, as a decimal string."),
  tx_hash: text("The hash of the transaction."),
  state: {
    enum: ["seen", "confirming", "confirmed", "reversed"],
    description: "`seen`: in the newest block only. `reversed`: a reorg removed it after it was confirmed.",
  },
  confirmations: count("Confirmations so far, at most `required_confirmations`."),
  required_confirmations: count("Confirmations that the transfer needs."),
  seen_at: count("Time when the transfer was first seen, in Unix seconds."),
});

/** The schemas of responses about deposits, by name. */
export const DEPOSIT_SCHEMAS: Readonly<Record<string, Schema>> = {
  DepositAddress: object<DepositAddressData>("A permanent address of one customer.", {
    deposit_address_id: { type: "string", pattern: ID, description: "The id of the deposit address." },
    customer_ref: text("Your reference for the customer."),
    network: refTo("Network"),
    currencies: list({ enum: CURRENCIES }, "Currencies that the address accepts."),
    address: text("The address to which the customer sends tokens."),
    deposit_url: url("A page for the customer with the address and the latest transfers."),
    created_at: count("Creation time, in Unix seconds."),
  }),
  Deposit: object<DepositData>(
    "A final transfer to a customer's deposit address, or one that a reorg removed after it was final.",
    {
      deposit_id: { type: "string", pattern: ID, description: "The id of the deposit. Credit each id once." },
      deposit_address_id: { type: "string", pattern: ID, description: "The id of the deposit address." },
      customer_ref: text("Your reference for the customer."),
      network: refTo("Network"),
      currency: { enum: CURRENCIES, description: "The currency that was received." },
      amount: decimalNumber("The amount that was received."),
      status: {
        enum: ["confirmed", "reversed"],
        description:
          "`reversed`: a reorg deeper than the required confirmations removed the transfer. The deposit becomes `confirmed` again once the chain includes the transfer again and the transfer is final.",
      },
      address: text("The receiving address."),
      from_address: text("The sender's address. Exchanges send from their own addresses."),
      tx_hash: text("The hash of the transaction."),
      confirmations: count("Confirmations when the transfer became final."),
      seen_at: count("Time when the transfer was first seen, in Unix seconds."),
      confirmed_at: count("Time when the transfer became final, in Unix seconds."),
      reversed_at: countOrNull("Time when a reorg removed the transfer, in Unix seconds; null while it is confirmed."),
      explorer_url: url("The transaction in a block explorer."),
    },
  ),
  DepositList: object<{ deposits: unknown; next_cursor: unknown }>("A page of deposits.", {
    deposits: list(refTo("Deposit"), "Newest first."),
    next_cursor: textOrNull("The `cursor` of the next page; null on the last page."),
  }),
  DepositStatus: object<DepositStatusData>("The public status of a deposit address.", {
    deposit_address_id: { type: "string", pattern: ID, description: "The id of the deposit address." },
    version: count("Increases with every change."),
    tag: text("Identifies the content of the page. A different tag means that the page has new content."),
    state: {
      enum: ["open", "closed", "broken"],
      description:
        "`closed`: the merchant paused or removed the address. `broken`: its integrity check failed. Customers must not send to an address that is not `open`.",
    },
    transfers: list(ARRIVAL, "The latest twenty transfers, newest first."),
  }),
};

/** The operations for deposits, in the order in which they are documented. */
export const DEPOSIT_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "deposit-address",
    operationId: "createDepositAddress",
    summary: "Create a deposit address",
    description:
      "Returns the permanent address of a customer on a network and creates it on the first request. The address accepts any amount in any currency of the network and does not expire. A repeat returns the same address, with the header `Idempotent-Replayed: true`.\n\nThe address is a dedicated address that has never served an order, and it is not used for orders from then on. If you use the same address on other networks of the family, it is assigned to the customer there too.",
    tag: "Deposits",
    scope: "orders:create",
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
      "Returns a page of final transfers to deposit addresses, newest first. Send `next_cursor` as `cursor` to get the next page, until it is null.\n\nDeposits are sorted by the time when the transfer was first seen, so a deposit can appear after ones that became final later. Identify deposits by `deposit_id`, or use the events.",
    tag: "Deposits",
    scope: "orders:read",
    request: DEPOSIT_LIST,
    answer: "DepositList",
    errors: [],
  },
];

const DEPOSIT_ID: Parameter = {
  name: "deposit_address_id",
  in: "path",
  required: true,
  description: "The id of the deposit address.",
  schema: { type: "string", pattern: ID },
};
const NO_DEPOSIT: Answer = {
  description: "The deposit address does not exist.",
  content: { "application/json": { schema: refTo("Notice") } },
};

/** The paths that the page of a deposit address uses. They need no key. */
export const DEPOSIT_PATHS: OpenApiDocument["paths"] = {
  "/api/deposit/{deposit_address_id}/status": publicOperation(
    {
      operationId: "retrieveDepositAddressStatus",
      summary: "Retrieve deposit address status",
      description:
        "Returns the public status of a deposit address. Send the last `ETag` as `If-None-Match` to get 304 while nothing has changed.",
      tags: ["Payer"],
      parameters: [DEPOSIT_ID],
    },
    {
      "200": {
        description: "Success.",
        headers: headerRefs("ETag"),
        content: { "application/json": { schema: refTo("DepositStatus") } },
      },
      "304": { description: "Nothing has changed.", headers: headerRefs("ETag") },
      "404": NO_DEPOSIT,
    },
  ),
  "/api/deposit/{deposit_address_id}/events": publicOperation(
    {
      operationId: "streamDepositAddressStatus",
      summary: "Stream deposit address updates",
      description:
        "Sends server-sent events: the current `version` of the deposit address, then every higher one. An event `ping` keeps the connection open.",
      tags: ["Payer"],
      parameters: [DEPOSIT_ID],
    },
    {
      "200": {
        description: "An event stream that stays open.",
        content: EVENT_STREAM,
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

/** The example requests and responses, by path. */
export const DEPOSIT_EXAMPLES: Readonly<Record<string, { request: object; data: object }>> = {
  "deposit-address": {
    request: { ...CUSTOMER, notify_url: "https://shop.example/deposited" },
    data: {
      deposit_address_id: DEPOSIT.deposit_address_id,
      ...CUSTOMER,
      currencies: ["USDT", "USDC"],
      address: CREATED.address,
      deposit_url: `https://pay.example.com/deposit/${DEPOSIT.deposit_address_id}`,
      created_at: 1795195252,
    },
  },
  "deposit/list": { request: { customer_ref: "customer-42" }, data: { deposits: [DEPOSIT], next_cursor: null } },
};

/** The deposit events. */
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
    summary: "A confirmed deposit was reversed by a reorg",
    created: "address",
    example: {
      id: "evt_01kaq5c2t4000m7p0s3v6y9b2dfh",
      type: "deposit.reversed",
      timestamp: "2026-11-21T09:41:10.000Z",
      data: { ...DEPOSIT, status: "reversed", reversed_at: 1795196470 },
    },
  },
} as const satisfies Record<string, DocumentedEvent>;
