import { CURRENCIES, type Currency } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { parseRate, type Rate } from "@/lib/domain/rates/price";

/**
 * A source of rates. `url` and `path` can contain {TOKEN} (the source's name of a currency), {TOKENS} (all of them), {FIAT} and {fiat} (an
 * ISO 4217 code in upper or lower case), {FIATS} and {fiats} (all requested ones, comma-separated).
 */
export interface RateSource {
  /** The name of the source in displays and in `rate_source`. */
  id: string;
  url: string;
  format: "json" | "xml";
  /**
   * The path of the number. JSON: keys and indexes with dots, * for an only member, such as `data.rates.{FIAT}`. XML: an attribute of the
   * element that has another, such as `Cube[currency={FIAT}]@rate`.
   */
  path: string;
  /**
   * The path of the rate's own time: Unix seconds, or a date, which stands for the end of that day. Absent: the time when the rate was
   * read.
   */
  timePath?: string;
  /** The kind of the source's rates: prices of a token, or of one unit of this fiat currency, in other currencies. */
  prices: "tokens" | { unitOf: string };
  /** The source's names of tokens, if they are not symbols. */
  tokens?: Readonly<Partial<Record<Currency, string>>>;
  /** The currencies of its prices; absent: all currencies that it returns. */
  fiats?: readonly string[];
  /** The rank. Sources of the lowest rank determine the rate together; sources of higher ranks are added if they yield no rate. */
  rank: number;
  everySeconds: number;
  /** The maximum age of a rate. */
  maxAgeSeconds: number;
  isOff?: boolean;
}

const LIVE = { everySeconds: 60, maxAgeSeconds: 600 } as const;
const DAILY = { everySeconds: 3_600, maxAgeSeconds: 345_600 } as const;

/**
 * The default sources; an operator changes them and adds others (RATES_FILE). All are public and require no key. Response formats:
 * docs.cdp.coinbase.com (Exchange Rates), docs.kraken.com (Get Ticker Information), CoinGecko's OpenAPI document (simple/price) and the
 * European Central Bank's eurofxref-daily.xml.
 */
export const RATE_SOURCES: readonly RateSource[] = [
  {
    id: "coinbase",
    prices: "tokens",
    format: "json",
    rank: 1,
    ...LIVE,
    url: "https://api.coinbase.com/v2/exchange-rates?currency={TOKEN}",
    path: "data.rates.{FIAT}",
  },
  {
    id: "kraken",
    prices: "tokens",
    format: "json",
    rank: 1,
    ...LIVE,
    // The response has a single key, which is the pair under a different name (USDTZUSD for USDTUSD).
    url: "https://api.kraken.com/0/public/Ticker?pair={TOKEN}{FIAT}",
    path: "result.*.c.0",
    fiats: ["USD", "EUR", "GBP", "CAD", "CHF", "AUD"],
  },
  {
    id: "coingecko",
    prices: "tokens",
    format: "json",
    rank: 1,
    ...LIVE,
    url: "https://api.coingecko.com/api/v3/simple/price?ids={TOKENS}&vs_currencies={fiats}&include_last_updated_at=true&precision=full",
    path: "{TOKEN}.{fiat}",
    timePath: "{TOKEN}.last_updated_at",
    tokens: { USDT: "tether", USDC: "usd-coin" },
  },
  {
    id: "ecb",
    prices: { unitOf: "EUR" },
    format: "xml",
    rank: 2,
    ...DAILY,
    url: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
    path: "Cube[currency={FIAT}]@rate",
    timePath: "Cube[time]@time",
  },
];

/** The price of one unit of `asset` (a token or a fiat currency) in a currency. */
export interface RatePair {
  asset: string;
  fiat: string;
}

export interface RateReading extends RatePair {
  source: string;
  rate: Rate;
  at: Date;
}

export interface RateRequest {
  url: string;
  pairs: (RatePair & { path: string; timePath: string | null })[];
}

/** Returns the requests to a source for these fiat currencies: each URL once, with all pairs that are read from its response. */
export function planRequests(source: RateSource, wanted: readonly string[]): RateRequest[] {
  const fiats = wanted.filter((fiat) => source.fiats?.includes(fiat) ?? true);
  const { prices } = source;
  const nameOf = (currency: Currency) => source.tokens?.[currency] ?? currency;
  const assets =
    prices === "tokens"
      ? CURRENCIES.map((currency) => ({ asset: currency as string, name: nameOf(currency) }))
      : [{ asset: prices.unitOf, name: prices.unitOf }];
  const requests = new Map<string, RateRequest>();
  for (const { asset, name } of assets) {
    for (const fiat of fiats.filter((one) => one !== asset)) {
      const fill = (text: string) =>
        fillPlaceholders(text, { name, names: assets.map((one) => one.name), fiat, fiats });
      const url = fill(source.url);
      const request = requests.get(url) ?? { url, pairs: [] };
      const timePath = source.timePath === undefined ? null : fill(source.timePath);
      request.pairs.push({ asset, fiat, path: fill(source.path), timePath });
      requests.set(url, request);
    }
  }
  return [...requests.values()];
}

