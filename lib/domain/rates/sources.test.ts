import { describe, expect, test } from "vitest";
import { CURRENCIES } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { parseRate } from "@/lib/domain/rates/price";
import { planRequests, RATE_SOURCES, type RateSource, readAnswer } from "@/lib/domain/rates/sources";

const now = new Date("2026-11-22T12:00:00Z");
const source = (id: string) => RATE_SOURCES.find((row) => row.id === id) as RateSource;
const urlsOf = (id: string, fiats: string[]) => planRequests(source(id), fiats).map(({ url }) => url);

/** Reads a source's response to the first of its requests. */
function read(id: string, fiats: string[], text: string) {
  const [request] = planRequests(source(id), fiats);
  if (!request) throw new Error("nothing is asked");
  const { readings, failure } = readAnswer(source(id), request, text, now);
  return {
    problem: failure && inEnglish(failure),
    reading: readings.map(({ asset, fiat, rate, at }) => ({ asset, fiat, rate, at })),
  };
}

describe("requests", () => {
  test("each URL once, for all rates in its response", () => {
    expect(urlsOf("coinbase", ["EUR", "USD"])).toEqual([
      "https://api.coinbase.com/v2/exchange-rates?currency=USDT",
      "https://api.coinbase.com/v2/exchange-rates?currency=USDC",
    ]);
    expect(urlsOf("coingecko", ["EUR", "USD"])).toEqual([
      "https://api.coingecko.com/api/v3/simple/price?ids=tether,usd-coin&vs_currencies=eur,usd&include_last_updated_at=true&precision=full",
    ]);
    expect(urlsOf("kraken", ["EUR", "USD"])).toHaveLength(2 * CURRENCIES.length);
    expect(urlsOf("ecb", ["EUR", "SEK", "USD"])).toEqual([
      "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
    ]);
  });

  test("no request to a source without a price for the wanted pairs", () => {
    expect(urlsOf("kraken", ["KWD"])).toEqual([]);
    expect(urlsOf("ecb", ["EUR"])).toEqual([]);
  });

  test("every row has sources for both kinds: three that are live, and one bank's daily file", () => {
    expect(
      RATE_SOURCES.filter(({ prices, maxAgeSeconds }) => prices === "tokens" && maxAgeSeconds === 600),
    ).toHaveLength(3);
    expect(RATE_SOURCES.filter(({ maxAgeSeconds }) => maxAgeSeconds === 4 * 86_400).map(({ id }) => id)).toEqual([
      "ecb",
    ]);
    for (const { url } of RATE_SOURCES) expect(new URL(url).protocol).toBe("https:");
  });
});

describe("responses", () => {
  test("Coinbase: texts of decimals, one answer for a token", () => {
    const answer = '{"data":{"currency":"USDT","rates":{"EUR":"0.92151234567890123","JPY":"150.1","XYZ":"3"}}}';
    expect(read("coinbase", ["EUR", "KWD"], answer)).toEqual({
      problem: null,
      reading: [{ asset: "USDT", fiat: "EUR", rate: parseRate("0.921512345678"), at: now }],
    });
  });

  test("Kraken: the last trade, with any name of the pair", () => {
    const answer = '{"error":[],"result":{"USDTZUSD":{"a":["1.1","1","1"],"c":["0.99950000","120.5"],"t":[1,2]}}}';
    expect(read("kraken", ["USD"], answer).reading).toMatchObject([
      { asset: "USDT", fiat: "USD", rate: 999_500_000_000n },
    ]);
    const two = '{"error":[],"result":{"USDTZUSD":{"c":["0.99","1"]},"OTHERUSD":{"c":["7","1"]}}}';
    expect(read("kraken", ["USD"], two).reading).toEqual([]);
    const refusal = '{"error":["EQuery:Unknown asset pair"]}';
    expect(read("kraken", ["USD"], refusal).problem).toBe("the response has no number above 0 at result.*.c.0");
  });

  test("CoinGecko: numbers digit by digit, and of when they are", () => {
    const answer = `{"tether":{"eur":0.921500000000000087,"last_updated_at":${now.getTime() / 1_000 - 90}},"usd-coin":{"eur":1e0,"last_updated_at":99999999999}}`;
    expect(read("coingecko", ["EUR"], answer).reading).toEqual([
      { asset: "USDT", fiat: "EUR", rate: 921_500_000_000n, at: new Date(now.getTime() - 90_000) },
      // A source's clock that runs ahead must not make a rate newer than the time when it was read.
      { asset: "USDC", fiat: "EUR", rate: 10n ** 12n, at: now },
    ]);
    const long = `{"tether":{"eur":123456.123456789012,"last_updated_at":1}}`;
    expect(read("coingecko", ["EUR"], long).reading).toMatchObject([{ rate: 123_456_123_456_789_012n }]);
    expect(read("coingecko", ["EUR"], '{"tether":{"eur":0.92},"usd-coin":{}}').problem).toContain(
      "tether.last_updated_at",
    );
  });

  test("the European Central Bank: a daily file that counts to the end of its day", () => {
    const answer = `<?xml version="1.0" encoding="UTF-8"?>
      <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
      <gesmes:subject>Reference rates</gesmes:subject><Cube><Cube time='2026-11-20'>
      <Cube currency='USD' rate='1.0705'/>
      <Cube currency="SEK" rate="11.3595"/></Cube></Cube></gesmes:Envelope>`;
    const at = new Date("2026-11-21T00:00:00Z");
    expect(read("ecb", ["EUR", "SEK", "USD"], answer)).toEqual({
      problem: null,
      reading: [
        { asset: "EUR", fiat: "SEK", rate: parseRate("11.3595"), at },
        { asset: "EUR", fiat: "USD", rate: parseRate("1.0705"), at },
      ],
    });
  });

  test.each([
    ["<html>busy</html>", "the response is not JSON"],
    ["[]", "the response has no number above 0 at data.rates.EUR"],
    ["null", "the response has no number above 0 at data.rates.EUR"],
    ['{"data":{"rates":{"EUR":"0"}}}', "the response has no number above 0 at data.rates.EUR"],
    ['{"data":{"rates":{"EUR":-1}}}', "the response has no number above 0 at data.rates.EUR"],
    ['{"data":{"rates":{"EUR":{"EUR":1}}}}', "the response has no number above 0 at data.rates.EUR"],
    ['{"data":{"rates":{"EUR":1e400}}}', "the response has no number above 0 at data.rates.EUR"],
    ['{"data":{"rates":{"EUR":"NaN"}}}', "the response has no number above 0 at data.rates.EUR"],
    ['{"data":{"__proto__":{"rates":{"EUR":"1"}}}}', "the response has no number above 0 at data.rates.EUR"],
  ])("an invalid number is ignored: %s", (answer, problem) => {
    expect(read("coinbase", ["EUR"], answer)).toEqual({ problem, reading: [] });
  });
});
