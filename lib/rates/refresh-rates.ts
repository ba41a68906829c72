import type { Db } from "@/db/client";
import {
  claimRateSource,
  findRateSource,
  listRateReadings,
  listWantedFiats,
  saveRateRound,
  updateRateWarning,
} from "@/db/queries/rates/rates";
import { CURRENCIES } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { recordProblem } from "@/lib/domain/problems/recorded";
import { formatRate } from "@/lib/domain/rates/price";
import { decideRate } from "@/lib/domain/rates/setting";
import {
  planRequests,
  type RateReading,
  type RateRequest,
  type RateSource,
  readAnswer,
} from "@/lib/domain/rates/sources";
import type { Log } from "@/lib/log";
import type { GetResult } from "@/lib/outbound/guarded-get";

/** The time after a currency's last use during which its rate is still fetched. */
const USED_WITHIN_MS = 30 * 86_400_000;
/** The time limit for all requests of one round. The lease is longer. */
const ROUND_MS = 45_000;
const LEASE_MS = 90_000;
/**
 * The maximum delay before a source that could not be read is requested again. A daily file is therefore requested again before the next
 * day's file.
 */
const RETRY_MS = 300_000;

export interface RatesContext {
  /** All sources of the installation. */
  sources: readonly RateSource[];
  /** The name of this worker among all workers of the database. */
  owner: string;
  log: Log;
  /** Requests a source through the guarded HTTP client. */
  get(url: string): Promise<GetResult>;
  /** Returns the time of the database. */
  now(): Date;
}

/**
 * Reads one source of rates if it is due and a merchant uses the market rate. Stores its rates or the reason for a failure, and marks the
 * source if its rates differ too much from the others. Only one worker at a time reads a source. Stored rates that the source does not
 * return do not change.
 * @returns true if it was read
 */
export async function refreshRates(db: Db, ctx: RatesContext, source: RateSource): Promise<boolean> {
  const fiats = await listMarketFiats(db, ctx.now());
  const requests = fiats.length > 0 && !source.isOff ? planRequests(source, fiats) : [];
  if (requests.length === 0) return false;
  const askedFor = fiats.join(",");
  const before = await findRateSource(db, source.id);
  if (before && before.nextAt > ctx.now() && before.askedFor === askedFor) return false;
  const claim = { source: source.id, askedFor, owner: ctx.owner, leaseMs: LEASE_MS };
  if (!(await claimRateSource(db, claim, ctx.now()))) return false;
  const { readings, failure } = await ask(ctx, source, requests);
  const now = ctx.now();
  const coolDownMs = source.everySeconds * 1_000;
  const nextAt = new Date(now.getTime() + (failure === null ? coolDownMs : Math.min(coolDownMs, RETRY_MS)));
  if (!(await saveRateRound(db, { ...claim, readings, failure, nextAt }, now))) return false;
  logRowFailure(ctx.log, source.id, before?.failure ?? null, failure);
  await noteLeftOut(db, ctx, fiats);
  return true;
}

/** Returns the currencies for which market rates are read: those of merchants, and USD, through which others are converted. */
async function listMarketFiats(db: Db, now: Date): Promise<string[]> {
  const wanted = await listWantedFiats(db, new Date(now.getTime() - USED_WITHIN_MS));
  return wanted.length === 0 ? [] : [...new Set([...wanted, "USD"])].sort();
}

/**
 * Sends requests one at a time, because public servers limit them. A request that was not sent by the end of the round counts as failed.
 */
async function ask(ctx: RatesContext, source: RateSource, requests: readonly RateRequest[]) {
  const endsAt = ctx.now().getTime() + ROUND_MS;
  const readings: RateReading[] = [];
  let failure: Problem | null = null;
  for (const request of requests) {
    if (ctx.now().getTime() >= endsAt) {
      failure ??= problem("rate_source_too_slow");
      break;
    }
    const result = await ctx.get(request.url);
    const reported =
      result.kind === "answered"
        ? readAnswer(source, request, result.text, ctx.now())
        : { readings: [], failure: result.error };
    readings.push(...reported.readings);
    failure ??= reported.failure;
  }
  return { readings, failure };
}

function logRowFailure(log: Log, source: string, before: Problem | null, failure: Problem | null): void {
  if (failure === null) {
    if (before !== null) log.info({ source }, "a rate source responds again");
    return;
  }
  const isKnown = before !== null && recordProblem(before) === recordProblem(failure);
  if (!isKnown) log.warn({ source, failure: inEnglish(failure) }, "a rate source returned no usable rate");
}

/**
 * Marks and logs the sources that differ too much from the others. All sources are compared, because a different source may be the wrong
 * one.
 */
async function noteLeftOut(db: Db, { sources, log, now }: RatesContext, fiats: readonly string[]): Promise<void> {
  const readings = await listRateReadings(db, fiats);
  const found = new Map<string, string>();
  for (const fiat of fiats) {
    for (const currency of CURRENCIES) {
      const market = decideRate(sources, readings, { currency, fiat }, now());
      const others =
        market.rate === null ? "and the sources do not agree" : `the others return ${formatRate(market.rate)}`;
      for (const name of market.leftOut) {
        const reported = readings.find((one) => one.source === name && one.asset === currency && one.fiat === fiat);
        const message = `${currency} in ${fiat}: ${reported ? formatRate(reported.rate) : "its rate"} deviates by more than a tenth, ${others}`;
        if (!found.has(name)) found.set(name, message);
      }
    }
  }
  for (const { id: source } of sources) {
    const warning = found.get(source) ?? null;
    if (!(await updateRateWarning(db, source, warning))) continue;
    if (warning) log.warn({ source, warning }, "a rate source is excluded");
    else log.info({ source }, "a rate source is included again");
  }
}
