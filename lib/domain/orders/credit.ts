import { rescaleUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type TokenRef, tokenOf } from "@/lib/domain/networks/token";

interface TokenName {
  network: string;
  currency: string;
}

/**
 * What a transfer counts for a quote, in base units of the quote's token. A person may assign a transfer of another token:
 * one unit of it counts as one unit of the quote's, to the last digit that both tokens have.
 */
export function creditedUnits(transfer: TokenRef & { baseUnits: bigint }, quote: TokenName): bigint {
  return rescaleUnits(transfer.baseUnits, tokenOf(transfer).decimals, decimalsOf(quote));
}

/** Decimals of a token that our own rows hold. */
export function decimalsOf({ network, currency }: TokenName): number {
  return getToken(getNetwork(network), currency).decimals;
}
