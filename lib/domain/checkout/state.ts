import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/**
 * The state of a payer's order. `checking`: the time is over and the chain is not yet read to its end; `seen`: in the newest block only;
 * `late`: a payment that came after the expiry and is being confirmed. `partial`: a part was assigned manually at a shared address, where
 * the rest could not be identified, so it is not requested. `elsewhere`: the whole amount came in another currency or on another network,
 * where it is not credited automatically; no further amount is requested.
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

/** The facts that decide the state of a payer's order. */
export interface Situation {
  status: OrderStatus;
  exception: OrderException | null;
  isTimeUp: boolean;
  /** Something arrived that does not cover the amount. */
  isPartlyPaid: boolean;
  /** The whole amount came in another currency or on another network. */
  hasMisdirected: boolean;
  /** True if only the exact amount pays. */
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

/** Returns true if a payer in this state should still send money. */
export function isPaymentExpected(state: CheckoutState): boolean {
  return state === "waiting" || state === "underpaid";
}

/** The facts of an order that decide how much more time its payer can get. */
export interface Extensible {
  createdAt: Date;
  expiresAt: Date;
  /** The number of extensions so far. */
  extensions: number;
}

/** The maximum number of extensions. */
export const MAX_EXTENSIONS = 3;
export const LONGEST_EXTENSION_MS = 1_800_000;

/** Returns the length of an extension: the order's first duration, at most 30 minutes. Whole seconds, in milliseconds. */
export function extensionMs(order: Extensible): number {
  return Math.min(LONGEST_EXTENSION_MS, Math.floor(periodMs(order) / 1_000) * 1_000);
}

/** Returns the start of the last third of the time since the last extension. */
export function hurryAt(order: Extensible): number {
  return order.expiresAt.getTime() - Math.floor(Math.min(periodMs(order), lastMs(order)) / 3);
}

/** Each extension added as much as the first time was, or 30 minutes: an equal share is never less than was added. */
function periodMs({ createdAt, expiresAt, extensions }: Extensible): number {
  return (expiresAt.getTime() - createdAt.getTime()) / (extensions + 1);
}

function lastMs(order: Extensible): number {
  return order.extensions === 0 ? Number.POSITIVE_INFINITY : extensionMs(order);
}

/** The time that a payer can still get; null if none. */
export interface MoreTime {
  minutes: number;
  left: number;
  /** The number of extensions so far, which the button submits so that a repeated press counts once. */
  extensions: number;
}

export function moreTimeOf(order: Extensible): MoreTime | null {
  const { extensions } = order;
  const minutes = Math.round(extensionMs(order) / 60_000);
  return extensions < MAX_EXTENSIONS ? { minutes, left: MAX_EXTENSIONS - extensions, extensions } : null;
}
