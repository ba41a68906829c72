import { formatUnits } from "@/lib/domain/money";
import { CURRENCIES, type Currency, getNetwork, getToken } from "@/lib/domain/networks";

/** The sum of the final transfers that a deposit address received in one token. `units` are base units of that token. */
export interface ReceivedSum {
  network: string;
  currency: Currency;
  units: bigint;
}

/** The maximum number of decimals of a token. */
const DECIMALS = 18;

/**
 * Returns the sum per currency over all networks of an address's family, whose tokens can have different decimals.
 * @returns exact decimal strings, in the order of the currencies; zero sums are omitted
 */
export function receivedByCurrency(sums: readonly ReceivedSum[]): { currency: Currency; amount: string }[] {
  return CURRENCIES.flatMap((currency) => {
    const own = sums.filter((sum) => sum.currency === currency && sum.units > 0n);
    const units = own.reduce((sum, { network, units: part }) => sum + part * stepsOf(network, currency), 0n);
    return own.length === 0 ? [] : [{ currency, amount: formatUnits(units, DECIMALS) }];
  });
}

function stepsOf(network: string, currency: Currency): bigint {
  return 10n ** BigInt(DECIMALS - getToken(getNetwork(network), currency).decimals);
}
