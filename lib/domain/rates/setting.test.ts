import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problem } from "@/lib/domain/problems/problem";
import { formatRate, parseRate } from "@/lib/domain/rates/price";
import {
  decideRate,
  FIXED_SOURCE,
  MARKET_SETTING,
  type PriceSetting,
  parseMarkUp,
  quoteRate,
  whyNoRate,
} from "@/lib/domain/rates/setting";
import { RATE_SOURCES, type RateReading, type RateSource } from "@/lib/domain/rates/sources";

const now = new Date("2026-11-22T12:00:00Z");
const MINUTE = 60_000;
const DAY = 86_400_000;

function reading(source: string, pair: `${string}/${string}`, rate: string, ageMs = 0): RateReading {
  const [asset = "", fiat = ""] = pair.split("/");
  return { source, asset, fiat, rate: parseRate(rate) ?? 0n, at: new Date(now.getTime() - ageMs) };
}
const decide = (readings: RateReading[], fiat = "EUR", sources = RATE_SOURCES) =>
  decideRate(sources, readings, { currency: "USDT", fiat }, now);

const EURO = [
  reading("coinbase", "USDT/EUR", "0.92"),
  reading("kraken", "USDT/EUR", "0.922"),
  reading("coingecko", "USDT/EUR", "0.921"),
];
const DOLLAR = [
  reading("coinbase", "USDT/USD", "1"),
  reading("kraken", "USDT/USD", "1.001"),
  reading("coingecko", "USDT/USD", "0.999"),
];
const BANK = [reading("ecb", "EUR/USD", "1.08", DAY), reading("ecb", "EUR/SEK", "11.34", DAY)];

describe("the market", () => {
  test("live sources decide by their median; the bank's file is ignored while they exist", () => {
    expect(decide([...EURO, ...DOLLAR, ...BANK])).toMatchObject({
      rate: parseRate("0.921"),
      sources: ["coinbase", "kraken", "coingecko"],
    });
  });

  test("a currency without a live source is converted through USD by the bank's file, which determines its age", () => {
    const market = decide([...DOLLAR, ...BANK], "SEK");
    expect(market).toMatchObject({ sources: ["ecb (through USD)"], at: new Date(now.getTime() - DAY) });
    expect(market.rate && formatRate(market.rate)).toBe("10.5");
  });

  test("the bank's own currency is crossed too", () => {
    const market = decide([...DOLLAR, ...BANK], "EUR");
    expect(market.rate && formatRate(market.rate)).toBe("0.925925925925");
  });

  test("live numbers count for ten minutes, the daily file for four days", () => {
    const old = (ms: number) => EURO.map((one) => ({ ...one, at: new Date(now.getTime() - ms) }));
    expect(decide(old(10 * MINUTE)).rate).not.toBeNull();
    expect(decide(old(10 * MINUTE + 1))).toMatchObject({ rate: null, why: "stale" });
    const file = (ms: number) => BANK.map((one) => ({ ...one, at: new Date(now.getTime() - ms) }));
    expect(decide([...DOLLAR, ...file(4 * DAY)], "SEK").rate).not.toBeNull();
    expect(decide([...DOLLAR, ...file(4 * DAY + 1)], "SEK")).toMatchObject({ rate: null, why: "stale" });
    const dollars = DOLLAR.map((one) => ({ ...one, at: new Date(now.getTime() - 11 * MINUTE) }));
    expect(decide([...dollars, ...BANK], "SEK")).toMatchObject({ rate: null, why: "stale" });
  });

  test("two that contradict each other are settled by the next rank, and are a contradiction without it", () => {
    const two = [reading("coinbase", "USDT/EUR", "0.92"), reading("kraken", "USDT/EUR", "9.2")];
    expect(decide(two)).toMatchObject({ rate: null, why: "contradiction" });
    expect(decide([...two, ...DOLLAR, ...BANK])).toMatchObject({ leftOut: ["kraken"], rate: expect.any(BigInt) });
  });

  test("the bank's file has no rate of USD itself: the intermediate rate is not a second source", () => {
    const third: RateSource = { ...(RATE_SOURCES[0] as RateSource), id: "third", rank: 2 };
    const readings = [
      reading("coinbase", "USDT/USD", "1"),
      reading("kraken", "USDT/USD", "9"),
      reading("third", "USDT/USD", "1.01"),
      ...BANK,
    ];
    expect(decide(readings, "USD", [...RATE_SOURCES, third])).toMatchObject({
      sources: ["coinbase", "third"],
      leftOut: ["kraken"],
    });
  });

  test("a disabled source is ignored, regardless of its last reading", () => {
    const off = RATE_SOURCES.map((source) => (source.id === "kraken" ? { ...source, isOff: true } : source));
    expect(decide(EURO, "EUR", off)).toMatchObject({ sources: ["coinbase", "coingecko"] });
    expect(decide(EURO, "EUR", [])).toMatchObject({ rate: null, why: "stale" });
  });

  test("one faulty live source of three never moves the rate beyond the others", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), fc.constantFrom(0, 1, 2), (falsify, which) => {
        const readings = EURO.map((one, index) =>
          index === which ? { ...one, rate: BigInt(falsify) * 10n ** 6n } : one,
        );
        const honest = EURO.filter((_one, index) => index !== which).map(({ rate }) => rate);
        const { rate } = decide(readings);
        return rate !== null && honest.some((one) => rate <= one) && honest.some((one) => rate >= one);
      }),
    );
  });
});

describe("a merchant's setting", () => {
  const market = decide(EURO);
  const none = decide([]);
  const fixed: PriceSetting = { ...MARKET_SETTING, mode: "fixed", fixedRate: parseRate("0.9"), setAt: now };

  test("the market as it is, or with a mark-up that makes the payer pay more", () => {
    expect(quoteRate(MARKET_SETTING, market, now)).toEqual({
      rate: parseRate("0.921"),
      source: "coinbase, kraken, coingecko",
      at: now,
    });
    const marked = quoteRate({ ...MARKET_SETTING, mode: "markup", markUpBasisPoints: 150 }, market, now);
    expect(marked?.rate).toBe(907_389_162_561n);
    expect(quoteRate({ ...MARKET_SETTING, markUpBasisPoints: 150 }, market, now)?.rate).toBe(parseRate("0.921"));
  });

  test("a fixed rate applies regardless of the market, with the time it was set", () => {
    expect(quoteRate(fixed, market, now)).toEqual({ rate: parseRate("0.9"), source: FIXED_SOURCE, at: now });
  });

  test("in market mode a fixed rate applies while there is no market rate; without one there is no rate", () => {
    expect(quoteRate({ ...fixed, mode: "market" }, none, now)).toMatchObject({ source: FIXED_SOURCE });
    expect(quoteRate({ ...fixed, mode: "markup", markUpBasisPoints: 100 }, none, now)).toMatchObject({
      rate: parseRate("0.9"),
    });
    expect(quoteRate(MARKET_SETTING, none, now)).toBeNull();
    expect(whyNoRate(none)).toEqual(problem("rate_stale"));
  });

  test("a mark-up is read in hundredths of a percent, up to 50 %", () => {
    expect(["0", "1.5", "1,25", " 50 ", "2.50"].map(parseMarkUp)).toEqual([0, 150, 125, 5_000, 250]);
    for (const text of ["", "-1", "50.01", "1.555", "a", "1e1"]) expect(parseMarkUp(text)).toBeNull();
  });
});
