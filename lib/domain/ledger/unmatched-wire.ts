import { displayAddress, displayTxId, transactionUrl } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import { type ExactNumber, exactNumber } from "@/lib/domain/orders/order-wire";
import { type TransferStatus, tokenName, tokenOf, type UnmatchedReason } from "@/lib/domain/transfers/transfer";

/** A transfer to an address of the merchant that is credited to nothing. Amounts are base units of its token. */
export interface UnmatchedTransfer {
  id: string;
  network: string;
  currency: Currency | null;
  token: string;
  txId: string;
  fromAddress: string;
  toAddress: string;
  baseUnits: bigint;
  refundedUnits: bigint;
  status: TransferStatus;
  unmatchedReason: UnmatchedReason | null;
  meantOrderId: string | null;
  blockTime: Date;
  seenAt: Date;
}

/** An entry of transfer/unmatched. Times are Unix seconds. */
export interface UnmatchedTransferData {
  transfer_id: string;
  network: string;
  currency: Currency | null;
  token: string;
  amount: ExactNumber;
  refunded_amount: ExactNumber;
  status: TransferStatus;
  reason: UnmatchedReason;
  likely_trade_id: string | null;
  address: string;
  from_address: string;
  tx_hash: string;
  block_time: number;
  seen_at: number;
  explorer_url: string;
}

/** Returns the public representation of an unmatched transfer. */
export function toUnmatchedData({ unmatchedReason, ...transfer }: UnmatchedTransfer): UnmatchedTransferData {
  const network = getNetwork(transfer.network);
  const token = tokenOf(transfer);
  const amountOf = (units: bigint) => exactNumber(formatUnits(units, token.decimals));
  return {
    transfer_id: transfer.id,
    network: network.id,
    currency: transfer.currency,
    token: tokenName(token),
    amount: amountOf(transfer.baseUnits),
    refunded_amount: amountOf(transfer.refundedUnits),
    status: transfer.status,
    reason: unmatchedReason ?? "no_such_amount",
    likely_trade_id: transfer.meantOrderId,
    address: displayAddress(network.family, transfer.toAddress),
    from_address: displayAddress(network.family, transfer.fromAddress),
    tx_hash: displayTxId(network.family, transfer.txId),
    block_time: unixSeconds(transfer.blockTime),
    seen_at: unixSeconds(transfer.seenAt),
    explorer_url: transactionUrl(network, transfer.txId),
  };
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
