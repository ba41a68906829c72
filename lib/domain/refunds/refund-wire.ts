import { displayAddress, displayTxId, transactionUrl } from "@/lib/domain/addresses/address";
import { formatMicro } from "@/lib/domain/money";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import { type ExactNumber, exactNumber } from "@/lib/domain/orders/order-wire";
import type { Refund, RefundStatus } from "@/lib/domain/refunds/refund";

/**
 * A refund in responses of the API and in the event `refund.completed`. Amounts are exact JSON numbers, times Unix seconds. Fields of later
 * statuses are null.
 */
export interface RefundData {
  refund_id: string;
  mch_refund_id: string | null;
  /** Null if the refund is for a transfer that credits no order. */
  trade_id: string | null;
  mch_order_id: string | null;
  status: RefundStatus;
  version: number;
  currency: Currency;
  amount: ExactNumber;
  fiat: string | null;
  fiat_amount: ExactNumber | null;
  reason: string | null;
  network: string | null;
  address: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  claim_url: string;
  created_at: number;
  expires_at: number;
  claimed_at: number | null;
  approved_at: number | null;
  sent_at: number | null;
  completed_at: number | null;
  ended_at: number | null;
}

/** The values outside a refund that its public representation contains. */
interface Showing {
  /** The public URL of this installation, without a trailing slash. */
  publicUrl: string;
  mchOrderId: string | null;
}

/** Returns the public representation of a refund. */
export function toRefundData(refund: Refund, { publicUrl, mchOrderId }: Showing): RefundData {
  const network = refund.network === null ? null : getNetwork(refund.network);
  const { price, txId, address } = refund;
  return {
    refund_id: refund.id,
    mch_refund_id: refund.mchRefundId,
    trade_id: refund.orderId,
    mch_order_id: mchOrderId,
    status: refund.status,
    version: refund.version,
    currency: refund.currency,
    amount: exactNumber(formatMicro(refund.microUnits)),
    fiat: price?.fiat ?? null,
    fiat_amount: price && exactNumber(price.amount),
    reason: refund.reason,
    network: network?.id ?? null,
    address: network && address !== null ? displayAddress(network.family, address) : null,
    tx_hash: network && txId !== null ? displayTxId(network.family, txId) : null,
    explorer_url: network && txId !== null ? transactionUrl(network, txId) : null,
    claim_url: claimUrl(publicUrl, refund.id),
    created_at: unixSeconds(refund.createdAt),
    expires_at: unixSeconds(refund.expiresAt),
    claimed_at: secondsOrNull(refund.claimedAt),
    approved_at: secondsOrNull(refund.approvedAt),
    sent_at: secondsOrNull(refund.sentAt),
    completed_at: secondsOrNull(refund.completedAt),
    ended_at: secondsOrNull(refund.endedAt),
  };
}

/**
 * Returns the URL of the page on which the customer claims a refund.
 * @param publicUrl the public URL of this installation, without a trailing slash
 */
export function claimUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/refund/${id}`;
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
const secondsOrNull = (at: Date | null): number | null => at && unixSeconds(at);
