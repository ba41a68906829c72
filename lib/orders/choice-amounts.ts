import type { Db } from "@/db/client";
import type { CheckoutRow } from "@/db/queries/orders/checkout";
import type { ChoiceAmount, Method } from "@/lib/domain/checkout/choice";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { decimalsOf } from "@/lib/domain/orders/order";
import type { RateSource } from "@/lib/domain/rates/sources";
import { askedPrice } from "@/lib/orders/choose-method";
import { countPrice } from "@/lib/rates/count-price";

/** The decimals of an amount without the digits that distinguish orders at a shared address. */
const USUAL_DECIMALS = 2;

/**
 * Returns the amount that a new quote of an order would request in each of these currencies; null if there is no rate. At a shared address,
 * the quote adds up to 0.009999 to it.
 */
export async function findChoiceAmounts(
  db: Db,
  rateSources: readonly RateSource[],
  row: CheckoutRow,
  methods: readonly Method[],
  now: Date,
): Promise<Map<Currency, ChoiceAmount | null>> {
  const amounts = new Map<Currency, ChoiceAmount | null>();
  for (const method of methods) {
    if (amounts.has(method.currency)) continue;
    amounts.set(
      method.currency,
      fixedAmount(row, method.currency) ?? (await convertedAmount(db, rateSources, row, method, now)),
    );
  }
  return amounts;
}

/** Returns the amount that the merchant set, or that the first quote fixed; null if a price must be converted. */
function fixedAmount(row: CheckoutRow, currency: Currency): ChoiceAmount | null {
  const named = row.checkout?.amount ?? null;
  if (named !== null) return { decimal: named, isEstimate: false };
  if (row.quote_id === null || (row.price !== null && row.quote_currency !== currency)) return null;
  const decimals = decimalsOf({ network: row.quote_network, currency: row.quote_currency });
  const units = BigInt(row.quote_units);
  if (row.quote_kind === "dedicated") return { decimal: formatUnits(units, decimals), isEstimate: false };
  const tail = units % 10n ** BigInt(decimals - USUAL_DECIMALS);
  return { decimal: formatUnits(units - tail, decimals), isEstimate: true };
}

async function convertedAmount(
  db: Db,
  rateSources: readonly RateSource[],
  { merchant_id: merchantId, checkout, price }: CheckoutRow,
  { network, currency }: Method,
  now: Date,
): Promise<ChoiceAmount | null> {
  const token = getToken(getNetwork(network), currency);
  const asked = askedPrice(checkout ?? { price });
  const counted = asked && (await countPrice(db, rateSources, { merchantId, token, asked }, now));
  if (!counted || "problem" in counted) return null;
  return { decimal: formatUnits(counted.amountUnits, token.decimals), isEstimate: true };
}
