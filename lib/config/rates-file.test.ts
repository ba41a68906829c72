import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRateSources } from "@/lib/config/rates-file";
import { RATE_SOURCES } from "@/lib/domain/rates/sources";

const folder = mkdtempSync(path.join(tmpdir(), "stablegate-rates-"));
const file = path.join(folder, "rates.json");
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown) {
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  const problems: string[] = [];
  const sources = readRateSources({ RATES_FILE: file }, problems);
  return { sources, problems: problems.map((message) => message.replaceAll(file, "rates.json")) };
}

test("without a file, and with an empty one, the release's sources apply", () => {
  expect(readRateSources({}, [])).toBe(RATE_SOURCES);
  expect(read({})).toEqual({ sources: RATE_SOURCES, problems: [] });
});

test("a source is switched off, changed, added", () => {
  const { sources, problems } = read({
    kraken: false,
    ecb: true,
    coinbase: { url: "http://127.0.0.1:1/?currency={TOKEN}", maxAgeSeconds: 300, note: "our own mirror" },
    "our-bank": { url: "https://bank.example/{FIAT}.json", path: "rate", rank: 0, prices: { unitOf: "USD" } },
  });
  expect(problems).toEqual([]);
  const byId = new Map(sources.map((source) => [source.id, source]));
  expect(byId.get("kraken")).toMatchObject({ isOff: true });
  expect(byId.get("ecb")).toEqual(RATE_SOURCES.find(({ id }) => id === "ecb"));
  expect(byId.get("coinbase")).toMatchObject({ path: "data.rates.{FIAT}", maxAgeSeconds: 300 });
  expect(byId.get("coinbase")?.url).toContain("127.0.0.1");
  expect(byId.get("our-bank")).toEqual({
    id: "our-bank",
    url: "https://bank.example/{FIAT}.json",
    path: "rate",
    rank: 0,
    prices: { unitOf: "USD" },
    format: "json",
    everySeconds: 60,
    maxAgeSeconds: 600,
  });
});

describe("problems are reported with their position", () => {
  test.each<[unknown, string]>([
    ["{", "is not valid JSON"],
    ["[]", "must contain an object of sources"],
    ['{"kraken": false, "kraken": true}', "kraken occurs twice"],
    [{ "Our Bank": {} }, '"Our Bank" in rates.json is not the name of a source'],
    [{ mine: true }, "mine must be an object"],
    [{ kraken: 1 }, "kraken must be false (switched off), true (as in this release), or an object"],
    [{ kraken: { ulr: "x" } }, "kraken.ulr is unknown; the known fields are"],
    [{ kraken: { url: "ftp://x" } }, "kraken.url must be an absolute http(s) URL"],
    [
      { kraken: { maxAgeSeconds: 999_999 } },
      "kraken.maxAgeSeconds must be a whole number of seconds from 10 to 345600",
    ],
    [{ kraken: { fiats: ["eur"] } }, "kraken.fiats.0 must be an ISO 4217 code in capitals"],
    [{ mine: { url: "https://x.example" } }, "mine.path must be a string"],
  ])("%j", (content, message) => {
    expect(read(content).problems.join("\n")).toContain(message);
  });
});
