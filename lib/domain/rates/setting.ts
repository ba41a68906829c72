import type { Currency } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { decideMarket, type Market, type SourceRate } from "@/lib/domain/rates/market";
import { crossRates, divideRates, markUp, parseRate, type Rate } from "@/lib/domain/rates/price";
import type { RateReading, RateSource } from "@/lib/domain/rates/sources";

/** The merchant's conversion of prices in one fiat currency. */
export interface PriceSetting {
  mode: "market" | "markup" | "fixed";
  /** 150 makes the payer pay 1.5% more; 0 unless the mode is "markup". */
  markUpBasisPoints: number;
  /** The fixed price of one token; in market mode the fallback. */
  fixedRate: Rate | null;
  /** The time when it was set; null: never, so the market rate applies. */
  setAt: Date | null;
}

/** The conversion in a currency without a setting. */
export const MARKET_SETTING: PriceSetting = { mode: "market", markUpBasisPoints: 0, fixedRate: null, setAt: null };

const MAX_BASIS_POINTS = 5_000;

/** The source name of a fixed rate. */
export const FIXED_SOURCE = "fixed";

/** The rate at which a price is converted, and its source. */
export interface QuotedRate {
  rate: Rate;
  /** The names of the sources that determined the rate, or "fixed". */
  source: string;
  /** The time when the oldest rate was read, or the fixed rate was set. */
  at: Date;
}

/**
 * Returns the rate of a token in a currency from the latest rates of the sources. Only the sources of the lowest rank are used at first.
 * If they are all too old or contradict each other, those of the next ranks are added. A source of fiat currencies contributes the token's
 * rate in USD, converted to the currency.
 */
export function decideRate(
  sources: readonly RateSource[],
  readings: readonly RateReading[],
  { currency, fiat }: { currency: Currency; fiat: string },
  now: Date,
): Market {
  const ranked = sources
    .filter(({ isOff }) => !isOff)
    .flatMap((source) => {
      const rate = rateOf(source, sources, readings, { currency, fiat }, now);
      return rate === null ? [] : [{ ...rate, rank: source.rank }];
    });
  const ranks = [...new Set(ranked.map(({ rank }) => rank))].sort((left, right) => left - right);
  let market: Market = { rate: null, why: "stale", leftOut: [] };
  for (const rank of ranks) {
    const next = decideMarket(
      ranked.filter((one) => one.rank <= rank),
      now,
    );
    if (next.rate !== null) return next;
    if (next.why === "contradiction") market = next;
  }
  return market;
}

function rateOf(
  source: RateSource,
  sources: readonly RateSource[],
  readings: readonly RateReading[],
  { currency, fiat }: { currency: Currency; fiat: string },
  now: Date,
): SourceRate | null {
  const maxAgeMs = source.maxAgeSeconds * 1_000;
  const own = readings.filter((one) => one.source === source.id);
  if (source.prices === "tokens") {
    const direct = own.find((one) => one.asset === currency && one.fiat === fiat);
    return direct ? { source: source.id, rate: direct.rate, at: direct.at, maxAgeMs } : null;
  }
  if (fiat === "USD") return null;
  const cross = usdIn(fiat, source.prices.unitOf, own);
  const live = sources.filter(({ prices }) => prices === "tokens");
  const usd = cross && decideRate(live, readings, { currency, fiat: "USD" }, now);
  if (!cross || !usd || usd.rate === null) return null;
  const at = new Date(Math.min(cross.at.getTime(), usd.at.getTime()));
  const rate = crossRates(usd.rate, cross.rate);
  return rate === 0n ? null : { source: `${source.id} (through USD)`, rate, at, maxAgeMs };
}

/** Returns the price of one USD in a currency, from a source with the price of one unit of `asset` in both. */
function usdIn(fiat: string, asset: string, own: readonly RateReading[]): { rate: Rate; at: Date } | null {
  const at = own[0]?.at;
  const one = parseRate("1");
  if (!at || one === null) return null;
  const find = (code: string) => (code === asset ? { rate: one, at } : own.find((reading) => reading.fiat === code));
  const there = find(fiat);
  const usd = find("USD");
  if (!there || !usd) return null;
  const rate = divideRates(there.rate, usd.rate);
  return rate === 0n ? null : { rate, at: new Date(Math.min(there.at.getTime(), usd.at.getTime())) };
}

/**
 * Returns the rate that results from a merchant's setting and the market; null if there is no market rate and no fixed rate to fall back
 * on.
 */
export function quoteRate(setting: PriceSetting, market: Market, now: Date): QuotedRate | null {
  if (setting.mode !== "fixed" && market.rate !== null) {
    const rate = setting.mode === "markup" ? markUp(market.rate, setting.markUpBasisPoints) : market.rate;
    if (rate > 0n) return { rate, source: market.sources.join(", "), at: market.at };
  }
  return setting.fixedRate === null
    ? null
    : { rate: setting.fixedRate, source: FIXED_SOURCE, at: setting.setAt ?? now };
}

/** Returns the reason why there is no rate. */
export function whyNoRate(market: Market): Problem {
  if (market.rate !== null) return problem("rate_too_small");
  return market.why === "stale"
    ? problem("rate_stale")
    : problem("rate_sources_disagree", { sources: market.leftOut.join(", ") });
}

/** Reads a markup as typed by a user ("1.5"), in basis points; null unless it is from 0 to 50% with at most two decimals. */
export function parseMarkUp(text: string): number | null {
  const [, whole, fraction = ""] = /^(\d{1,2})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const basisPoints = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return basisPoints <= MAX_BASIS_POINTS ? basisPoints : null;
}
