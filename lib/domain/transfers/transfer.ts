import type { Currency } from "@/lib/domain/networks";

export const TRANSFER_STATUSES = ["seen", "confirmed", "dropped"] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** Why a transfer that reached a receiving address pays no order. */
export const UNMATCHED_REASONS = [
  "no_such_amount",
  "late",
  "other_currency",
  "other_network",
  "order_settled",
  "order_cancelled",
  "look_alike",
  "taken_back",
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/** A token transfer to one of our receiving addresses, as a chain shows it now. */
export interface ChainTransfer {
  network: string;
  /** Null where the token is a look-alike: it is no currency of ours and pays nothing. */
  currency: Currency | null;
  /** Canonical form of the token contract. */
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
  txId: string;
  /**
   * Where in its transaction, the same wherever a reorg puts that and whatever other contracts write. EVM and TRON: the
   * contract and the ordinal among that contract's own logs, "0xdac1…ec7:0". Solana: the token account.
   */
  position: string;
  blockHeight: number;
  blockHash: string;
  blockTime: Date;
}

/** What endpoints say of a transfer that contradicts each other, in words for people, and since when (ISO 8601). */
export interface Contradiction {
  since: string;
  said: readonly { endpoint: string; says: string }[];
}

/** Confirmations at a head height; a transfer in the head block has one. */
export function confirmationsAt(headHeight: number, blockHeight: number): number {
  return Math.max(0, headHeight - blockHeight + 1);
}

/** When a transfer counts as paid: at its block's time, or when it was first seen where a block is stamped later than that. */
export function paidAtOf({ blockTime, seenAt }: { blockTime: Date; seenAt: Date }): Date {
  return blockTime < seenAt ? blockTime : seenAt;
}
