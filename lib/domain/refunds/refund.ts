import type { Echo } from "@/lib/domain/integration-id";
import type { Currency } from "@/lib/domain/networks";
import type { FreezeState } from "@/lib/domain/refunds/freeze";

/**
 * The statuses of a refund. `requested`: the claim link is open; `claimed`: the customer entered an address; `approved`: the merchant
 * approved the claim and is expected to pay; `sent`: the transfer was seen; `completed`: the transfer is final.
 */
export const REFUND_STATUSES = [
  "requested",
  "claimed",
  "approved",
  "sent",
  "completed",
  "cancelled",
  "expired",
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The status graph of specification §10: the statuses that can follow each status. */
export const REFUND_GRAPH: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  requested: ["claimed", "cancelled", "expired"],
  claimed: ["approved", "requested", "cancelled"],
  approved: ["sent", "cancelled"],
  sent: ["completed", "approved"],
  // A reorg can remove the transfer of a completed refund, or move it to a block that is not final.
  completed: ["approved", "sent"],
  cancelled: [],
  expired: [],
};

/** Returns true if a refund can change from one status to the other in one step. */
export function canMoveRefund(from: RefundStatus, to: RefundStatus): boolean {
  return REFUND_GRAPH[from].includes(to);
}

/** The statuses in which the amount of a refund counts against what the order received. */
export const COUNTED_STATUSES = REFUND_STATUSES.filter((status) => status !== "cancelled" && status !== "expired");

/** The statuses in which the merchant or the customer must still act, or the chain must still show the transfer. */
export const OPEN_STATUSES = ["requested", "claimed", "approved", "sent"] as const satisfies readonly RefundStatus[];

/** Returns true if a refund in this status can still change without a reorg. */
export function isOpenRefund(status: RefundStatus): boolean {
  return (OPEN_STATUSES as readonly RefundStatus[]).includes(status);
}

/** The fiat amount of a refund, as stored: the code of the currency and a decimal string. */
export interface RefundPrice {
  fiat: string;
  amount: string;
}

/** The subject of a refund: an order that received money, or a transfer that credits no order. */
export type RefundSubject = { orderId: string; transferId: null } | { orderId: null; transferId: string };

/** The reasons why a transfer to a claimed address completes no refund. */
export const REFUND_TRANSFER_PROBLEMS = [
  "otherAmount",
  "otherToken",
  "otherNetwork",
  "early",
  "repeated",
  "cancelled",
] as const;
export type RefundTransferProblem = (typeof REFUND_TRANSFER_PROBLEMS)[number];

/** The parts of a refund that decide whether a transfer to its address completes it. */
export interface RefundTerms {
  id: string;
  status: RefundStatus;
  network: string;
  /** The token contract in canonical form, and the amount in its base units. */
  token: string;
  baseUnits: bigint;
  approvedAt: Date;
  /** The time of the cancellation; null unless it is cancelled. */
  endedAt: Date | null;
}

/** A transfer to a claimed address. */
export interface RefundArrival {
  network: string;
  token: string;
  baseUnits: bigint;
  blockTime: Date;
}

/** Block times have whole seconds, so an approval counts from the start of its second. */
const startOfSecond = (at: Date) => Math.floor(at.getTime() / 1_000) * 1_000;

/** Returns the reason why a transfer does not complete a refund; null if it does. */
export function refundTransferProblem(refund: RefundTerms, transfer: RefundArrival): RefundTransferProblem | null {
  if (refund.network !== transfer.network) return "otherNetwork";
  if (refund.token !== transfer.token) return "otherToken";
  if (refund.baseUnits !== transfer.baseUnits) return "otherAmount";
  if (transfer.blockTime.getTime() < startOfSecond(refund.approvedAt)) return "early";
  if (refund.status === "approved") return null;
  return refund.status === "cancelled" ? "cancelled" : "repeated";
}

/** The order of the reasons, with the one that explains a transfer best first. */
const BEST_FIRST: readonly RefundTransferProblem[] = [
  "cancelled",
  "repeated",
  "early",
  "otherAmount",
  "otherToken",
  "otherNetwork",
];

