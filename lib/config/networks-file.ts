import * as z from "zod";
import { readJsonFile } from "@/lib/config/read-json-file";
import { nearest } from "@/lib/domain/nearest";
import { NETWORKS, type Network } from "@/lib/domain/networks";
import {
  type NetworkChange,
  type OverrideRights,
  overrideNetwork,
  RIGHT_SETTINGS,
  type TokenOverride,
} from "@/lib/domain/networks/override";
import type { Log } from "@/lib/log";

/** The networks of an installation, and their differences from the release's networks. */
export interface InstalledNetworks {
  networks: readonly Network[];
  networkChanges: readonly NetworkChange[];
}

const SETTING = "NETWORKS_FILE";

const whole = (min: number, max: number, what: string) =>
  z
    .custom<number>(
      (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
      `a whole number of ${what} from ${min} to ${max}`,
    )
    .optional();
const note = (max: number) =>
  z
    .custom<string>(
      (value) => typeof value === "string" && value.trim() !== "" && value.length <= max && !/\p{Cc}/u.test(value),
      `a string of at most ${max} characters on one line`,
    )
    .optional();
const link = (what: string) => z.custom<string>(isLink, `an http(s) URL with {} once, for ${what}`).optional();

const TokenShape = z.strictObject({
  contract: note(60),
  decimals: whole(6, 36, "decimals"),
});
const TOKEN_RULE = 'false (no new orders use it), true (as in this release), or an object such as {"contract": "0x…"}';

const Shape = z.strictObject({
  note: note(500),
  blockMs: whole(50, 600_000, "milliseconds between blocks"),
  finality: z.strictObject({ blocks: whole(1, 100_000, "blocks"), seconds: whole(1, 86_400, "seconds") }).optional(),
  pace: z
    .strictObject({
      everyMs: whole(250, 60_000, "milliseconds between readings"),
      behindMs: whole(0, 600_000, "milliseconds behind the head"),
    })
    .optional(),
  explorer: z
    .strictObject({
      name: note(40),
      tx: link("the transaction's id"),
      address: link("the address"),
      token: link("the contract"),
    })
    .optional(),
  tokens: z.record(z.string(), z.custom<boolean | TokenOverride>(isTokenEntry, TOKEN_RULE)).optional(),
  lookAlikes: z
    .record(z.string(), z.custom<boolean>(isBoolean, "false (not watched) or true (as in this release)"))
    .optional(),
});

/**
 * Reads NETWORKS_FILE, in which an operator overrides network data. Without this file, the release's rows apply. Every error is added to
 * `problems` with its path, the value and the valid form; the release's rows then apply.
 * @param given settings that are not empty; the file's path is relative to the working directory
 */
export function readNetworksFile(
  given: Readonly<Record<string, string>>,
  problems: string[],
  released: readonly Network[] = NETWORKS,
): InstalledNetworks {
  const rights = readRights(given, problems);
  const file = given[SETTING]?.trim();
  if (file === undefined) return { networks: released, networkChanges: [] };
  let isInvalid = false;
  const invalid = (problem: string) => {
    problems.push(`${SETTING}: ${problem}`);
    isInvalid = true;
  };
  const entries = readEntries(file, invalid);
  for (const [id] of entries.filter(([name]) => !released.some((row) => row.id === name)))
    invalid(`${id} in ${file} is not a network${meant(id, released)}`);
  const rows = released.map((row) => {
    const entry = entries.find(([id]) => id === row.id)?.[1];
    if (entry === undefined) return { network: row, changes: [] };
    return readRow(row, entry, rights, (path, problem) =>
      invalid(`${[row.id, ...path].join(".")} in ${file} ${problem}`),
    );
  });
  if (isInvalid) return { networks: released, networkChanges: [] };
  return { networks: rows.map(({ network }) => network), networkChanges: rows.flatMap(({ changes }) => changes) };
}

/**
 * Logs the differences of an installation's networks from the release's at startup. Differences that can lose funds are logged as
 * warnings.
 */
export function logNetworkChanges(log: Log, changes: readonly NetworkChange[]): void {
  for (const { network, note: change, isRisky } of changes) {
    const line = `${SETTING} changes ${network}: ${change}`;
    if (isRisky) log.warn({ network }, line);
    else log.info({ network }, line);
  }
}

function readRights(given: Readonly<Record<string, string>>, problems: string[]): OverrideRights {
  const isSet = (name: string) => {
    const text = given[name]?.trim();
    if (text !== undefined && text !== "1") problems.push(`${name} must be 1, or omitted`);
    return text === "1";
  };
  return {
    mayLowerSafety: isSet(RIGHT_SETTINGS.mayLowerSafety),
    mayReplaceTokens: isSet(RIGHT_SETTINGS.mayReplaceTokens),
  };
}

function readEntries(file: string, invalid: (problem: string) => void): [id: string, entry: unknown][] {
  const read = readJsonFile(file);
  if ("problem" in read) {
    invalid(read.problem);
    return [];
  }
  for (const path of read.repeated) invalid(`${path} occurs twice in ${file}; merge both entries`);
  if (isObject(read.value)) return Object.entries(read.value);
  invalid(
    `${file} contains ${shown(read.value)}; it must contain an object of networks such as {"ethereum": {"blockMs": 12000}}`,
  );
  return [];
}

type Refuse = (path: readonly string[], problem: string) => void;

function readRow(row: Network, entry: unknown, rights: OverrideRights, refuse: Refuse) {
  const parsed = Shape.safeParse(entry);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) describeIssue(issue, entry, refuse);
    return { network: row, changes: [] };
  }
  const { note, ...override } = parsed.data;
  const { network, changes, problems } = overrideNetwork(row, override, rights);
  for (const { path, note: problem } of problems) refuse(path, problem);
  const because = note === undefined ? "" : ` (${note.trim()})`;
  return { network, changes: changes.map((change) => ({ ...change, note: change.note + because })) };
}

function describeIssue(issue: z.core.$ZodIssue, entry: unknown, refuse: Refuse): void {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys) refuse([...path, key], `is unknown${hint(key, keysAt(path))}`);
    return;
  }
  const rule = issue.code === "invalid_type" ? "an object" : issue.message;
  refuse(path, `is ${shown(valueAt(entry, path))}; it must be ${rule}`);
}

function keysAt([part]: readonly string[]): string[] {
  if (part === undefined) return Object.keys(Shape.shape);
  const shapes = { finality: Shape.shape.finality, pace: Shape.shape.pace, explorer: Shape.shape.explorer };
  const shape = Object.entries(shapes).find(([name]) => name === part)?.[1];
  return Object.keys(shape?.unwrap().shape ?? {});
}

function valueAt(entry: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entry);
}

function isTokenEntry(value: unknown): boolean {
  return typeof value === "boolean" || TokenShape.safeParse(value).success;
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isLink(value: unknown): boolean {
  if (typeof value !== "string" || value.split("{}").length !== 2) return false;
  const url = URL.parse(value.replace("{}", "x0x"));
  return url !== null && /^https?:$/.test(url.protocol) && !url.host.includes("x0x") && url.username === "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function meant(id: string, released: readonly Network[]): string {
  const byAlias = released.find(({ aliases }) => aliases.includes(id.toLowerCase()));
  const ids = released.map((row) => row.id);
  return byAlias ? `; it is called "${byAlias.id}" in this release` : hint(id, ids);
}

function hint(candidate: string, known: readonly string[]): string {
  const guess = nearest(candidate, known);
  return `; ${guess ? `did you mean "${guess}"? ` : ""}Known names: ${known.join(", ")}`;
}
