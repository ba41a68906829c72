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

/** What of an order says how much more time its payer may get. */
export interface Extensible {
  createdAt: Date;
  expiresAt: Date;
  /** How often they got it already. */
  extensions: number;
}

/** So often a payer may get more time. */
export const MOST_EXTENSIONS = 3;
export const LONGEST_EXTENSION_MS = 1_800_000;

/** What one more extension adds: as long as the order was first open for, at most 30 minutes. Whole seconds, in milliseconds. */
export function extensionMs(order: Extensible): number {
  return Math.min(LONGEST_EXTENSION_MS, Math.floor(periodMs(order) / 1_000) * 1_000);
}

/** When the last third of the time begins that is left since the last extension. */
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

/** What a payer is told of the time that they may still get; null where they get none. */
export interface MoreTime {
  minutes: number;
  left: number;
  /** How often they got it: what the button sends, so that a press that is repeated counts once. */
  extensions: number;
}

export function moreTimeOf(order: Extensible): MoreTime | null {
  const { extensions } = order;
  const minutes = Math.round(extensionMs(order) / 60_000);
  return extensions < MOST_EXTENSIONS ? { minutes, left: MOST_EXTENSIONS - extensions, extensions } : null;
}
