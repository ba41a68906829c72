import { canonicalAddress } from "@/lib/domain/addresses/address";
import { type Currency, getNetwork, getToken, type LookAlike, type Network, type Token } from "@/lib/domain/networks";

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
  "unlinked",
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/**
 * For so long after its end a hold is the likeliest explanation of a transfer of exactly its token, address and amount, before a hold that
 * lasts in another currency or on another network: holds of one amount at one address never overlap, so the payer of the ended one is late.
 */
export const RECENT_HOLD_MS = 86_400_000;

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

/** A token whose transfers are read: one that orders can ask for, or one that is only taken for it. */
export type KnownToken = Token | LookAlike;

/** A transfer's token as the ledger stores it: `token` is the contract in canonical form, `currency` null of a look-alike. */
export interface TokenRef {
  network: string;
  token: string;
  currency: string | null;
}

/** Whether a token is only taken for a currency, and never pays an order. */
export function isLookAlike(token: KnownToken): token is LookAlike {
  return "why" in token;
}

type Tokens = Pick<Network, "family" | "tokens" | "lookAlikes">;

/** All tokens that the ledger may hold transfers of, by the canonical form of their contract. */
export function knownTokens({ family, tokens, lookAlikes }: Tokens): Map<string, KnownToken> {
  const known: KnownToken[] = [...tokens, ...lookAlikes];
  return new Map(known.map((token) => [canonicalAddress(family, token.contract), token]));
}

/** Those whose transfers are read: a token is even when it takes no new orders, a look-alike that is switched off is not. */
export function watchedTokens(network: Tokens): Map<string, KnownToken> {
  return knownTokens({ ...network, lookAlikes: network.lookAlikes.filter(({ isOff }) => !isOff) });
}

/**
 * The token of a transfer, told by its contract and never by its name; by its currency where the table has the contract no
 * more. @throws Error as getToken does, where the table lost both.
 */
export function tokenOf({ network: id, token, currency }: TokenRef): KnownToken {
  const network = getNetwork(id);
  return knownTokens(network).get(token) ?? getToken(network, currency ?? `The token ${token}`);
}

/** A token's name for people, which no look-alike shares with a currency: "USDT", "bridged USDT". */
export function tokenName(token: KnownToken): string {
  return isLookAlike(token) ? token.name : token.currency;
}
