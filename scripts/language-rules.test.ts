import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commentsIn, isFragment, unusualWordIn } from "@/scripts/language/comments.mjs";

/** The folders with code. Applied migrations are never edited. */
const FOLDERS = [
  "app",
  "bench",
  "chaos",
  "components",
  "contracts",
  "db",
  "e2e",
  "fuzz",
  "lib",
  "sandbox",
  "scripts",
  "testing",
  "workers",
];
const NOT_CHECKED = /^(?:scripts\/language|db\/migrations\/)/;

const comments = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|sql)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name)),
)
  .filter((file) => !NOT_CHECKED.test(file))
  .flatMap((file) => commentsIn({ path: file, text: readFileSync(file, "utf8") }));
const at = ({ file, line, text }: { file: string; line: number; text: string }) =>
  `${file}:${line} ${text.slice(0, 80)}`;

describe("the reader of comments", () => {
  const read = (text: string, path = "a.ts") => commentsIn({ path, text });

  test("finds doc comments, line comments below each other as one, and none in strings", () => {
    const text = `/** A name. */\nconst a = "/** none */";\n\n// One\n// two.\nf(); // three\n`;
    expect(read(text)).toEqual([
      { file: "a.ts", line: 1, text: "A name.", isDoc: true },
      { file: "a.ts", line: 4, text: "One\ntwo.", isDoc: false },
      { file: "a.ts", line: 6, text: "three", isDoc: false },
    ]);
    expect(read("-- One\n-- two\nSELECT 1;\n", "a.sql")).toMatchObject([{ line: 1, text: "One\ntwo" }]);
  });

  test("recognizes fragments and unusual words", () => {
    const [fragment, verb, other] = read(
      "/** Whether it is paid. */\na;\n/** Returns `told`. */\nb;\n/* What is paid. */\nc;\n",
    );
    expect([fragment, verb, other].map((comment) => comment && isFragment(comment))).toEqual([true, false, false]);
    expect(verb && unusualWordIn(verb)).toBeNull();
    expect(read("// Nobody is told.\n").map(unusualWordIn)).toEqual(["Nobody"]);
  });
});

test("the rules see all comments", () => {
  expect(comments.length).toBeGreaterThan(8_000);
});

test("doc comments start with a verb or a noun phrase", () => {
  expect(comments.filter(isFragment).map(at)).toEqual([]);
});

test("comments use the terms of the field", () => {
  expect(comments.filter((comment) => unusualWordIn(comment) !== null).map(at)).toEqual([]);
});
