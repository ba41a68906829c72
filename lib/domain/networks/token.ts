import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken, type LookAlike, type Network, type Token } from "@/lib/domain/networks";

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

/** What a merchant can do about a transfer of a look-alike, in words. */
export const LOOK_ALIKE_ADVICE =
  "It cannot be assigned: send it back, or accept it by marking its order as paid by hand.";

/** A token's name for people, which no look-alike shares with a currency: "USDT", "bridged USDT". */
export function tokenName(token: KnownToken): string {
  return isLookAlike(token) ? token.name : token.currency;
}
