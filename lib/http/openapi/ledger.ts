import { REPORT_DETAIL, TRANSFER_UNMATCHED } from "@/lib/domain/api/ledger-requests";
import { ID } from "@/lib/domain/api/limits";
import { refTo } from "@/lib/domain/api/open-api";
import type { Schema } from "@/lib/domain/fields/json-schema";
import type { ReportData } from "@/lib/domain/ledger/report-wire";
import type { UnmatchedTransferData } from "@/lib/domain/ledger/unmatched-wire";
import { CURRENCIES } from "@/lib/domain/networks";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";
import { LEDGER_KINDS } from "@/lib/domain/reports";
import { UNMATCHED_REASONS } from "@/lib/domain/transfers/transfer";
import { CREATED, HASH } from "@/lib/http/openapi/examples";
import type { ApiOperation } from "@/lib/http/openapi/operations";
import { count, decimalNumber, list, object, type Shape, text, textOrNull, url } from "@/lib/http/openapi/shapes";

const CURRENCY_OR_NULL: Schema = {
  enum: [...CURRENCIES, null],
  description: "The currency; null for a token that only resembles one.",
};
type Sum = ReportData["refunds"][number];
type Fiat = ReportData["fiat_received"][number];
const SUM: Shape<Sum> = {
  network: refTo("Network"),
  currency: CURRENCY_OR_NULL,
  transfers: count("The number of transfers."),
  amount: {
    type: ["number", "null"],
    minimum: 0,
    description: "The sum of the amounts; null for a token that only resembles a currency.",
  },
};
const FIAT = object<Fiat>("A sum in a fiat currency.", {
  fiat: text("The ISO 4217 code of the currency."),
  transfers: count("The number of transfers."),
  value: decimalNumber("The sum of the values, at the rates of the orders."),
});

/** The schemas of responses about transfers and reports, by name. */
export const LEDGER_SCHEMAS: Readonly<Record<string, Schema>> = {
  UnmatchedTransfer: object<UnmatchedTransferData>(
    "A transfer to one of your addresses that is credited to nothing. A user can assign or refund it in the back office.",
    {
      transfer_id: { type: "string", pattern: ID, description: "The id of the transfer." },
      network: refTo("Network"),
      currency: CURRENCY_OR_NULL,
      token: text("The display name of the token."),
      amount: decimalNumber("The amount that was received."),
      refunded_amount: decimalNumber("The part of the amount that was refunded."),
      status: { enum: ["seen", "confirmed", "dropped"], description: "`seen`: the transfer is not final yet." },
      reason: { enum: UNMATCHED_REASONS, description: "The reason why the transfer is not credited." },
      likely_trade_id: textOrNull("The id of the order for which the transfer was certainly meant, or null."),
      address: text("The receiving address."),
      from_address: text("The sender's address. Exchanges send from their own addresses."),
      tx_hash: text("The hash of the transaction."),
      block_time: count("Time of the block, in Unix seconds."),
      seen_at: count("Time when the transfer was first seen, in Unix seconds."),
      explorer_url: url("The transaction in a block explorer."),
    },
  ),
  UnmatchedTransferList: object<{ transfers: unknown; next_cursor: unknown }>("A page of unmatched transfers.", {
    transfers: list(
      refTo("UnmatchedTransfer"),
      "Newest first. A page can have fewer transfers than `limit`, or none, and still be followed by another page.",
    ),
    next_cursor: textOrNull("The `cursor` of the next page; null on the last page."),
  }),
  Report: object<ReportData>("The sums of a period.", {
    from: text("The first day, in UTC."),
    to: text("The last day, in UTC."),
    transfers: list(
      object<ReportData["transfers"][number]>("Transfers of one kind in one token.", {
        kind: {
          enum: LEDGER_KINDS.filter((kind) => kind !== "refunded"),
          description:
            "`matched` and `assigned` transfers are credited to orders. `open` ones are not final, and `reversed` ones were removed by a reorg.",
        },
        ...SUM,
      }),
      "Transfers to your addresses, by the time of their block.",
    ),
    refunds: list(object<Sum>("Refunds in one token.", SUM), "Final refunds, by the time of their block."),
    fiat_received: list(FIAT, "The value of confirmed transfers to orders with a fiat price."),
    fiat_refunded: list(FIAT, "The value of refunds of orders with a fiat price."),
    orders: list(
      object<ReportData["orders"][number]>("Orders with one outcome.", {
        status: { enum: ORDER_STATUSES, description: "The status of the orders." },
        exception: { enum: [...ORDER_EXCEPTIONS, null], description: "An irregularity of the payments, or null." },
        orders: count("The number of orders."),
      }),
      "Orders that were created in the period.",
    ),
  }),
};

/** The operations for transfers and reports, in the order in which they are documented. */
export const LEDGER_OPERATIONS: readonly ApiOperation[] = [
  {
    path: "transfer/unmatched",
    operationId: "listUnmatchedTransfers",
    summary: "List unmatched transfers",
    description:
      "Returns a page of the transfers to your addresses that are credited to no order and no deposit address, newest first. Send `next_cursor` as `cursor` to get the next page, until it is null. A user assigns or refunds them in the back office.",
    tag: "Reports",
    scope: "transfers:read",
    request: TRANSFER_UNMATCHED,
    answer: "UnmatchedTransferList",
    errors: [],
  },
  {
    path: "report/detail",
    operationId: "retrieveReport",
    summary: "Retrieve a report",
    description:
      "Returns the sums of a period of up to 366 days: transfers and refunds by token, their fiat values, and the outcomes of the orders that were created in it. Days are in UTC. Amounts of the current day still change.",
    tag: "Reports",
    scope: "reports:read",
    request: REPORT_DETAIL,
    answer: "Report",
    errors: [],
  },
];

const UNMATCHED = {
  transfer_id: "01kaq3d1g8000t2wm9f6j4d8ry0b",
  network: "ethereum",
  currency: "USDT",
  token: "USDT",
  amount: 12.4,
  refunded_amount: 0,
  status: "confirmed",
  reason: "no_such_amount",
  likely_trade_id: null,
  address: CREATED.address,
  from_address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  tx_hash: HASH,
  block_time: 1795195590,
  seen_at: 1795195600,
  explorer_url: `https://etherscan.io/tx/${HASH}`,
};

const REPORT = {
  from: "2026-11-01",
  to: "2026-11-30",
  transfers: [{ kind: "matched", network: "ethereum", currency: "USDT", transfers: 2, amount: 25.0001 }],
  refunds: [{ network: "ethereum", currency: "USDT", transfers: 1, amount: 5 }],
  fiat_received: [{ fiat: "EUR", transfers: 1, value: 11.5 }],
  fiat_refunded: [],
  orders: [{ status: "paid", exception: null, orders: 2 }],
};

/** An example of the request and the response of each operation, by its path. */
export const LEDGER_EXAMPLES: Readonly<Record<string, { request: object; data: object }>> = {
  "transfer/unmatched": {
    request: { network: "ethereum", limit: 20 },
    data: { transfers: [UNMATCHED], next_cursor: null },
  },
  "report/detail": { request: { from: "2026-11-01", to: "2026-11-30" }, data: REPORT },
};
