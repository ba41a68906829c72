import { formatUnits, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";

/**
 * The price of one token in a currency, in units of 10^-12: 0.9215 EUR for one USDT is 921_500_000_000n. Twelve decimals are sufficient
 * for the rates of every source, and no float is used.
 */
export type Rate = bigint;

/** The decimals of a rate. */
export const RATE_DECIMALS = 12;
/** The maximum length of a rate; longer numbers are invalid. */
const MAX_CHARACTERS = 40;
const BASIS_POINTS = 10_000n;

/** Reads a rate as written by a source or a merchant. Digits below 10^-12 are truncated. Null if it is not a number above 0. */
export function parseRate(text: string): Rate | null {
  if (text.length > MAX_CHARACTERS) return null;
  const [, whole, fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const shift = RATE_DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const rate = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return rate > 0n ? rate : null;
}

/** Returns a rate as the shortest exact decimal string. */
export function formatRate(rate: Rate): string {
  return formatUnits(rate, RATE_DECIMALS);
}

/**
 * Returns the rate at which the payer pays the markup on top of the market price: market ÷ (1 + markup), rounded down, never in the
 * payer's favor.
 * @param basisPoints 150 makes the payer pay 1.5% more
 */
export function markUp(market: Rate, basisPoints: number): Rate {
  return (market * BASIS_POINTS) / (BASIS_POINTS + BigInt(basisPoints));
}

/** Returns the rate through USD: a token costs `tokenInUsd`, and one USD costs `usdInFiat`. */
export function crossRates(tokenInUsd: Rate, usdInFiat: Rate): Rate {
  return (tokenInUsd * usdInFiat) / 10n ** BigInt(RATE_DECIMALS);
}

/** Returns the price of the second currency in the first, rounded down, given the price of the same asset in each of them. */
export function divideRates(first: Rate, second: Rate): Rate {
  return (first * 10n ** BigInt(RATE_DECIMALS)) / second;
}

/** Reads a price in minor units ("19.99" EUR is 1999n); null if it is not a number above 0 or has more decimals than the currency. */
export function parseFiatAmount(text: string, decimals: number): bigint | null {
  const units = text.length > MAX_CHARACTERS ? null : parseUnits(text, decimals);
  return units !== null && units > 0n ? units : null;
}

interface Price {
  /** The price in minor units of the currency. */
  fiatUnits: bigint;
  fiatDecimals: number;
  rate: Rate;
  /** The decimals of the requested amount, at most six; a merchant's setting. */
  decimals: number;
}

/**
 * Returns the amount for a price, in steps of 0.000001 token: price ÷ rate, rounded up to the given decimals. The amount is never worth
 * less than the price, and exceeds it by less than one unit of the last decimal.
 */
export function amountOfPrice({ fiatUnits, fiatDecimals, rate, decimals }: Price): bigint {
  const dividend = fiatUnits * 10n ** BigInt(RATE_DECIMALS + decimals);
  const divisor = rate * 10n ** BigInt(fiatDecimals);
  const raised = (dividend + divisor - 1n) / divisor;
  return raised * 10n ** BigInt(PUBLIC_DECIMALS - decimals);
}
