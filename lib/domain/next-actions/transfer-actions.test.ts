import { expect, test } from "vitest";
import { listTransferActions, type TransferSituation } from "@/lib/domain/next-actions/transfer-actions";

const CONFIRMED: TransferSituation = {
  status: "confirmed",
  isUnmatched: false,
  isLookAlike: false,
  orderStatus: null,
  isDeposit: false,
  isLost: false,
  isRefundable: false,
  hasUnrefunded: true,
};

test.each<[string, Partial<TransferSituation>, string[]]>([
  [
    "unmatched: assign it, let the customer claim a refund or record one",
    { isUnmatched: true, isRefundable: true },
    ["assign", "refundTransfer", "record"],
  ],
  ["unmatched and not final: assign it", { isUnmatched: true, status: "seen" }, ["assign"]],
  ["a look-alike token: it cannot be assigned", { isUnmatched: true, isLookAlike: true }, ["findOrder", "record"]],
  ["credited to a paid order: it cannot be unlinked", { orderStatus: "paid" }, ["showOrder", "record"]],
  ["credited to an open order", { orderStatus: "confirming", status: "seen" }, ["wait", "showOrder", "unlink"]],
  ["a deposit", { isDeposit: true }, ["showDeposit", "record"]],
  ["fully refunded", { orderStatus: "paid", hasUnrefunded: false }, ["showOrder"]],
  [
    "removed by a reorg: acknowledge it",
    { status: "dropped", orderStatus: "paid", isLost: true },
    ["acknowledge", "showOrder"],
  ],
  ["removed by a reorg without an order: nothing", { status: "dropped", isUnmatched: true }, []],
])("%s", (_, facts, expected) => {
  expect(listTransferActions({ ...CONFIRMED, ...facts })).toEqual(expected);
});
