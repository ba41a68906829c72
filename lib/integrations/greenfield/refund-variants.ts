import { PUBLIC_DECIMALS, parseMicro } from "@/lib/domain/money";
import { fiatToMicro, fiatUnits, formatFiat, microToFiatUnits } from "@/lib/domain/refunds/amounts";
import type { RefundVariant } from "@/lib/integrations/greenfield/read-pull-payment";
import type { Refundable } from "@/lib/refunds/refundable";
import type { RequestedAmount } from "@/lib/refunds/request-refund";

/** The amounts that the variants of a refund return: tokens in millionths, fiat as a decimal string. Null: the variant does not apply. */
export interface VariantAmounts {
  /** Everything that is left to refund. */
  then: bigint;
  /** The fiat value of the payment in tokens at the current rate, at most `then`. */
  now: bigint;
  /** The fiat value of the payment at the rate of the order, at most what is left of its price. */
  fiat: string | null;
  overpaid: bigint | null;
}

/**
 * Computes the amounts of the variants of a refund.
 * @param currentRate the current price of a token in the order's fiat currency; null if there is none
 */
export function variantAmounts(
  { funds, leftMicro, leftFiat }: Refundable,
  excessMicro: bigint,
  currentRate: string | null,
): VariantAmounts {
  const then = leftMicro > 0n ? leftMicro : 0n;
  const fiat = fiatOf(funds, then, leftFiat);
  const atNow =
    fiat !== null && funds.price && currentRate !== null
      ? fiatToMicro(fiat, { fiat: funds.price.fiat, rate: currentRate })
      : null;
  const overpaid = excessMicro < then ? excessMicro : then;
  return { then, now: atNow === null || atNow > then ? then : atNow, fiat, overpaid: overpaid > 0n ? overpaid : null };
}

function fiatOf({ price }: Refundable["funds"], leftMicro: bigint, leftFiat: string | null): string | null {
  if (!price || leftFiat === null) return null;
  const value = microToFiatUnits(leftMicro, price);
  const limit = fiatUnits(leftFiat, price.fiat) ?? 0n;
  return value === null ? null : formatFiat(value < limit ? value : limit, price.fiat);
}

const HUNDRED_PERCENT = 100n * 10n ** BigInt(PUBLIC_DECIMALS);

/**
 * Returns the amount to request for a variant other than Custom, less a percentage, rounded down.
 * @param percentage a decimal string with at most six decimals
 * @returns null if the variant does not apply
 */
export function amountOfVariant(
  variant: Exclude<RefundVariant, "Custom">,
  amounts: VariantAmounts,
  { percentage, fiat }: { percentage: string; fiat: string | null },
): RequestedAmount | null {
  if (variant === "Fiat")
    return amounts.fiat === null ? null : lessPercentage({ fiatAmount: amounts.fiat }, fiat, percentage);
  const units = { RateThen: amounts.then, CurrentRate: amounts.now, OverpaidAmount: amounts.overpaid }[variant];
  return units === null ? null : lessPercentage({ microUnits: units }, fiat, percentage);
}

/**
 * Returns an amount less a percentage, rounded down.
 * @param fiat the currency of an amount in fiat
 * @param percentage a decimal string with at most six decimals
 */
export function lessPercentage(
  amount: { microUnits: bigint } | { fiatAmount: string },
  fiat: string | null,
  percentage: string,
): RequestedAmount {
  const kept = HUNDRED_PERCENT - (parseMicro(percentage) ?? 0n);
  const part = (units: bigint) => (units * kept) / HUNDRED_PERCENT;
  if ("microUnits" in amount) return { microUnits: part(amount.microUnits) };
  const units = fiat === null ? null : fiatUnits(amount.fiatAmount, fiat);
  return fiat === null || units === null ? amount : { fiatAmount: formatFiat(part(units), fiat) };
}
