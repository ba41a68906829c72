import { expect, test } from "vitest";
import { listOrderActions, type OrderSituation } from "@/lib/domain/next-actions/order-actions";

const QUIET: OrderSituation = {
  status: "pending",
  exception: null,
  hasFunds: false,
  hasMisdirected: false,
  hasOpenClaim: false,
  isDisputed: false,
  hasFailedCallback: false,
  isRefundable: false,
  hasExcess: false,
};

test.each<[string, Partial<OrderSituation>, string[]]>([
  ["a new order: send its link, settle it off-chain or cancel it", {}, ["sendLink", "markPaid", "cancel"]],
  ["an order that is being confirmed: wait, or accept it early", { status: "confirming" }, ["wait", "acceptEarly"]],
  [
    "a disputed payment: accept it after a look at the explorer",
    { status: "confirming", isDisputed: true },
    ["acceptFunds"],
  ],
  [
    "an underpaid order that is open: the payer can send the rest, or the merchant accepts or refunds the amount",
    { exception: "underpaid", hasFunds: true, isRefundable: true },
    ["sendLink", "acceptFunds", "refund", "cancel"],
  ],
  [
    "an underpaid order that is over: no link any more",
    { status: "expired", exception: "underpaid", hasFunds: true, isRefundable: true },
    ["acceptFunds", "refund"],
  ],
  ["an order that expired without a payment", { status: "expired" }, ["createOrder", "markPaid"]],
  [
    "a cancelled order whose payment arrived: decide about the transfer first",
    { status: "cancelled", hasMisdirected: true },
    ["decideTransfer", "markPaid"],
  ],
  ["a paid order: a refund", { status: "paid", hasFunds: true, isRefundable: true }, ["refund"]],
  ["a paid order that is refunded: nothing", { status: "paid", hasFunds: true }, []],
  [
    "an overpaid order: its excess",
    { status: "paid", exception: "overpaid", hasFunds: true, isRefundable: true, hasExcess: true },
    ["refundExcess", "refund"],
  ],
  [
    "a claim and a failed callback come before everything else",
    { status: "paid", hasFunds: true, hasOpenClaim: true, hasFailedCallback: true },
    ["checkClaim", "resendCallback"],
  ],
])("%s", (_, facts, expected) => {
  expect(listOrderActions({ ...QUIET, ...facts })).toEqual(expected);
});
