import type { ServerResponse } from "node:http";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listRateSources, notePriceUsed, writeMerchantPrice } from "@/db/queries/rates/rates";
import { merchantPrices, rateReadings, rateSources } from "@/db/schema";
import { problem } from "@/lib/domain/problems/problem";
import { formatRate, parseRate } from "@/lib/domain/rates/price";
import { RATE_SOURCES, type RateSource } from "@/lib/domain/rates/sources";
import { guardedGet } from "@/lib/outbound/guarded-get";
import { findRate } from "@/lib/rates/find-rate";
import { type RatesContext, refreshRates } from "@/lib/rates/refresh-rates";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const log = pino({ level: "silent" });
const start = new Date("2026-11-22T12:00:00Z");
const MINUTE = 60_000;

/** The prices of the four public servers, in their documented formats; null: no response. */
type Prices = Record<string, { usd: string; eur: string } | null>;
let prices: Prices;
let now: Date;
let server: Receiver;
let merchantId: string;
let sources: readonly RateSource[];

function answer(response: ServerResponse, path: string): void {
  const name = path.split("/")[1] ?? "";
  const reported = prices[name];
  if (!reported) return void response.writeHead(503).end();
  const pair = /pair=(\w{4})(\w{3})/.exec(path);
  const bodies: Record<string, string> = {
    coinbase: `{"data":{"currency":"USDT","rates":{"EUR":"${reported.eur}","USD":"${reported.usd}","JPY":"150"}}}`,
    kraken: `{"error":[],"result":{"X${pair?.[1]}Z${pair?.[2]}":{"a":["1","1","1"],"c":["${pair?.[2] === "EUR" ? reported.eur : reported.usd}","1.5"]}}}`,
    coingecko: `{"tether":{"usd":${reported.usd},"eur":${reported.eur},"last_updated_at":${now.getTime() / 1_000}},"usd-coin":{"usd":${reported.usd},"eur":${reported.eur},"last_updated_at":${now.getTime() / 1_000}}}`,
    ecb: `<gesmes:Envelope><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='${reported.usd}'/><Cube currency='SEK' rate='11.34'/></Cube></Cube></gesmes:Envelope>`,
  };
  response.end(bodies[name]);
}

beforeEach(async () => {
  for (const table of [merchantPrices, rateReadings, rateSources]) await db().delete(table);
  now = start;
  prices = {
    coinbase: { usd: "1", eur: "0.92" },
    kraken: { usd: "1.001", eur: "0.922" },
    coingecko: { usd: "0.999", eur: "0.921" },
    ecb: { usd: "1.08", eur: "1" },
  };
  server = await startReceiver((response, { path }) => answer(response, path));
  sources = RATE_SOURCES.map((row) => ({
    ...row,
    url: row.url.replace(/^https:\/\/[^/]+/, `${server.origin}/${row.id}`),
  }));
  merchantId = (await seedMerchant(db(), start)).id;
});
afterEach(() => server.close());

function context(change: Partial<RatesContext> = {}): RatesContext {
  const get = (url: string) => guardedGet(url, "Stablegate/test", { allowCidrs: ["127.0.0.0/8"] });
  return { sources, owner: "worker", log, get, now: () => now, ...change };
}
/** Runs one round over all sources. */
async function refresh(change: Partial<RatesContext> = {}): Promise<string[]> {
  const read = [];
  for (const source of sources) if (await refreshRates(db(), context(change), source)) read.push(source.id);
  return read;
}
const use = (fiat: string) => notePriceUsed(db(), merchantId, fiat, now);
const rateIn = (fiat: string) => findRate(db(), sources, { merchantId, currency: "USDT", fiat }, now);
const states = async () => new Map((await listRateSources(db())).map((row) => [row.source, row]));
const at = (minutes: number) => {
  now = new Date(start.getTime() + minutes * MINUTE);
};
const rate = (text: string) => parseRate(text) ?? 0n;

describe("without fiat prices", () => {
  test("no source is read; the first price in a currency triggers a reading, and the next one has a rate", async () => {
    expect(await refresh()).toEqual([]);
    expect(await rateIn("EUR")).toEqual({ problem: problem("rate_stale") });
    expect(server.received).toEqual([]);
    expect(await refresh()).toEqual(["coinbase", "kraken", "coingecko", "ecb"]);
    expect(await rateIn("EUR")).toEqual({
      rate: rate("0.921"),
      source: "coinbase, kraken, coingecko",
      at: start,
      decimals: 2,
    });
  });

  test("fixed rates read no source, and prices from more than a month ago are no longer read", async () => {
    const fixed = { mode: "fixed", markUpBasisPoints: 0, fixedRate: rate("0.9") } as const;
    await writeMerchantPrice(db(), { merchantId, fiat: "EUR", ...fixed }, now);
    expect(await refresh()).toEqual([]);
    expect(await rateIn("EUR")).toMatchObject({ rate: rate("0.9"), source: "fixed" });
    await db().delete(merchantPrices);
    await use("GBP");
    now = new Date(start.getTime() + 31 * 86_400_000);
    expect(await refresh()).toEqual([]);
    expect(server.received).toEqual([]);
  });
});

