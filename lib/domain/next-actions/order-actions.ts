import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** The facts about an order on which the sensible actions of a user depend. */
export interface OrderSituation {
  status: OrderStatus;
  exception: OrderException | null;
  /** True if a confirmed transfer credits the order. */
  hasFunds: boolean;
  /** True if a transfer was certainly meant for the order but is not credited to it. */
  hasMisdirected: boolean;
  /** True if the payer entered a transaction that is not credited to the order. */
  hasOpenClaim: boolean;
  /** True if endpoints returned contradictory results about a transfer of the order. */
  isDisputed: boolean;
  hasFailedCallback: boolean;
  /** True if an amount is left that can be refunded. */
  isRefundable: boolean;
  /** True if the order was overpaid and the excess can still be refunded. */
  hasExcess: boolean;
}

export type OrderAction =
  | "decideTransfer"
  | "checkClaim"
  | "resendCallback"
  | "refundExcess"
  | "wait"
  | "acceptEarly"
  | "sendLink"
  | "acceptFunds"
  | "markPaid"
  | "createOrder"
  | "refund"
  | "cancel";

/** The actions that mark an order as paid. */
const MARKING: ReadonlySet<OrderAction> = new Set(["acceptFunds", "acceptEarly", "markPaid"]);

/** Returns the actions that make sense for an order now, the most urgent first. A paid order without open questions has none. */
export function listOrderActions(order: OrderSituation): OrderAction[] {
  const { status, exception, hasFunds, isDisputed } = order;
  const isOver = status === "expired" || status === "cancelled";
  const isShort = exception === "underpaid";
  const asked: readonly (readonly [OrderAction, boolean])[] = [
    ["decideTransfer", order.hasMisdirected],
    ["checkClaim", order.hasOpenClaim],
    ["resendCallback", order.hasFailedCallback],
    ["refundExcess", order.hasExcess],
    ["wait", status === "confirming" && !isDisputed],
    ["sendLink", status === "pending"],
    ["acceptFunds", status !== "paid" && (isShort || hasFunds || isDisputed)],
    ["acceptEarly", status === "confirming"],
    ["createOrder", isOver && !hasFunds && !order.hasMisdirected],
    ["markPaid", isOver || status === "pending"],
    ["refund", order.isRefundable],
    ["cancel", status === "pending"],
  ];
  const actions = asked.flatMap(([action, makesSense]) => (makesSense ? [action] : []));
  // All of these mark the order as paid: the first one has the reason that fits best.
  const [mark] = actions.filter((action) => MARKING.has(action));
  return actions.filter((action) => !MARKING.has(action) || action === mark);
}