/**
 * Chooses the refund that a transfer completes: the one that was approved first of those with equal network, token and amount.
 * @param refunds the refunds whose claimed address received the transfer
 * @returns the refund, or the best reason why there is none
 */
export function chooseRefund(
  refunds: readonly RefundTerms[],
  transfer: RefundArrival,
): { refundId: string } | { problem: RefundTransferProblem } {
  const decided = refunds
    .toSorted((one, other) => one.approvedAt.getTime() - other.approvedAt.getTime() || (one.id < other.id ? -1 : 1))
    .map((refund) => ({ refund, problem: refundTransferProblem(refund, transfer) }));
  const completed = decided.find(({ problem }) => problem === null);
  if (completed) return { refundId: completed.refund.id };
  const problems = new Set(decided.map(({ problem }) => problem));
  return { problem: BEST_FIRST.find((problem) => problems.has(problem)) ?? "early" };
}

/** The sums from which the remaining refundable amount of an order is computed, in millionths of the currency. */
export interface RefundSums {
  /** The amount that the order or the transfer received. */
  received: bigint;
  /** The amounts of refunds that are neither cancelled nor expired. */
  requested: bigint;
  /** The amounts of refund transactions that were recorded by their id and are not refunds of the list above. */
  recorded: bigint;
}

/** Returns the amount that can still be refunded, in millionths. It is negative if a reorg removed a payment after the requests. */
export function refundableMicro({ received, requested, recorded }: RefundSums): bigint {
  return received - requested - recorded;
}

/** The requirement that a customer must meet before a claim. */
export const CLAIM_CHECKS = ["none", "order_number", "email"] as const;
export type ClaimCheck = (typeof CLAIM_CHECKS)[number];

/** A merchant's settings for refunds. */
export interface RefundSettings {
  claimCheck: ClaimCheck;
  /** The networks on which refunds are paid; empty: all enabled networks of the currency. */
  networks: readonly string[];
}

export const DEFAULT_REFUND_SETTINGS: RefundSettings = { claimCheck: "none", networks: [] };

/** The limits of a refund request. */
export const REFUND_EXPIRES_IN = { min: 3_600, max: 31_536_000, usual: 2_592_000 } as const;
export const MCH_REFUND_ID = { min: 1, max: 32 } as const;
export const MAX_REFUND_REASON = 127;
/** The time for which the address of a cancelled or completed refund is still watched. */
export const WATCH_AFTER_END_MS = 3 * 3_600_000;
/** The maximum number of counted refunds of one order or transfer. */
export const MAX_REFUNDS_OF_SUBJECT = 50;

/** A refund as stored. Amounts are millionths of the currency; the address is in canonical form. */
export interface Refund {
  id: string;
  merchantId: string;
  orderId: string | null;
  transferId: string | null;
  mchRefundId: string | null;
  /** The data that the integration that requested the refund stored with it; null if there is none. */
  echo: Echo | null;
  currency: Currency;
  microUnits: bigint;
  price: RefundPrice | null;
  reason: string | null;
  email: string | null;
  status: RefundStatus;
  version: number;
  expiresAt: Date;
  createdAt: Date;
  network: string | null;
  address: string | null;
  claimedAt: Date | null;
  approvedAt: Date | null;
  endedAt: Date | null;
  endedReason: string | null;
  txId: string | null;
  sentAt: Date | null;
  completedAt: Date | null;
  /** The claim, encrypted under APP_SECRET; null before the claim. */
  claimCipher: string | null;
  /** The token's own view of the address at the last check; null before the first. */
  freezeState: FreezeState | null;
  freezeCheckedAt: Date | null;
  /** The time of the last request to a wallet of the browser; and of the first one that the user did not decline. */
  walletAskedAt: Date | null;
  walletStartedAt: Date | null;
  /** The transaction that a wallet of the browser returned, which is only a hint; its id is null if the wallet returned none. */
  walletTxId: string | null;
  walletSentAt: Date | null;
  /** The time at which the refund was last written to a batch file; null if never. */
  exportedAt: Date | null;
}
