import { and, desc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { merchantPrices, merchants, rateReadings, rateSources } from "@/db/schema";
import type { Problem } from "@/lib/domain/problems/problem";
import type { PriceSetting } from "@/lib/domain/rates/setting";
import type { RateReading } from "@/lib/domain/rates/sources";

export type RateSourceState = typeof rateSources.$inferSelect;

/** Returns the fiat currencies for which any merchant has used market rates since a given time, in alphabetical order. */
export async function listWantedFiats(db: Db, since: Date): Promise<string[]> {
  const { fiat, mode, usedAt } = merchantPrices;
  const rows = await db
    .selectDistinct({ fiat })
    .from(merchantPrices)
    .where(and(ne(mode, "fixed"), gt(usedAt, since)))
    .orderBy(fiat);
  return rows.map((row) => row.fiat);
}

/** Returns the state of each source that was read at least once. */
export async function listRateSources(db: Db): Promise<RateSourceState[]> {
  return db.select().from(rateSources).orderBy(rateSources.source);
}

/** Returns the state of a source; null if it was never read. */
export async function findRateSource(db: Db, source: string): Promise<RateSourceState | null> {
  const [row] = await db.select().from(rateSources).where(eq(rateSources.source, source));
  return row ?? null;
}

interface Claim {
  source: string;
  /** The currencies to request, comma-separated, as in the table. */
  askedFor: string;
  owner: string;
  leaseMs: number;
}

/**
 * Claims a source until the lease ends, if it is due or if currencies are needed that were not requested before.
 * @param now the time of the database's clock
 * @returns false while another worker reads it, or if it is no longer due
 */
export async function claimRateSource(
  db: Db,
  { source, askedFor, owner, leaseMs }: Claim,
  now: Date,
): Promise<boolean> {
  const lease = { leaseOwner: owner, leaseUntil: new Date(now.getTime() + leaseMs) };
  const at = now.toISOString();
  const rows = await db
    .insert(rateSources)
    .values({ source, askedFor, nextAt: now, ...lease })
    .onConflictDoUpdate({
      target: rateSources.source,
      set: lease,
      setWhere: sql`(${rateSources.leaseUntil} is null or ${rateSources.leaseUntil} <= ${at}::timestamptz)
        and (${rateSources.nextAt} <= ${at}::timestamptz or ${rateSources.askedFor} <> ${askedFor}::text)`,
    })
    .returning({ source: rateSources.source });
  return rows.length === 1;
}

interface Round {
  source: string;
  askedFor: string;
  owner: string;
  readings: readonly RateReading[];
  /** The reason why rates are missing; null if none are. */
  failure: Problem | null;
  nextAt: Date;
}

/**
 * Stores the rates of a source and releases its lease. Rates that the source did not return are unchanged.
 * @returns false if another worker has claimed the source in the meantime; nothing is written then
 */
export async function saveRateRound(db: Db, round: Round, now: Date): Promise<boolean> {
  const { source, askedFor, owner, readings, failure, nextAt } = round;
  return db.transaction(async (tx) => {
    const rows = await tx
      .update(rateSources)
      .set({
        askedFor,
        failure,
        nextAt,
        leaseOwner: null,
        leaseUntil: null,
        ...(readings.length > 0 ? { answeredAt: now } : {}),
      })
      .where(and(eq(rateSources.source, source), eq(rateSources.leaseOwner, owner)))
      .returning({ source: rateSources.source });
    if (rows.length === 0) return false;
    if (readings.length === 0) return true;
    await tx
      .insert(rateReadings)
      .values([...readings])
      .onConflictDoUpdate({
        target: [rateReadings.source, rateReadings.asset, rateReadings.fiat],
        set: { rate: sql`excluded.rate`, at: sql`excluded.at` },
      });
    return true;
  });
}

/** Stores the warning about a source's ignored rates; null if none are ignored. Returns true if the warning changed. */
export async function updateRateWarning(db: Db, source: string, warning: string | null): Promise<boolean> {
  const rows = await db
    .update(rateSources)
    .set({ warning })
    .where(and(eq(rateSources.source, source), sql`${rateSources.warning} is distinct from ${warning}::text`))
    .returning({ source: rateSources.source });
  return rows.length === 1;
}

/** Returns the latest rates of all sources in these fiat currencies. */
export async function listRateReadings(db: Db, fiats: readonly string[]): Promise<RateReading[]> {
  if (fiats.length === 0) return [];
  return db
    .select()
    .from(rateReadings)
    .where(inArray(rateReadings.fiat, [...fiats]));
}

/** The data that determine a merchant's rate in a fiat currency. */
export interface PriceFacts {
  /** The number of decimals of a converted amount. */
  decimals: number;
  /** The setting; null if the merchant never had a price in the currency. */
  setting: (PriceSetting & { usedAt: Date }) | null;
  /** The readings in that currency and in USD. */
  readings: RateReading[];
}

interface PriceRow {
  decimals: number;
  mode: PriceSetting["mode"] | null;
  mark_up: number;
  fixed_rate: string | null;
  set_ms: number | null;
  used_ms: number;
  readings: { source: string; asset: string; fiat: string; rate: string; ms: number }[] | null;
}

const FIND = `
  select m.price_decimals as decimals, p.mode, p.mark_up_basis_points as mark_up, p.fixed_rate::text,
    (extract(epoch from p.set_at) * 1000)::float8 as set_ms, (extract(epoch from p.used_at) * 1000)::float8 as used_ms,
    (select json_agg(json_build_object('source', r.source, 'asset', r.asset, 'fiat', r.fiat, 'rate', r.rate::text,
        'ms', (extract(epoch from r.at) * 1000)::float8))
      from rate_readings r where r.fiat in ($2, 'USD')) as readings
  from merchants m left join merchant_prices p on p.merchant_id = m.id and p.fiat = $2
  where m.id = $1`;

/** Returns the data that determine a merchant's rate in a currency, in one round trip; null if there is no such merchant. */
export async function findPriceFacts(db: Db, merchantId: string, fiat: string): Promise<PriceFacts | null> {
  const [row] = await runPrepared<PriceRow>(db, FIND, [merchantId, fiat]);
  if (!row) return null;
  const { mode, mark_up: markUpBasisPoints, fixed_rate: fixed, set_ms: setMs, used_ms: usedMs } = row;
  return {
    decimals: row.decimals,
    setting: mode && {
      mode,
      markUpBasisPoints,
      fixedRate: fixed === null ? null : BigInt(fixed),
      setAt: setMs === null ? null : new Date(setMs),
      usedAt: new Date(usedMs),
    },
    readings: (row.readings ?? []).map(({ rate, ms, ...pair }) => ({ ...pair, rate: BigInt(rate), at: new Date(ms) })),
  };
}

/** Records that a merchant uses prices in a currency, so that market rates are read for it. */
export async function notePriceUsed(db: Db, merchantId: string, fiat: string, now: Date): Promise<void> {
  await db
    .insert(merchantPrices)
    .values({ merchantId, fiat, mode: "market", usedAt: now })
    .onConflictDoUpdate({ target: [merchantPrices.merchantId, merchantPrices.fiat], set: { usedAt: now } });
}

export type MerchantPrice = typeof merchantPrices.$inferSelect;

/** Returns the currency in which a merchant last used prices; null if it never did. */
export async function findLastFiat(db: Db, merchantId: string): Promise<string | null> {
  const [row] = await db
    .select({ fiat: merchantPrices.fiat })
    .from(merchantPrices)
    .where(eq(merchantPrices.merchantId, merchantId))
    .orderBy(desc(merchantPrices.usedAt), merchantPrices.fiat)
    .limit(1);
  return row?.fiat ?? null;
}

/** Returns a merchant's price settings for all currencies, sorted by currency code. */
export async function listMerchantPrices(db: Db, merchantId: string): Promise<MerchantPrice[]> {
  return db.select().from(merchantPrices).where(eq(merchantPrices.merchantId, merchantId)).orderBy(merchantPrices.fiat);
}

type PriceKey = Pick<MerchantPrice, "merchantId" | "fiat">;
const isOf = ({ merchantId, fiat }: PriceKey) =>
  and(eq(merchantPrices.merchantId, merchantId), eq(merchantPrices.fiat, fiat));

/** Returns a merchant's setting for a currency, or null, and locks it against other changes until the transaction ends. */
export async function lockMerchantPrice(db: Db, key: PriceKey): Promise<MerchantPrice | null> {
  await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, key.merchantId)).for("no key update");
  const [row] = await db.select().from(merchantPrices).where(isOf(key));
  return row ?? null;
}

/** Writes the setting for a merchant's prices in a currency. */
export async function writeMerchantPrice(
  db: Db,
  { merchantId, fiat, ...setting }: PriceKey & Omit<PriceSetting, "setAt">,
  now: Date,
): Promise<void> {
  const change = { ...setting, setAt: now, usedAt: now };
  await db
    .insert(merchantPrices)
    .values({ merchantId, fiat, ...change })
    .onConflictDoUpdate({ target: [merchantPrices.merchantId, merchantPrices.fiat], set: change });
}

/** Returns the number of decimals of a merchant's converted amounts. */
export async function findPriceDecimals(db: Db, merchantId: string): Promise<number> {
  const [row] = await db
    .select({ decimals: merchants.priceDecimals })
    .from(merchants)
    .where(eq(merchants.id, merchantId));
  return row?.decimals ?? 2;
}

/** Sets the number of decimals. Returns true if it changed. */
export async function updatePriceDecimals(db: Db, merchantId: string, priceDecimals: number): Promise<boolean> {
  const rows = await db
    .update(merchants)
    .set({ priceDecimals })
    .where(and(eq(merchants.id, merchantId), ne(merchants.priceDecimals, priceDecimals)))
    .returning({ id: merchants.id });
  return rows.length === 1;
}
