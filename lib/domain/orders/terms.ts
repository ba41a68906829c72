import { formatUnits, PUBLIC_DECIMALS } from "@/lib/domain/money";
import type { Currency } from "@/lib/domain/networks";

/** The default terms of new orders. */
export interface OrderTerms {
  expiresInSeconds: number;
  /** The late window: the time after the expiry for which an amount is still held. */
  lateWindowSeconds: number;
}

/** The rules of all orders of a shop. */
export interface OrderRules extends Tolerance {
  /** The minimum and maximum amount of an order, in millionths of its currency; null: no limit. */
  minMicro: bigint | null;
  maxMicro: bigint | null;
  /** Tokens that are not offered, by `methodName`. */
  offMethods: readonly string[];
  /** The time for which a paid amount on a shared address is still held. */
  settledHoldSeconds: number;
  /** The number of days after which orders without payments are deleted; null: the installation's setting applies. */
  unpaidDays: number | null;
  /**
   * True if a transfer of too little to a shared address is linked to the order that alone can have been meant, and the rest is requested.
   */
  linksShortPayments: boolean;
}

/** The shortfall with which a sum on a dedicated address still counts as paid in full; null: no such limit (see `shortBy`). */
export interface Tolerance {
  toleranceBasisPoints: number | null;
  /** The same shortfall as an amount, in millionths of the currency; null: no such limit. */
  toleranceMicro: bigint | null;
}

const MINUTE = 60;
const HOUR = 3_600;
export const TERMS = {
  minutes: { min: 5, max: 1_440 },
  hours: { min: 0, max: 720 },
  holdMinutes: { min: 10, max: 1_440 },
  unpaidDays: { min: 90, max: 3_650 },
  percent: { min: "0.01", max: "10" },
} as const;

/**
 * The shortest late window on shared addresses, where a different order could get the amount. The database functions contain the same
 * value.
 */
export const MIN_SHARED_LATE_WINDOW_SECONDS = HOUR;

/** Returns the name of a token among those that a shop does not offer: "bsc USDT". */
export function methodName({ network, currency }: { network: string; currency: Currency }): string {
  return `${network} ${currency}`;
}

/** Returns the problem if an amount, in millionths of a currency, is not allowed; null if it is allowed. */
export function refusedAmount(
  { minMicro, maxMicro }: Pick<OrderRules, "minMicro" | "maxMicro">,
  micro: bigint,
): { refused: "tooLittle" | "tooMuch"; limit: bigint } | null {
  if (minMicro !== null && micro < minMicro) return { refused: "tooLittle", limit: minMicro };
  return maxMicro !== null && micro > maxMicro ? { refused: "tooMuch", limit: maxMicro } : null;
}

/**
 * Returns the maximum shortfall in base units: the lowest limit that is set; zero if none is set.
 * @param unitsPerMicro base units in a millionth of the currency
 */
export function shortBy(
  { toleranceBasisPoints, toleranceMicro }: Tolerance,
  due: bigint,
  unitsPerMicro: bigint,
): bigint {
  const share = toleranceBasisPoints === null ? null : (due * BigInt(toleranceBasisPoints)) / 10_000n;
  const fixed = toleranceMicro === null ? null : toleranceMicro * unitsPerMicro;
  const min = share === null || (fixed !== null && fixed < share) ? fixed : share;
  // A sum of zero is not a payment, even within the tolerance.
  return min === null ? 0n : min < due ? min : due - 1n;
}

/** Returns the terms and rules as shown in the form. Fractions of a unit are rounded, and null becomes an empty string. */
export function toTermsForm(terms: OrderTerms & OrderRules) {
  const { expiresInSeconds, lateWindowSeconds, settledHoldSeconds, toleranceBasisPoints } = terms;
  const amount = (micro: bigint | null) => (micro === null ? "" : formatUnits(micro, PUBLIC_DECIMALS));
  return {
    expiresIn: String(Math.round(expiresInSeconds / MINUTE)),
    lateWindow: String(Math.round(lateWindowSeconds / HOUR)),
    settledHold: String(Math.round(settledHoldSeconds / MINUTE)),
    minAmount: amount(terms.minMicro),
    maxAmount: amount(terms.maxMicro),
    tolerancePercent: toleranceBasisPoints === null ? "" : formatUnits(BigInt(toleranceBasisPoints), 2),
    toleranceAmount: amount(terms.toleranceMicro),
    unpaidDays: terms.unpaidDays === null ? "" : String(terms.unpaidDays),
    linksShortPayments: String(terms.linksShortPayments),
    notOffered: [...terms.offMethods].sort().join(", "),
  };
}
