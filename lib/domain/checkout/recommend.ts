import type { ChoiceOption } from "@/lib/domain/checkout/choice";
import {
  type Exchange,
  isBelowMinimum,
  type PaySource,
  type Withdrawal,
  withdrawalFor,
} from "@/lib/domain/checkout/exchanges";
import type { Currency } from "@/lib/domain/networks";

/** An option with what the payer's exchange charges for it. */
export interface RankedOption extends ChoiceOption {
  /** The exchange's withdrawal on the option's network; null without an exchange, or if the exchange does not list it. */
  withdrawal: Withdrawal | null;
  /** True if the payer's exchange is known and does not list the option. */
  isUnlisted: boolean;
  /** True if the exchange's minimum withdrawal exceeds the amount of the order. */
  isTooSmall: boolean;
  isRecommended: boolean;
}

/** The options of one currency, the recommended one first. */
export interface OptionGroup {
  currency: Currency;
  options: RankedOption[];
}

/** The fee that ranks an option whose fee is unknown: higher than usual fees, so that a known low fee is recommended first. */
const UNKNOWN_FEE = 5;

/**
 * Returns the options by currency. The recommended option costs the payer least: the exchange's fee, or the network's fee for a wallet;
 * then the one that is final first. Options that the exchange does not list, or whose minimum withdrawal exceeds the amount, are last and
 * never recommended.
 */
export function groupOptions(options: readonly ChoiceOption[], source: PaySource | null): OptionGroup[] {
  const exchange = source?.kind === "exchange" ? source.exchange : null;
  const ranked = options.map((option) => rankedOption(option, exchange)).sort(compareOptions);
  const [best] = ranked;
  if (best && ranked.length > 1 && !best.isUnlisted && !best.isTooSmall) best.isRecommended = true;
  const groups = Map.groupBy(ranked, ({ currency }) => currency);
  return [...groups].map(([currency, options]) => ({ currency, options }));
}

function rankedOption(option: ChoiceOption, exchange: Exchange | null): RankedOption {
  const method = { network: option.network.id, currency: option.currency };
  const withdrawal = exchange && withdrawalFor(exchange, method);
  const isTooSmall = withdrawal !== null && option.amount !== null && isBelowMinimum(withdrawal, option.amount.decimal);
  return {
    ...option,
    withdrawal,
    isTooSmall,
    isUnlisted: exchange !== null && withdrawal === null,
    isRecommended: false,
  };
}

function compareOptions(one: RankedOption, other: RankedOption): number {
  const rank = ({ isUnlisted, isTooSmall }: RankedOption) => (isTooSmall ? 2 : isUnlisted ? 1 : 0);
  return rank(one) - rank(other) || costOf(one) - costOf(other) || one.seconds - other.seconds;
}

function costOf({ withdrawal, fee }: RankedOption): number {
  const known = withdrawal ? withdrawal.fee : fee?.to;
  return known == null ? UNKNOWN_FEE : Number(known);
}
