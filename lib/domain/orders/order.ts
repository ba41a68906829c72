import type { Currency } from "@/lib/domain/networks";
export const ORDER_STATUSES = ["pending", "confirming", "paid", "expired", "cancelled"] as const;
/** The price in money of the world that an order was made for, with the rate it was counted at, as it is stored. */
export interface OrderPrice {
  /** ISO 4217 code. */
  fiat: string;
  /** Decimal text. */
  amount: string;
  /** The token whose rate it is, and what one of it cost: decimal text. */
  currency: Currency;
  rate: string;
  /** Names of the sources that decided, or "fixed". */
  source: string;
  /** When the rate was read or set, ISO 8601. */
  at: string;
}

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_EXCEPTIONS = ["underpaid", "overpaid", "late", "manual"] as const;
export type OrderException = (typeof ORDER_EXCEPTIONS)[number];

/** What the rules look at. Amounts are base units of the order's token. */
export interface OrderState {
  status: OrderStatus;
  exception: OrderException | null;
  dueUnits: bigint;
  expiresAt: Date;
}

/** What has arrived for an order, over all its transfers that a reorg did not take back. */
export interface Funds {
  /** Seen or confirmed. */
  arrivedUnits: bigint;
  confirmedUnits: bigint;
  /** True when the transfer that completes the amount has a block time after the expiry. */
  isLate: boolean;
  /** True when the amount is reached only with transfers that a person assigned, or a person marked the order as paid. */
  isAssigned: boolean;
}

export type OrderEvent =
  | { type: "fundsChanged"; funds: Funds; now: Date }
  | { type: "timePassed"; now: Date }
  | { type: "cancelled" }
  | { type: "markedPaid" };

/** The graph of contract §5: where an order may go from each status. */
export const ORDER_GRAPH: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ["confirming", "expired", "cancelled"],
  confirming: ["paid", "pending", "expired"],
  paid: [],
  expired: ["confirming"],
  cancelled: ["confirming"],
};

/**
 * The next status after an event, one edge of the graph at a time, or null when the order stays.
 * A transfer that is final when it is first seen needs two calls: confirming, then paid.
 */
export function nextStatus(order: OrderState, event: OrderEvent): OrderStatus | null {
  switch (order.status) {
    case "pending":
      if (event.type === "cancelled") return "cancelled";
      if (event.type === "timePassed") return event.now >= order.expiresAt ? "expired" : null;
      return isCovered(order, event) ? "confirming" : null;
    case "expired":
      return isCovered(order, event) ? "confirming" : null;
    case "confirming":
      if (event.type === "markedPaid") return "paid";
      if (event.type !== "fundsChanged") return null;
      if (event.funds.confirmedUnits >= order.dueUnits) return "paid";
      if (event.funds.arrivedUnits >= order.dueUnits) return null;
      return event.now >= order.expiresAt ? "expired" : "pending";
    case "cancelled":
      return isCoveredByHand(order, event) ? "confirming" : null;
    case "paid":
      return null;
  }
}

/** The exception that goes with what has arrived; `status` is the order's status after the event. */
export function nextException(order: OrderState, status: OrderStatus, funds: Funds): OrderException | null {
  const isShort = funds.arrivedUnits < order.dueUnits;
  if (status !== "paid" && isShort) return funds.arrivedUnits > 0n ? "underpaid" : null;
  if (funds.isAssigned) return "manual";
  if (funds.confirmedUnits > order.dueUnits) return "overpaid";
  if (status !== "paid") return null;
  if (order.status === "paid" && order.exception === "manual") return "manual";
  return funds.isLate ? "late" : null;
}

function isCovered(order: OrderState, event: OrderEvent): boolean {
  if (event.type === "markedPaid") return true;
  return event.type === "fundsChanged" && order.dueUnits > 0n && event.funds.arrivedUnits >= order.dueUnits;
}

/** Cancelling holds against money that comes by itself; a person may still give it to the order. */
function isCoveredByHand(order: OrderState, event: OrderEvent): boolean {
  return event.type === "fundsChanged" && event.funds.isAssigned && isCovered(order, event);
}
