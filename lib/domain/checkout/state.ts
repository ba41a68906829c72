import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/**
 * Where a payer stands. `checking`: time is up and the chain is not yet read to the end; `seen`: in the newest block only;
 * `late`: a payment that came after the time, being confirmed. `partial`: a part was counted by the merchant's hand, and the
 * address is shared: the rest sent there could not be told apart, so nobody is asked for it. `elsewhere`: the whole amount came in
 * another currency or on another network, where it does not count by itself; nobody is asked for a rest on top of it.
 */
export const CHECKOUT_STATES = [
  "waiting",
  "underpaid",
  "partial",
  "elsewhere",
  "checking",
  "seen",
  "confirming",
  "late",
  "paid",
  "overpaid",
  "expired",
  "cancelled",
] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

/** What decides where a payer stands. */
export interface Situation {
  status: OrderStatus;
  exception: OrderException | null;
  isTimeUp: boolean;
  /** Something arrived that does not cover the amount. */
  isPartlyPaid: boolean;
  /** The whole amount came in another currency or on another network. */
  hasMisdirected: boolean;
  /** Only the exact amount pays. */
  isExact: boolean;
  /** The transfer being confirmed has a block time after the expiry. */
  isLate: boolean;
  /** Confirmations of the least confirmed transfer. */
  confirmations: number;
}

/** The one state of the page for a situation. */
export function checkoutState(situation: Situation): CheckoutState {
  switch (situation.status) {
    case "pending":
      if (situation.hasMisdirected) return "elsewhere";
      if (situation.isTimeUp) return "checking";
      if (!situation.isPartlyPaid) return "waiting";
      return situation.isExact ? "partial" : "underpaid";
    case "confirming":
      if (situation.isLate) return "late";
      return situation.confirmations <= 1 ? "seen" : "confirming";
    case "paid":
      return situation.exception === "overpaid" ? "overpaid" : "paid";
    case "expired":
      return situation.hasMisdirected ? "elsewhere" : "expired";
    case "cancelled":
      return "cancelled";
  }
}

/** Whether a payer in this state should still send money. */
export function isMoneyWanted(state: CheckoutState): boolean {
  return state === "waiting" || state === "underpaid";
}
