import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const DOCS = ["docs/security.md", "docs/security/asvs.md"];
const ROOTED = /^(?:\.github|app|bench|chaos|components|db|deploy|docs|e2e|fuzz|lib|sandbox|scripts|testing|workers)\//;
const AT_ROOT = /^(?:[A-Z]+\.md|\.env\.example|mounted-routes\.ts|server(?:\.integration\.test)?\.ts)$/;

describe.each(DOCS)("%s", (doc) => {
  const text = readFileSync(doc, "utf8");
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = ""]) => name);
  const files = named.filter((name) => ROOTED.test(name) || AT_ROOT.test(name));

  test("every file that it names exists, and so does what it links to", () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    const own = links.filter((link) => !link.startsWith("https://"));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((link) => !existsSync(path.join(path.dirname(doc), link)))).toEqual([]);
  });

  test("what looks like a file is looked for, and every command is one of package.json", () => {
    const missed = named.filter((name) => /\.(?:ts|tsx|mjs|md|ya?ml)$/.test(name) && !files.includes(name));
    expect(missed).toEqual([]);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = [...text.matchAll(/`npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});

/** The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0. They come first in a section and are numbered from 1. */
const SECTIONS: Readonly<Record<number, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};
const WANTED = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
  counts.flatMap((count, section) => Array.from({ length: count }, (_, at) => `V${chapter}.${section + 1}.${at + 1}`)),
);

/** Expands ranges: "V1.2.6 to V1.2.8, V2.1.1" → each number. */
function numbersOf(text: string): string[] {
  return text.split(", ").flatMap((part) => {
    const [from = "", to = from] = part.split(" to ");
    const section = from.replace(/\d+$/, "");
    const first = Number(/\d+$/.exec(from));
    const last = Number(/\d+$/.exec(to));
    return Array.from({ length: last - first + 1 }, (_, at) => `${section}${first + at}`);
  });
}

describe("every requirement of levels 1 and 2", () => {
  const text = readFileSync("docs/security/asvs.md", "utf8");
  const rows = [...text.matchAll(/^\| (V[^|]+) \| [^|]+ \| ([\w ]+) \| (.+) \|$/gm)];

  test("has its line, once", () => {
    expect(WANTED).toHaveLength(253);
    const reported = rows.flatMap(([, numbers = ""]) => numbersOf(numbers));
    expect(reported.toSorted()).toEqual(WANTED.toSorted());
  });

  test("has its status, and evidence or the missing part", () => {
    for (const [, numbers = "", state = "", evidence = ""] of rows) {
      expect(["met", "partly", "not met", "none"], numbers).toContain(state);
      if (state === "met") expect(evidence, numbers).toMatch(/`[^`]+`/);
      if (state !== "none") expect(evidence.length, numbers).toBeGreaterThan(10);
    }
  });
});
