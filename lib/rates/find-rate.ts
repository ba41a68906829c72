import type { Db } from "@/db/client";
import { findPriceFacts, notePriceUsed } from "@/db/queries/rates/rates";
import type { Currency } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { decideRate, MARKET_SETTING, type QuotedRate, quoteRate, whyNoRate } from "@/lib/domain/rates/setting";
import type { RateSource } from "@/lib/domain/rates/sources";

const DAY_MS = 86_400_000;

interface Question {
  merchantId: string;
  currency: Currency;
  /** ISO 4217 code. */
  fiat: string;
}

/** A rate and the number of decimals of a converted amount; or the reason why there is no rate. */
export type FoundRate = (QuotedRate & { decimals: number }) | { problem: Problem };

/**
 * Returns the current rate of a token in a fiat currency. The merchant's setting takes precedence over the market. The first price in a
 * currency, and the first of a day, is recorded, so that the worker fetches the market rate for it.
 */
export async function findRate(
  db: Db,
  sources: readonly RateSource[],
  { merchantId, currency, fiat }: Question,
  now: Date,
): Promise<FoundRate> {
  const facts = await findPriceFacts(db, merchantId, fiat);
  if (!facts) return { problem: problem("merchant_unknown") };
  const usedMs = facts.setting?.usedAt.getTime() ?? 0;
  if (now.getTime() - usedMs > DAY_MS) await notePriceUsed(db, merchantId, fiat, now);
  const setting = facts.setting ?? MARKET_SETTING;
  const market = decideRate(sources, facts.readings, { currency, fiat }, now);
  const quoted = quoteRate(setting, market, now);
  return quoted ? { ...quoted, decimals: facts.decimals } : { problem: whyNoRate(market) };
}
