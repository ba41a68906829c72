import type { OrderStatus } from "@/lib/domain/orders/order";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";

/** The facts about a transfer on which the sensible actions of a user depend. */
export interface TransferSituation {
  status: TransferStatus;
  isUnmatched: boolean;
  /** True for a token that only resembles a currency: it cannot be credited to an order. */
  isLookAlike: boolean;
  /** The status of the order that the transfer credits; null if it credits none. */
  orderStatus: OrderStatus | null;
  /** True if the transfer credits a customer's deposit address. */
  isDeposit: boolean;
  /** True if a reorg removed the confirmed transfer and no user acknowledged it. */
  isLost: boolean;
  /** True if the customer of an unmatched transfer can claim a refund. */
  isRefundable: boolean;
  /** True if the recorded refunds do not cover the whole transfer. */
  hasUnrefunded: boolean;
}

export type TransferAction =
  | "acknowledge"
  | "wait"
  | "assign"
  | "findOrder"
  | "showOrder"
  | "showDeposit"
  | "refundTransfer"
  | "record"
  | "unlink";

/** Returns the actions that make sense for a transfer now, the most urgent first. */
export function listTransferActions(transfer: TransferSituation): TransferAction[] {
  const { status, isUnmatched, orderStatus } = transfer;
  const isOpen = isUnmatched && status !== "dropped";
  const asked: readonly (readonly [TransferAction, boolean])[] = [
    ["acknowledge", transfer.isLost],
    ["wait", status === "seen" && !isUnmatched],
    ["assign", isOpen && !transfer.isLookAlike],
    ["findOrder", isOpen && transfer.isLookAlike],
    ["showOrder", orderStatus !== null],
    ["showDeposit", transfer.isDeposit],
    ["refundTransfer", orderStatus === null && transfer.isRefundable],
    ["record", status === "confirmed" && transfer.hasUnrefunded],
    ["unlink", orderStatus !== null && orderStatus !== "paid"],
  ];
  return asked.flatMap(([action, makesSense]) => (makesSense ? [action] : []));
}
