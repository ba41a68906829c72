import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const text = readFileSync("docs/security.md", "utf8");
const ROOTED = /^(?:\.github|app|bench|chaos|components|db|deploy|docs|e2e|fuzz|lib|sandbox|scripts|testing|workers)\//;
const AT_ROOT = /^(?:[A-Z]+\.md|\.env\.example|server(?:\.integration\.test)?\.ts)$/;
const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = ""]) => name);
const files = named.filter((name) => ROOTED.test(name) || AT_ROOT.test(name));

test("every file that the threat model names exists, and so does what it links to", () => {
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((link) => !existsSync(path.join("docs", link)))).toEqual([]);
});

test("what looks like a file is looked for, and every command is one of package.json", () => {
  const missed = named.filter((name) => /\.(?:ts|tsx|mjs|md|ya?ml)$/.test(name) && !files.includes(name));
  expect(missed).toEqual([]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const commands = [...text.matchAll(/`npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

test("every chapter of the standard has its lines; each says how it stands, and brings evidence or says why not", () => {
  const rows = [...text.matchAll(/^\| (V[\d.]+[^|]*) \| (\w+) \| (.+) \|$/gm)];
  const chapters = new Set(rows.map(([, section = ""]) => Number(/^V(\d+)/.exec(section)?.[1])));
  expect([...chapters].sort((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
  for (const [, section = "", state = "", evidence = ""] of rows) {
    expect(["met", "partly", "none"], section).toContain(state);
    if (state === "met") expect(/`[^`]+`/.test(evidence) || evidence.includes("memory-safe"), section).toBe(true);
    if (state !== "met") expect(evidence.length, section).toBeGreaterThan(10);
  }
  expect(rows.filter(([, , state]) => state === "partly").length).toBeGreaterThan(4);
});