describe("while some merchant has", () => {
  beforeEach(() => use("EUR"));

  test("live sources are read every minute, a daily file every hour", async () => {
    await refresh();
    at(0.9);
    expect(await refresh()).toEqual([]);
    at(1);
    expect(await refresh()).toEqual(["coinbase", "kraken", "coingecko"]);
    at(60);
    expect(await refresh()).toEqual(["coinbase", "kraken", "coingecko", "ecb"]);
  });

  test("a daily file that could not be read is asked for again after five minutes", async () => {
    prices["ecb"] = null;
    await refresh();
    at(4.9);
    expect(await refresh()).not.toContain("ecb");
    at(5);
    expect(await refresh()).toContain("ecb");
  });

  test("another currency is read at once", async () => {
    await refresh();
    await use("SEK");
    expect(await refresh()).toEqual(["coinbase", "kraken", "coingecko", "ecb"]);
    const found = await rateIn("SEK");
    expect(found).toMatchObject({ source: "ecb (through USD)", at: new Date("2026-11-21T00:00:00Z") });
    expect("rate" in found && formatRate(found.rate)).toBe("10.5");
  });

  test("of many workers one reads a source at a time", async () => {
    const [first] = sources;
    const rounds = ["a", "b", "c", "d"].map((owner) => refreshRates(db(), context({ owner }), first as RateSource));
    expect((await Promise.all(rounds)).filter(Boolean)).toHaveLength(1);
    expect(server.received).toHaveLength(2);
  });

  test("a worker that died gives its source up when the lease ends, and one that was too slow writes nothing", async () => {
    const [first] = sources;
    let release = (_: Awaited<ReturnType<RatesContext["get"]>>) => {};
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const get = () => {
      isAsked();
      return new Promise<Awaited<ReturnType<RatesContext["get"]>>>((resolve) => {
        release = resolve;
      });
    };
    const slow = refreshRates(db(), context({ owner: "slow", get }), first as RateSource);
    await asked;
    expect(await refreshRates(db(), context(), first as RateSource)).toBe(false);
    at(2);
    expect(await refreshRates(db(), context(), first as RateSource)).toBe(true);
    release({ kind: "failed", error: problem("outbound_timeout", { seconds: 15 }) });
    expect(await slow).toBe(false);
    expect((await states()).get("coinbase")).toMatchObject({ failure: null, leaseOwner: null });
  });

  test("the failure of a source is reported, and its last rate counts for ten minutes", async () => {
    await refresh();
    for (const name of Object.keys(prices)) prices[name] = null;
    at(1);
    await refresh();
    expect((await states()).get("kraken")).toMatchObject({
      failure: problem("outbound_status", { status: 503 }),
      answeredAt: start,
    });
    at(10);
    expect(await rateIn("EUR")).toMatchObject({ rate: rate("0.921"), at: start });
    at(10.1);
    expect(await rateIn("EUR")).toEqual({ problem: problem("rate_stale") });
    prices = { ...prices, kraken: { usd: "1", eur: "0.93" } };
    await refresh();
    expect(await rateIn("EUR")).toMatchObject({ rate: rate("0.93"), source: "kraken" });
    expect((await states()).get("kraken")).toMatchObject({ failure: null, answeredAt: now });
  });

  test("without a current rate a fixed one counts, if the merchant has one", async () => {
    const setting = { mode: "market", markUpBasisPoints: 0, fixedRate: rate("0.95") } as const;
    await writeMerchantPrice(db(), { merchantId, fiat: "EUR", ...setting }, now);
    expect(await rateIn("EUR")).toMatchObject({ rate: rate("0.95"), source: "fixed" });
    await refresh();
    expect(await rateIn("EUR")).toMatchObject({ rate: rate("0.921") });
  });

  test("a source that jumps is excluded and reported, and counts again when it returns", async () => {
    prices["kraken"] = { usd: "1.001", eur: "9.2" };
    await refresh();
    expect(await rateIn("EUR")).toMatchObject({ rate: rate("0.9205"), source: "coinbase, coingecko" });
    expect((await states()).get("kraken")?.warning).toBe(
      "USDT in EUR: 9.2 deviates by more than a tenth, the others return 0.9205",
    );
    expect((await states()).get("coinbase")?.warning).toBeNull();
    prices["kraken"] = { usd: "1.001", eur: "0.922" };
    at(1);
    await refresh();
    expect((await states()).get("kraken")?.warning).toBeNull();
  });

  test("a source that leads inside is never asked", async () => {
    const get = (url: string) => guardedGet(url, "Stablegate/test", { allowCidrs: [] });
    await refresh({ get });
    expect(server.received).toEqual([]);
    expect((await states()).get("coinbase")?.failure?.code).toBe("outbound_address_invalid");
  });
});
