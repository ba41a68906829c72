import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { NETWORKS } from "@/lib/domain/networks";
import { INSTALLED } from "@/lib/integrations/installed";
import { functionsIn, literalSpreadsIn, tupleDeclarationsIn } from "@/scripts/structure/syntax.mjs";

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
  "sdk",
  "testing",
];

const TABLE = "lib/domain/networks.ts";
/** The network of examples in documents when no network is enabled. */
const EXAMPLE = "ethereum";

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name)),
).map((file) => ({ file, text: readFileSync(file, "utf8") }));
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith("testing/");
const belowEntryPoints = sources.filter(({ file }) => /^(lib|db)\//.test(file) && !isTest(file));
const filesWith = (files: typeof sources, pattern: RegExp) =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("the rules see all source files", () => {
  expect(sources.length).toBeGreaterThan(60);
  expect(belowEntryPoints.length).toBeGreaterThan(40);
});

test("words with a usual name in the field are not replaced by own ones", () => {
  const own = /\b(?:vouch\w*|teller\w*|lesson\w*|[rR]eread\w*|[jJ]udg\w*|[sS]tray[A-Z]?\w*)\b/;
  const product = sources.filter(({ file }) => /^(app|components|db|lib|workers)\//.test(file));
  expect(filesWith(product, own)).toEqual([]);
});

test("no clock below the entry points: time is an argument", () => {
  expect(filesWith(belowEntryPoints, /new Date\(\)|Date\.now\(\)/)).toEqual([]);
});

test("only lib/config and the entry points read the environment", () => {
  expect(filesWith(belowEntryPoints, /process\.env\b(?!\.NODE_ENV)/)).toEqual([]);
});

test("EVM networks are named in the table of networks only", () => {
  const ids = NETWORKS.filter(({ family, id }) => family === "evm" && id !== EXAMPLE).map(({ id }) => id);
  const product = sources.filter(({ file }) => /^(app|components|db|lib|workers)\//.test(file) && !isTest(file));
  const pattern = new RegExp(`["'\`](?:${ids.join("|")})["'\`]`);
  expect(filesWith(product, pattern)).toEqual([TABLE]);
});

test("networks are read from the installation's settings, not from the rows of the release", () => {
  const product = sources.filter(
    ({ file }) => /^(app|components|db|lib|workers|sandbox)\//.test(file) && !isTest(file),
  );
  expect(filesWith(product, /\bNETWORKS\b/)).toEqual(["lib/config/networks-file.ts", TABLE]);
});

test("only lib/integrations names the protocols of integrations", () => {
  const core = sources.filter(
    ({ file }) =>
      /^(app|components|db|lib|workers)\//.test(file) && !file.startsWith("lib/integrations/") && !isTest(file),
  );
  expect(INSTALLED.size).toBeGreaterThan(0);
  expect(filesWith(core, new RegExp(`\\b(?:${[...INSTALLED.keys()].join("|")})`, "i"))).toEqual([]);
});

test("no check is suppressed", () => {
  const pattern = new RegExp(["biome", "ignore|@ts", "(?:ignore|nocheck|expect-error)|eslint", "disable"].join("-"));
  expect(filesWith(sources, pattern)).toEqual([]);
});

test("files have specific names in kebab-case", () => {
  const names = sources.map(({ file }) => path.basename(file).split(".")[0] ?? "");
  expect(
    names.filter((name) => !/^\[?\[?(?:\.\.\.)?[a-z0-9]+(?:-[a-z0-9]+)*\]?\]?$/.test(name) && name !== ""),
  ).toEqual([]);
  expect(names.filter((name) => /^(utils?|helpers?|common|services?|manager|types|index)$/.test(name))).toEqual([]);
});

test("the code contains no notes of unfinished work", () => {
  expect(filesWith(sources, new RegExp(`\\b(${["TO", "DO"].join("")}|${["FIX", "ME"].join("")})\\b`))).toEqual([]);
});

describe("product code is not packed", () => {
  const product = sources
    .filter(({ file }) => /^(app|components|db|lib|workers)\/|^server\.ts$/.test(file) && !isTest(file))
    .map(({ file, text }) => ({ path: file, text }));
  const at = ({ file, line, text }: { file: string; line: number; text: string }) => `${file}:${line} ${text}`;

  test("functions have at most 60 lines, including the functions inside them", () => {
    const long = `function f() {\nfunction g() {\n${"h();\n".repeat(57)}}\n}`;
    expect(functionsIn({ path: "a.ts", text: long })).toMatchObject([{ size: 61 }, { size: 59 }]);
    const all = product.flatMap(functionsIn);
    expect(all.length).toBeGreaterThan(3_000);
    expect(all.filter(({ size }) => size > 60).map(at)).toEqual([]);
  });

  test("no object literal is spread into another one", () => {
    expect(literalSpreadsIn({ path: "a.ts", text: "f({ ...{ a, b }, c })" })).toHaveLength(1);
    expect(product.flatMap(literalSpreadsIn).map(at)).toEqual([]);
  });

  test("values that have nothing to do with each other are declared one by one", () => {
    expect(tupleDeclarationsIn({ path: "a.ts", text: "const [a, b] = [1, 2]" })).toHaveLength(1);
    expect(product.flatMap(tupleDeclarationsIn).map(at)).toEqual([]);
  });
});