interface Placeholders {
  name: string;
  names: readonly string[];
  fiat: string;
  fiats: readonly string[];
}

function fillPlaceholders(text: string, { name, names, fiat, fiats }: Placeholders): string {
  return text
    .replaceAll("{TOKENS}", names.join(","))
    .replaceAll("{TOKEN}", name)
    .replaceAll("{FIATS}", fiats.join(","))
    .replaceAll("{fiats}", fiats.join(",").toLowerCase())
    .replaceAll("{FIAT}", fiat)
    .replaceAll("{fiat}", fiat.toLowerCase());
}

/**
 * Reads the pairs from a response. Missing pairs are omitted. `failure` is the problem if the response contains none of them or has a
 * different format.
 * @param now the time of reading; no rate gets a later time
 */
export function readAnswer(
  { id: source, format }: RateSource,
  { pairs }: RateRequest,
  text: string,
  now: Date,
): { readings: RateReading[]; failure: Problem | null } {
  const find = format === "json" ? jsonFinder(text) : xmlFinder(text);
  if (find === null) return { readings: [], failure: problem("rate_source_not_json") };
  const readings = pairs.flatMap(({ asset, fiat, path, timePath }) => {
    const rate = parseRate(find(path) ?? "");
    const at = timePath === null ? now : readTime(find(timePath) ?? "", now);
    return rate === null || at === null ? [] : [{ source, asset, fiat, rate, at }];
  });
  const [first] = pairs;
  if (readings.length > 0 || first === undefined) return { readings, failure: null };
  const { path, timePath } = first;
  const failure =
    timePath === null
      ? problem("rate_source_without_number", { path })
      : problem("rate_source_without_numbers", { path, timePath });
  return { readings, failure };
}

type Find = (path: string) => string | null;

/** Returns a function that finds values in JSON. Numbers keep their original digits, because no float is used. */
function jsonFinder(text: string): Find | null {
  let whole: unknown;
  try {
    const parse = JSON.parse as (
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ) => unknown;
    whole = parse(text, (_key, value, { source }) => (typeof value === "number" ? (source ?? String(value)) : value));
  } catch {
    return null;
  }
  return (path) => {
    const found = path.split(".").reduce<unknown>(memberOf, whole);
    return typeof found === "string" ? found : null;
  };
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return null;
  if (key !== "*") return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : null;
  const members = Object.values(value);
  return members.length === 1 ? members[0] : null;
}

const ELEMENT_PATH = /^([\w:]+)\[(\w+)(?:=([^\]]*))?\]@(\w+)$/;

/** Returns a function that finds values in XML. It checks elements one by one at any depth, which is sufficient for a list of rates. */
function xmlFinder(text: string): Find {
  const elements = [...text.matchAll(/<([\w:]+)((?:\s+[\w:]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))+)\s*\/?>/g)].map(
    ([, name, attributes = ""]) => ({ name, attributes: attributesOf(attributes) }),
  );
  return (path) => {
    const [, name, key = "", value, wanted = ""] = ELEMENT_PATH.exec(path) ?? [];
    const element = elements.find(
      (one) =>
        one.name === name && one.attributes.has(key) && (value ?? one.attributes.get(key)) === one.attributes.get(key),
    );
    return element?.attributes.get(wanted) ?? null;
  };
}

function attributesOf(text: string): Map<string, string> {
  const pairs = text.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...pairs].map(([, name = "", double, single]) => [name, double ?? single ?? ""]));
}

const DAY_MS = 86_400_000;

/** Reads Unix seconds, or a date, which stands for the end of that day. The result is never after `now`. Null if the text is neither. */
function readTime(text: string, now: Date): Date | null {
  const ms = /^\d{1,12}(\.\d+)?$/.test(text)
    ? Math.floor(Number(text) * 1_000)
    : /^\d{4}-\d\d-\d\d$/.test(text)
      ? Date.parse(`${text}T00:00:00Z`) + DAY_MS
      : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(Math.min(ms, now.getTime()));
}
