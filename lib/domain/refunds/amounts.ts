import { formatUnits, PUBLIC_DECIMALS, rescaleUnits } from "@/lib/domain/money";
import { type Currency, findToken, getNetwork } from "@/lib/domain/networks";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount, parseRate, RATE_DECIMALS } from "@/lib/domain/rates/price";

/** The fiat price of an order: the code, the decimal amount, and the price of one token. */
export interface RatedPrice {
  fiat: string;
  amount: string;
  rate: string;
}

/** Converts base units of a token to millionths of its currency. A remainder below one millionth is dropped. */
export function toMicro(network: string, currency: Currency, baseUnits: bigint): bigint {
  return rescaleUnits(baseUnits, decimalsOf(network, currency), PUBLIC_DECIMALS);
}

/** Converts millionths of a currency to base units of its token on a network. Null if the network does not have the token. */
export function fromMicro(network: string, currency: Currency, microUnits: bigint): bigint | null {
  const token = findToken(getNetwork(network), currency);
  return token ? rescaleUnits(microUnits, PUBLIC_DECIMALS, token.decimals) : null;
}

/**
 * Converts a fiat amount to millionths of a token at the rate of its order, rounded down to at least one millionth.
 * @param amount a decimal string with at most the decimals of the currency
 * @returns null if the amount or the rate is malformed
 */
export function fiatToMicro(amount: string, { fiat, rate }: Pick<RatedPrice, "fiat" | "rate">): bigint | null {
  const units = fiatUnits(amount, fiat);
  const perToken = parseRate(rate);
  if (units === null || perToken === null || perToken <= 0n) return null;
  const decimals = findFiat(fiat)?.decimals ?? 0;
  const microUnits = (units * 10n ** BigInt(RATE_DECIMALS + PUBLIC_DECIMALS)) / (perToken * 10n ** BigInt(decimals));
  return microUnits > 0n ? microUnits : 1n;
}

/**
 * Returns the value of millionths of a token at the rate of an order, in minor units of the fiat currency, rounded down.
 * @returns null if the rate is malformed or the currency is unknown
 */
export function microToFiatUnits(microUnits: bigint, { fiat, rate }: Pick<RatedPrice, "fiat" | "rate">): bigint | null {
  const perToken = parseRate(rate);
  const decimals = findFiat(fiat)?.decimals;
  if (perToken === null || decimals === undefined) return null;
  return (microUnits * perToken * 10n ** BigInt(decimals)) / 10n ** BigInt(RATE_DECIMALS + PUBLIC_DECIMALS);
}

/** Parses a decimal fiat amount as minor units; null if it is malformed or the currency is unknown. */
export function fiatUnits(amount: string, fiat: string): bigint | null {
  const decimals = findFiat(fiat)?.decimals;
  return decimals === undefined ? null : parseFiatAmount(amount, decimals);
}

/** Formats minor units of a fiat currency as a decimal string. */
export function formatFiat(units: bigint, fiat: string): string {
  return formatUnits(units, findFiat(fiat)?.decimals ?? 0);
}

function decimalsOf(network: string, currency: Currency): number {
  const token = findToken(getNetwork(network), currency);
  if (!token) throw new Error(`${currency} is not a token of ${network}`);
  return token.decimals;
}
