import type { Db } from "@/db/client";
import { formatUnits, MAX_STEPS, PUBLIC_DECIMALS, unitsPerStep } from "@/lib/domain/money";
import type { Currency, Token } from "@/lib/domain/networks";
import type { OrderPrice } from "@/lib/domain/orders/order";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { amountOfPrice, formatRate } from "@/lib/domain/rates/price";
import type { RateSource } from "@/lib/domain/rates/sources";
import { AppError, invalidField } from "@/lib/errors";
import { findRate } from "@/lib/rates/find-rate";

/** A fiat price, in minor units. */
export interface AskedPrice {
  /** ISO 4217 code. */
  fiat: string;
  units: bigint;
  /** The number of decimals of the currency's minor unit. */
  decimals: number;
}

/** A price in base units of the token, with the rate that the order stores; or the reason why the price cannot be converted. */
export type CountedPrice = { amountUnits: bigint; price: OrderPrice } | { problem: Problem };

/**
 * Converts a price at the merchant's current rate, rounded up to the merchant's decimals. The amount is never worth less than the price.
 */
export async function countPrice(
  db: Db,
  sources: readonly RateSource[],
  { merchantId, token, asked }: { merchantId: string; token: Token; asked: AskedPrice },
  now: Date,
): Promise<CountedPrice> {
  const found = await findRate(db, sources, { merchantId, currency: token.currency, fiat: asked.fiat }, now);
  if ("problem" in found) return found;
  const { rate, decimals, source, at } = found;
  const steps = amountOfPrice({ fiatUnits: asked.units, fiatDecimals: asked.decimals, rate, decimals });
  return {
    amountUnits: steps * unitsPerStep(token.decimals),
    price: { ...priceTerms(asked), currency: token.currency, rate: formatRate(rate), source, at: at.toISOString() },
  };
}

/** Returns a price as an order stores it. */
export function priceTerms({ fiat, units, decimals }: AskedPrice): Pick<OrderPrice, "fiat" | "amount"> {
  return { fiat, amount: formatUnits(units, decimals) };
}

/** Returns the error for a price that exceeds the maximum of an order. */
export function tooMuch(asked: AskedPrice, currency: Currency): AppError {
  const { amount, fiat } = priceTerms(asked);
  const max = formatUnits(MAX_STEPS, PUBLIC_DECIMALS);
  return invalidField("fiat_amount", problem("fiat_amount_above_maximum", { amount, fiat, max, currency }));
}

/** Returns the error for a price that cannot be converted. @param reason why there is no rate */
export function noRate(currency: Currency, fiat: string | undefined, reason: Problem): AppError {
  return new AppError(problem("rate_missing", { currency, fiat: String(fiat), reason }), { retryAfterSeconds: 5 });
}
