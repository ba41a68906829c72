import { canonicalAddress } from "@/lib/domain/addresses/address";
import { type Currency, getNetwork, getToken, type LookAlike, type Network, type Token } from "@/lib/domain/networks";

export const TRANSFER_STATUSES = ["seen", "confirmed", "dropped"] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** The reasons why a transfer to a receiving address is not credited to an order. */
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
  "refund",
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/**
 * The time after the end of a hold during which a transfer of exactly its token, address and amount most likely belongs to it, rather than
 * to an active hold in a different currency or on a different network. Holds of the same amount at the same address never overlap, so the
 * payer of the ended hold is late.
 */
export const RECENT_HOLD_MS = 86_400_000;

/** A token transfer to a receiving address, as currently recorded on the chain. */
export interface ChainTransfer {
  network: string;
  /** Null for a look-alike token, which is not a supported currency and is never credited. */
  currency: Currency | null;
  /** Canonical form of the token contract. */
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
  txId: string;
  /**
   * The position in its transaction, which neither a reorg nor logs of other contracts change. EVM and TRON: the contract and the ordinal
   * among that contract's own logs, "0xdac1…ec7:0". Solana: the token account.
   */
  position: string;
  blockHeight: number;
  blockHash: string;
  blockTime: Date;
}

/** The contradictory responses from endpoints about a transfer, for display, with the start of the contradiction (ISO 8601). */
export interface Contradiction {
  since: string;
  said: readonly { endpoint: string; says: string }[];
}

/** Returns the confirmations at a head height; a transfer in the head block has one. */
export function confirmationsAt(headHeight: number, blockHeight: number): number {
  return Math.max(0, headHeight - blockHeight + 1);
}

/** Returns the time at which a transfer counts as paid: its block time, or the time when it was first seen if the block time is later. */
export function paidAtOf({ blockTime, seenAt }: { blockTime: Date; seenAt: Date }): Date {
  return blockTime < seenAt ? blockTime : seenAt;
}

/** A token whose transfers are read: one that orders can request, or a look-alike of it. */
export type KnownToken = Token | LookAlike;

/** A transfer's token as the ledger stores it: `token` is the contract in canonical form, and `currency` is null for a look-alike. */
export interface TokenRef {
  network: string;
  token: string;
  currency: string | null;
}

/** Returns true if a token only resembles a currency and is never credited to an order. */
export function isLookAlike(token: KnownToken): token is LookAlike {
  return "why" in token;
}

type Tokens = Pick<Network, "family" | "tokens" | "lookAlikes">;

/** Returns all tokens whose transfers the ledger may contain, by the canonical form of their contract. */
export function knownTokens({ family, tokens, lookAlikes }: Tokens): Map<string, KnownToken> {
  const known: KnownToken[] = [...tokens, ...lookAlikes];
  return new Map(known.map((token) => [canonicalAddress(family, token.contract), token]));
}

/** The results of `watchedTokens` by the lists of a network, because contracts of some families take long to decode. */
const watched = new WeakMap<Tokens["tokens"], WeakMap<Tokens["lookAlikes"], ReadonlyMap<string, KnownToken>>>();

/** Returns the tokens whose transfers are read. They include tokens that accept no new orders, but not disabled look-alikes. */
export function watchedTokens({ family, tokens, lookAlikes }: Tokens): ReadonlyMap<string, KnownToken> {
  const ofTokens = watched.get(tokens) ?? new WeakMap();
  watched.set(tokens, ofTokens);
  const found =
    ofTokens.get(lookAlikes) ?? knownTokens({ family, tokens, lookAlikes: lookAlikes.filter(({ isOff }) => !isOff) });
  ofTokens.set(lookAlikes, found);
  return found;
}

/**
 * Returns the token of a transfer by its contract, never by its name; by its currency if the table no longer has the contract.
 * @throws Error as getToken does, if the table has neither
 */
export function tokenOf({ network: id, token, currency }: TokenRef): KnownToken {
  const network = getNetwork(id);
  return knownTokens(network).get(token) ?? getToken(network, currency ?? `The token ${token}`);
}

/** Returns the display name of a token, which no look-alike shares with a currency: "USDT", "bridged USDT". */
export function tokenName(token: KnownToken): string {
  return isLookAlike(token) ? token.name : token.currency;
}
