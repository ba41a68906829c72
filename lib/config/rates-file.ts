import * as z from "zod";
import { readJsonFile } from "@/lib/config/read-json-file";
import { CURRENCIES } from "@/lib/domain/networks";
import { findFiat } from "@/lib/domain/rates/currencies";
import { RATE_SOURCES, type RateSource } from "@/lib/domain/rates/sources";

const SETTING = "RATES_FILE";

const message = z.string("a string").min(1, "a non-empty string").max(500, "a string of at most 500 characters");
const seconds = (minimum: number, maximum: number) => {
  const rule = `a whole number of seconds from ${minimum} to ${maximum}`;
  return z.int(rule).min(minimum, rule).max(maximum, rule);
};
const fiat = z.custom<string>(
  (value) => typeof value === "string" && findFiat(value)?.code === value,
  "an ISO 4217 code in capitals, such as EUR",
);

/** The schema of a row. A new row must have all fields that have no default. */
const Row = z.strictObject({
  note: message.optional(),
  url: message.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "an absolute http(s) URL"),
  format: z.enum(["json", "xml"], '"json" or "xml"').default("json"),
  path: message,
  timePath: message.optional(),
  prices: z
    .union([z.literal("tokens"), z.strictObject({ unitOf: fiat })], '"tokens", or an object such as {"unitOf": "EUR"}')
    .default("tokens"),
  tokens: z.partialRecord(z.enum(CURRENCIES), message, "an object of strings").optional(),
  fiats: z.array(fiat, "a list of ISO 4217 codes").optional(),
  rank: z.int("a whole number from 0 to 99").min(0, "from 0 to 99").max(99, "from 0 to 99").default(1),
  everySeconds: seconds(5, 86_400).default(60),
  maxAgeSeconds: seconds(10, 345_600).default(600),
});

/**
 * Reads RATES_FILE, in which an operator adds, changes or disables rate sources. Without this file, the release's rows apply. Every error
 * is added to `problems` with its path and the valid form.
 * @param given settings that are not empty; the file's path is relative to the working directory
 */
export function readRateSources(
  given: Readonly<Record<string, string>>,
  problems: string[],
  released: readonly RateSource[] = RATE_SOURCES,
): readonly RateSource[] {
  const file = given[SETTING]?.trim();
  if (file === undefined) return released;
  const invalid = (problem: string) => problems.push(`${SETTING}: ${problem}`);
  const read = readJsonFile(file);
  if ("problem" in read) {
    invalid(read.problem);
    return released;
  }
  for (const path of read.repeated) invalid(`${path} occurs twice in ${file}; merge both entries`);
  if (!isObject(read.value)) {
    invalid(`${file} must contain an object of sources such as {"kraken": false}`);
    return released;
  }
  const entries = read.value;
  const ids = [...new Set([...released.map(({ id }) => id), ...Object.keys(entries)])];
  return ids.flatMap((id) => {
    const row = released.find((one) => one.id === id);
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(id)) {
      invalid(
        `"${id}" in ${file} is not the name of a source; it must consist of lowercase letters, digits and hyphens`,
      );
      return [];
    }
    return readRow(id, row, entries[id], (problem) => invalid(`${problem} (in ${file})`));
  });
}

type Refuse = (problem: string) => void;

function readRow(id: string, row: RateSource | undefined, entry: unknown, invalid: Refuse): RateSource[] {
  if (row && (entry === undefined || entry === true)) return [row];
  if (entry === false) return row ? [{ ...row, isOff: true }] : [];
  if (!isObject(entry)) {
    invalid(`${id} must be ${row ? "false (switched off), true (as in this release), or " : ""}an object`);
    return [];
  }
  const { id: _id, isOff: _isOff, ...before } = row ?? {};
  const parsed = Row.safeParse({ ...before, ...entry });
  if (!parsed.success) {
    for (const issue of parsed.error.issues) invalid(messageOf(id, issue));
    return [];
  }
  const { note: _note, timePath, tokens, fiats, ...rest } = parsed.data;
  return [{ id, ...rest, ...(timePath && { timePath }), ...(tokens && { tokens }), ...(fiats && { fiats }) }];
}

function messageOf(id: string, issue: z.core.$ZodIssue): string {
  const field = [id, ...issue.path.map(String)].join(".");
  if (issue.code === "unrecognized_keys")
    return `${issue.keys.map((key) => `${field}.${key}`).join(", ")} is unknown; the known fields are ${Object.keys(Row.shape).join(", ")}`;
  return `${field} must be ${issue.message}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
