import { z } from "zod";
import { readJsonFile } from "@/lib/config/read-json-file";
import { CURRENCIES } from "@/lib/domain/networks";
import { findFiat } from "@/lib/domain/rates/currencies";
import { RATE_SOURCES, type RateSource } from "@/lib/domain/rates/sources";

const SETTING = "RATES_FILE";

const words = z.string("a text").min(1, "a text").max(500, "a text of at most 500 characters");
const seconds = (least: number, most: number) => {
  const rule = `a whole number of seconds from ${least} to ${most}`;
  return z.int(rule).min(least, rule).max(most, rule);
};
const fiat = z.custom<string>(
  (value) => typeof value === "string" && findFiat(value)?.code === value,
  "an ISO 4217 code in capitals, such as EUR",
);

/** The schema of a row; a new one has all fields that have no default. */
const Row = z.strictObject({
  note: words.optional(),
  url: words.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "an absolute http(s) address"),
  format: z.enum(["json", "xml"], '"json" or "xml"').default("json"),
  path: words,
  timePath: words.optional(),
  prices: z
    .union([z.literal("tokens"), z.strictObject({ unitOf: fiat })], '"tokens", or an object such as {"unitOf": "EUR"}')
    .default("tokens"),
  tokens: z.partialRecord(z.enum(CURRENCIES), words, "an object of texts").optional(),
  fiats: z.array(fiat, "a list of ISO 4217 codes").optional(),
  rank: z.int("a whole number from 0 to 99").min(0, "from 0 to 99").max(99, "from 0 to 99").default(1),
  everySeconds: seconds(5, 86_400).default(60),
  maxAgeSeconds: seconds(10, 345_600).default(600),
});

/**
 * Reads RATES_FILE, in which an operator adds, changes or disables sources of rates. Without one, the release's rows apply. Every error is
 * added to `problems` with its path and what would be right.
 * @param given settings that are not empty; the file's path is relative to the working directory
 */
export function readRateSources(
  given: Readonly<Record<string, string>>,
  problems: string[],
  released: readonly RateSource[] = RATE_SOURCES,
): readonly RateSource[] {
  const file = given[SETTING]?.trim();
  if (file === undefined) return released;
  const wrong = (problem: string) => problems.push(`${SETTING}: ${problem}`);
  const read = readJsonFile(file);
  if ("problem" in read) {
    wrong(read.problem);
    return released;
  }
  for (const path of read.repeated) wrong(`${path} occurs twice in ${file}; merge both entries`);
  if (!isObject(read.value)) {
    wrong(`${file} must contain an object of sources such as {"kraken": false}`);
    return released;
  }
  const entries = read.value;
  const ids = [...new Set([...released.map(({ id }) => id), ...Object.keys(entries)])];
  return ids.flatMap((id) => {
    const row = released.find((one) => one.id === id);
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(id)) {
      wrong(`"${id}" in ${file} is not the name of a source; it must consist of lowercase letters, digits and hyphens`);
      return [];
    }
    return readRow(id, row, entries[id], (problem) => wrong(`${problem} (in ${file})`));
  });
}

type Refuse = (problem: string) => void;

function readRow(id: string, row: RateSource | undefined, entry: unknown, wrong: Refuse): RateSource[] {
  if (row && (entry === undefined || entry === true)) return [row];
  if (entry === false) return row ? [{ ...row, isOff: true }] : [];
  if (!isObject(entry)) {
    wrong(`${id} must be ${row ? "false (switched off), true (as in this release), or " : ""}an object`);
    return [];
  }
  const { id: _id, isOff: _isOff, ...before } = row ?? {};
  const parsed = Row.safeParse({ ...before, ...entry });
  if (!parsed.success) {
    for (const issue of parsed.error.issues) wrong(inWords(id, issue));
    return [];
  }
  const { note: _note, timePath, tokens, fiats, ...said } = parsed.data;
  return [{ id, ...said, ...(timePath && { timePath }), ...(tokens && { tokens }), ...(fiats && { fiats }) }];
}

function inWords(id: string, issue: z.core.$ZodIssue): string {
  const place = [id, ...issue.path.map(String)].join(".");
  if (issue.code === "unrecognized_keys")
    return `${issue.keys.map((key) => `${place}.${key}`).join(", ")} is unknown; known are ${Object.keys(Row.shape).join(", ")}`;
  return `${place} must be ${issue.message}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
