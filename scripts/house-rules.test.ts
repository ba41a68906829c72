import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { NETWORKS } from "@/lib/domain/networks";

const FOLDERS = [
  "app",
  "components",
  "db",
  "lib",
  "workers",
  "sandbox",
  "bench",
  "chaos",
  "fuzz",
  "e2e",
  "scripts",
  "testing",
];

const TABLE = "lib/domain/networks.ts";
/** Examples for people name this one where no network is switched on. */
const EXAMPLE = "ethereum";

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name)),
).map((file) => ({ file, text: readFileSync(file, "utf8") }));
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith("testing/");
const belowDoors = sources.filter(({ file }) => /^(lib|db)\//.test(file) && !isTest(file));
const filesWith = (files: typeof sources, pattern: RegExp) =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("the rules below look at the whole house", () => {
  expect(sources.length).toBeGreaterThan(60);
  expect(belowDoors.length).toBeGreaterThan(40);
});

test("the back office asks whose session it is before it touches a cell's database", () => {
  const office = sources.filter(({ file }) => /^app\/(dashboard\/|confirm-change)/.test(file) && !isTest(file));
  expect(office.length).toBeGreaterThan(40);
  expect(filesWith(office, /\bget(?:Cell|Order|Api)?Context\b/)).toEqual([]);
});

test("what has a name in the field bears it", () => {
  const own = /\b(?:vouch\w*|teller\w*|lesson\w*|[rR]eread\w*|[jJ]udg\w*|[sS]tray[A-Z]?\w*)\b/;
  const house = sources.filter(({ file }) => /^(app|components|db|lib|workers)\//.test(file));
  expect(filesWith(house, own)).toEqual([]);
});

test("no clock below the doors: time is an argument", () => {
  expect(filesWith(belowDoors, /new Date\(\)|Date\.now\(\)/)).toEqual([]);
});

test("only lib/config and the entry points read the environment", () => {
  expect(filesWith(belowDoors, /process\.env\b(?!\.NODE_ENV)/)).toEqual([]);
});

test("no network of the EVM family is named outside the table: a new one is a row there and nothing else", () => {
  const ids = NETWORKS.filter(({ family, id }) => family === "evm" && id !== EXAMPLE).map(({ id }) => id);
  const house = sources.filter(({ file }) => /^(app|components|db|lib|workers)\//.test(file) && !isTest(file));
  const pattern = new RegExp(`["'\`](?:${ids.join("|")})["'\`]`);
  expect(filesWith(house, pattern)).toEqual([TABLE]);
});

test("what holds in an installation is asked for, not the release's rows: its operator may have changed them", () => {
  const house = sources.filter(({ file }) => /^(app|components|db|lib|workers|sandbox)\//.test(file) && !isTest(file));
  expect(filesWith(house, /\bNETWORKS\b/)).toEqual(["lib/config/networks-file.ts", TABLE]);
});

test("nobody switches a check off", () => {
  const pattern = new RegExp(["biome", "ignore|@ts", "(?:ignore|nocheck|expect-error)|eslint", "disable"].join("-"));
  expect(filesWith(sources, pattern)).toEqual([]);
});

test("files are named in kebab-case, and none is called after nothing in particular", () => {
  const names = sources.map(({ file }) => path.basename(file).split(".")[0] ?? "");
  expect(
    names.filter((name) => !/^\[?\[?(?:\.\.\.)?[a-z0-9]+(?:-[a-z0-9]+)*\]?\]?$/.test(name) && name !== ""),
  ).toEqual([]);
  expect(names.filter((name) => /^(utils?|helpers?|common|services?|manager|types|index)$/.test(name))).toEqual([]);
});

test("left-over notes to oneself are not shipped", () => {
  expect(filesWith(sources, new RegExp(`\\b(${["TO", "DO"].join("")}|${["FIX", "ME"].join("")})\\b`))).toEqual([]);
});
