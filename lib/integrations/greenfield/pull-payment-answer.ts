import { displayAddress, displayTxId, transactionUrl } from "@/lib/domain/addresses/address";
import { formatMicro } from "@/lib/domain/money";
import { getNetwork } from "@/lib/domain/networks";
import type { Refund, RefundStatus } from "@/lib/domain/refunds/refund";
import { claimUrl } from "@/lib/domain/refunds/refund-wire";
import { paymentMethodId } from "@/lib/integrations/greenfield/invoice-status";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";

/** The states of a payout in this protocol. */
export type PayoutState = "AwaitingApproval" | "AwaitingPayment" | "InProgress" | "Completed" | "Cancelled";

/** The state of the payout of a refund that the customer claimed. */
const STATES: Readonly<Partial<Record<RefundStatus, PayoutState>>> = {
  claimed: "AwaitingApproval",
  approved: "AwaitingPayment",
  sent: "InProgress",
  completed: "Completed",
  cancelled: "Cancelled",
};

/** The amount of a refund in the currency in which it was requested. */
export function originalAmount({ price, currency, microUnits }: Refund): { amount: string; currency: string } {
  return price
    ? { amount: shortDecimal(price.amount), currency: price.fiat }
    : { amount: formatMicro(microUnits), currency };
}

/**
 * Returns the JSON of a refund as a pull payment. Times are Unix seconds. `period` and `BOLT11Expiration` are 0, because typed clients reject
 * null. Source: BTCPay Server, PullPaymentData.
 */
export function toPullPayment(refund: Refund, publicUrl: string): object {
  const { id, echo, reason, status, createdAt, expiresAt } = refund;
  const { amount, currency } = originalAmount(refund);
  return {
    id,
    name: echo?.["name"] ?? "",
    description: echo?.["description"] ?? reason ?? "",
    currency,
    amount,
    period: 0,
    BOLT11Expiration: 0,
    autoApproveClaims: false,
    archived: status === "cancelled",
    startsAt: unixSeconds(createdAt),
    expiresAt: unixSeconds(expiresAt),
    viewLink: claimUrl(publicUrl, id),
  };
}

/**
 * Returns the JSON of the payout of a refund: the customer's claim and its payment. It has the id of its pull payment, because a refund has
 * at most one claim, and the version of the refund as its revision. It contains the fields of BTCPay Server 2 and those of version 1.
 * @returns null if the customer has not claimed the refund
 */
export function toPayout(refund: Refund): object | null {
  const { id, version, network, address, claimedAt, currency, microUnits } = refund;
  const state = payoutState(refund);
  if (state === null || network === null || address === null || claimedAt === null) return null;
  const { amount, currency: originalCurrency } = originalAmount(refund);
  const method = paymentMethodId({ network, currency });
  const payoutAmount = formatMicro(microUnits);
  return {
    id,
    revision: version,
    pullPaymentId: id,
    date: unixSeconds(claimedAt),
    destination: displayAddress(getNetwork(network).family, address),
    originalCurrency,
    originalAmount: amount,
    payoutCurrency: currency,
    payoutAmount,
    payoutMethodId: method,
    amount,
    paymentMethod: method,
    cryptoCode: currency,
    paymentMethodAmount: payoutAmount,
    state,
    paymentProof: proofOf(refund),
    metadata: {},
  };
}

/** Returns the state of the payout of a refund; null if the customer has not claimed it. */
export function payoutState({ status, address }: Pick<Refund, "status" | "address">): PayoutState | null {
  return address === null ? null : (STATES[status] ?? null);
}

/** Returns the transaction that pays a refund; null if none was detected. */
function proofOf({ network, txId }: Refund): object | null {
  if (network === null || txId === null) return null;
  const known = getNetwork(network);
  const id = displayTxId(known.family, txId);
  return { proofType: "PayoutTransactionOnChainBlob", id, link: transactionUrl(known, txId) };
}

const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);
