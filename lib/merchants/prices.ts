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
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { formatRate, parseRate } from "@/lib/domain/rates/price";
import { decideRate, type PriceSetting, parseMarkUp, quoteRate, whyNoRate } from "@/lib/domain/rates/setting";
import type { RateSource } from "@/lib/domain/rates/sources";
import type { Place } from "@/lib/domain/users/place";

/** What one token costs a merchant's payers at present, or why nobody can say. */
export type PresentRate = { currency: Currency } & ({ rate: string; source: string; at: Date } | { problem: Problem });

/** How prices in a currency of the world are counted for a merchant, and what that comes to now. */
export interface PriceRow extends PriceSetting {
  fiat: string;
  rates: PresentRate[];
}

/** Every currency that a merchant has prices in, with the rates of this moment. */
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

interface PriceFields {
  fiat: string;
  mode: string;
  /** Percent, as a person typed it; empty: 0. */
  markUp: string;
  /** As a person typed it; empty: none. */
  fixedRate: string;
}

type Validated = ({ fiat: string } & Omit<PriceSetting, "setAt">) | { errors: FieldError[] };

/** Reads how a person wants prices in a currency counted, or says what is wrong. */
export function validatePrice(fields: PriceFields): Validated {
  const errors: FieldError[] = [];
  const fiat = findFiat(fields.fiat.trim());
  if (!fiat) errors.push(fieldError("fiat", problem("currency_code_missing")));
  const mode = (["market", "markup", "fixed"] as const).find((one) => one === fields.mode);
  if (!mode) errors.push(fieldError("mode", problem("rate_mode_missing")));
  const markUpBasisPoints = mode === "markup" ? parseMarkUp(fields.markUp) : 0;
  if (markUpBasisPoints === null) errors.push(fieldError("markUp", problem("markup_malformed")));
  const typed = fields.fixedRate.trim().replace(",", ".");
  const fixedRate = typed === "" ? null : parseRate(typed);
  if (typed !== "" && fixedRate === null) errors.push(fieldError("fixedRate", problem("fixed_rate_malformed")));
  if (typed === "" && mode === "fixed") errors.push(fieldError("fixedRate", problem("fixed_rate_missing")));
  if (errors.length > 0 || !fiat || !mode || markUpBasisPoints === null) return { errors };
  return { fiat: fiat.code, mode, markUpBasisPoints, fixedRate };
}

interface Who {
  merchantId: string;
  userId: string;
  from?: Place | undefined;
}

/** Has prices in a currency counted so from now on; orders that were made keep their rate. */
export async function setPrice(
  db: Db,
  { merchantId, userId, from, ...fields }: PriceFields & Who,
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  const validated = validatePrice(fields);
  if ("errors" in validated) return validated;
  await db.transaction(async (tx) => {
    const before = await lockMerchantPrice(tx, { merchantId, fiat: validated.fiat });
    await writeMerchantPrice(tx, { merchantId, ...validated }, now);
    const detail = { fiat: validated.fiat, before: before && inWords(before), after: inWords(validated) };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "prices.changed", detail }, now);
  });
  return true;
}

function inWords({ mode, markUpBasisPoints, fixedRate }: Omit<PriceSetting, "setAt">): string {
  const fixed = fixedRate === null ? "" : ` ${formatRate(fixedRate)}`;
  return mode === "markup" ? `markup ${markUpBasisPoints / 100} %${fixed}` : `${mode}${fixed}`;
}

/** Sets how many decimals the amounts have that prices come to, from then on. */
export async function setPriceDecimals(
  db: Db,
  { merchantId, userId, from, text }: Who & { text: string },
  now: Date,
): Promise<true | { errors: FieldError[] }> {
  const decimals = /^[0-6]$/.test(text.trim()) ? Number(text) : null;
  if (decimals === null) return { errors: [fieldError("decimals", problem("decimals_out_of_range"))] };
  await db.transaction(async (tx) => {
    if (!(await updatePriceDecimals(tx, merchantId, decimals))) return;
    await insertAuditEvent(
      tx,
      { merchantId, userId, from, action: "price_decimals.changed", detail: { decimals } },
      now,
    );
  });
  return true;
}
