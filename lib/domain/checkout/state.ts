import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/**
 * The state of an order as its payer sees it. `checking`: the order's period has ended, but the chain has not been read up to that time;
 * `seen`: the payment is being confirmed and has at most one confirmation; `late`: the payment arrived after the expiry and is being
 * confirmed. `partial`: part of the amount was assigned manually at a shared address. The remaining amount could not be identified there,
 * so it is not requested. `elsewhere`: the whole amount arrived in a different currency or on a different network, where it is not
 * credited automatically; no further amount is requested. `otherAmount`: a different amount arrived at a shared address, by the transaction
 * that the payer entered; no further amount is requested.
 */
export const CHECKOUT_STATES = [
  "waiting",
  "underpaid",
  "partial",
  "elsewhere",
  "otherAmount",
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

/** The facts that determine the state of a payer's order. */
export interface Situation {
  status: OrderStatus;
  exception: OrderException | null;
  isTimeUp: boolean;
  /** True if transfers arrived that do not cover the amount. */
  isPartlyPaid: boolean;
  /** True if the whole amount arrived in a different currency or on a different network. */
  hasMisdirected: boolean;
  /** True if the transaction that the payer entered transferred a different amount to the order's address. */
  hasOtherAmount: boolean;
  /** True if a transfer of the rest could not be identified, because only the order's exact amount is credited. */
  isUnidentified: boolean;
  /** True if the transfer that is being confirmed has a block time after the expiry. */
  isLate: boolean;
  /** Confirmations of the least confirmed transfer. */
  confirmations: number;
}

/** Returns the state of the page for a situation. */
export function checkoutState(situation: Situation): CheckoutState {
  switch (situation.status) {
    case "pending":
      if (situation.hasMisdirected) return "elsewhere";
      if (situation.hasOtherAmount && !situation.isPartlyPaid) return "otherAmount";
      if (situation.isTimeUp) return "checking";
      if (!situation.isPartlyPaid) return "waiting";
      return situation.isUnidentified ? "partial" : "underpaid";
    case "confirming":
      if (situation.isLate) return "late";
      return situation.confirmations <= 1 ? "seen" : "confirming";
    case "paid":
      return situation.exception === "overpaid" ? "overpaid" : "paid";
    case "expired":
      if (situation.hasMisdirected) return "elsewhere";
      return situation.hasOtherAmount && !situation.isPartlyPaid ? "otherAmount" : "expired";
    case "cancelled":
      return "cancelled";
  }
}

/** Returns true if a payer in this state should still send a payment. */
export function isPaymentExpected(state: CheckoutState): boolean {
  return state === "waiting" || state === "underpaid";
}

/** The facts of an order that determine how much time its payer can add. */
export interface Extensible {
  createdAt: Date;
  expiresAt: Date;
  /** The number of extensions so far. */
  extensions: number;
}

/** The maximum number of extensions. */
export const MAX_EXTENSIONS = 3;
export const LONGEST_EXTENSION_MS = 1_800_000;

/** Returns the length of an extension in milliseconds: the order's initial period, truncated to whole seconds and limited to 30 minutes. */
export function extensionMs(order: Extensible): number {
  return Math.min(LONGEST_EXTENSION_MS, Math.floor(periodMs(order) / 1_000) * 1_000);
}

/** Returns the start of the last third of the order's period, or of its last extension if that is shorter. */
export function hurryAt(order: Extensible): number {
  return order.expiresAt.getTime() - Math.floor(Math.min(periodMs(order), lastMs(order)) / 3);
}

/**
 * Returns the average duration of a period. Each extension is as long as the first period, or 30 minutes if that is shorter, so the
 * average is never shorter than an extension.
 */
function periodMs({ createdAt, expiresAt, extensions }: Extensible): number {
  return (expiresAt.getTime() - createdAt.getTime()) / (extensions + 1);
}

function lastMs(order: Extensible): number {
  return order.extensions === 0 ? Number.POSITIVE_INFINITY : extensionMs(order);
}

/** The time that a payer can still add. */
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
