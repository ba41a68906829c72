import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  listMerchantPrices,
  listRateReadings,
  lockMerchantPrice,
  updatePriceDecimals,
  writeMerchantPrice,
} from "@/db/queries/rates/rates";
import { CURRENCIES, type Currency } from "@/lib/domain/networks";
import type { Problem } from "@/lib/domain/problems/problem";
import { formatRate } from "@/lib/domain/rates/price";
import type { NewPrice } from "@/lib/domain/rates/price-form";
import { decideRate, type PriceSetting, quoteRate, whyNoRate } from "@/lib/domain/rates/setting";
import type { RateSource } from "@/lib/domain/rates/sources";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

/** The current price of one token for a merchant's payers, or the problem. */
export type PresentRate = { currency: Currency } & ({ rate: string; source: string; at: Date } | { problem: Problem });

/** The conversion of prices in a fiat currency for a merchant, and the current result. */
export interface PriceRow extends PriceSetting {
  fiat: string;
  rates: PresentRate[];
}

/** Returns every currency in which a merchant has prices, with the current rates. */
export async function listPrices(
  db: Db,
  sources: readonly RateSource[],
  merchantId: string,
  now: Date,
): Promise<PriceRow[]> {
  const settings = await listMerchantPrices(db, merchantId);
  const fiats = settings.map(({ fiat }) => fiat);
  const readings = await listRateReadings(db, fiats.length > 0 ? [...fiats, "USD"] : []);
  return settings.map(({ fiat, mode, markUpBasisPoints, fixedRate, setAt }) => {
    const setting = { mode, markUpBasisPoints, fixedRate, setAt };
    const rates = CURRENCIES.map((currency): PresentRate => {
      const market = decideRate(sources, readings, { currency, fiat }, now);
      const quoted = quoteRate(setting, market, now);
      if (!quoted) return { currency, problem: whyNoRate(market) };
      return { currency, rate: formatRate(quoted.rate), source: quoted.source, at: quoted.at };
    });
    return { fiat, ...setting, rates };
  });
}

interface Changer {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

/** Sets the conversion of a merchant's prices in one currency. Existing orders keep their rate. */
export async function setPrice(
  db: Db,
  { merchantId, userId, from, ...price }: NewPrice & Changer,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockMerchantPrice(tx, { merchantId, fiat: price.fiat });
    await writeMerchantPrice(tx, { merchantId, ...price }, now);
    const detail = { fiat: price.fiat, before: before && messageOf(before), after: messageOf(price) };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "prices.changed", detail }, now);
  });
}

function messageOf({ mode, markUpBasisPoints, fixedRate }: Omit<PriceSetting, "setAt">): string {
  const fixed = fixedRate === null ? "" : ` ${formatRate(fixedRate)}`;
  return mode === "markup" ? `markup ${markUpBasisPoints / 100} %${fixed}` : `${mode}${fixed}`;
}

/** Sets the number of decimals of a merchant's future converted amounts. */
export async function setPriceDecimals(
  db: Db,
  { merchantId, userId, from, decimals }: Changer & { decimals: number },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await updatePriceDecimals(tx, merchantId, decimals))) return;
    const event = { merchantId, userId, from, action: "price_decimals.changed", detail: { decimals } } as const;
    await insertAuditEvent(tx, event, now);
  });
}
