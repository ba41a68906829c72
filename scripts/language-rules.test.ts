import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commentsIn, isFragment, unusualTermIn, unusualWordIn } from "@/scripts/language/comments.mjs";
import { messagesIn } from "@/scripts/language/messages.mjs";
import { namesIn, unusualPartOf } from "@/scripts/language/names.mjs";

/** The folders with code. Migrations are excluded, because applied migrations are never edited. */
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
  "sdk",
  "testing",
  "workers",
];
const NOT_CHECKED = /^(?:scripts\/language|db\/migrations\/)/;

const files = FOLDERS.flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs|sql)$/)).filter(
  (file) => !NOT_CHECKED.test(file),
);
const comments = files.flatMap((file) => commentsIn({ path: file, text: readFileSync(file, "utf8") }));
const messages = files
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && file !== "scripts/language-rules.test.ts")
  .flatMap((file) => messagesIn({ path: file, text: readFileSync(file, "utf8") }));

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

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

describe("the reader of messages", () => {
  const read = (text: string) => messagesIn({ path: "a.tsx", text });

  test("finds strings, templates and texts of elements with three words, and no statements", () => {
    const text =
      'const a = "Nobody was told.";\nconst b = `Set $' +
      '{name} to a URL`;\n<p>No user is here</p>;\nconst c = sql`select told from a`;\nconst d = "one two";';
    expect(read(text)).toEqual([
      { file: "a.tsx", line: 1, text: "Nobody was told." },
      { file: "a.tsx", line: 2, text: "Set … to a URL" },
      { file: "a.tsx", line: 3, text: "No user is here" },
    ]);
    expect(read(text).map(unusualTermIn)).toEqual(["Nobody", null, null]);
  });
});

test("messages and names of tests use the terms of the field", () => {
  expect(messages.length).toBeGreaterThan(6_000);
  expect(messages.filter((message) => unusualTermIn(message) !== null).map(at)).toEqual([]);
});

/** Stored or published names: keys of JSON in the database, kinds of notifications, a field of /api/health. */
const KEPT_NAMES: ReadonlySet<string> = new Set(["said", "says", "networkTrouble", "addressTampered", "last_heard_at"]);

describe("the reader of names", () => {
  const read = (text: string) => namesIn({ path: "a.ts", text });

  test("finds declared functions, values, parameters, types and properties, and no uses", () => {
    const text =
      "interface Box { isTold: boolean }\nconst { wasHeard } = sent;\nfunction tellAll(MOST_ROWS: number) { said(MOST_ROWS); }";
    expect(read(text).map(({ line, text: name }) => [line, name])).toEqual([
      [1, "Box"],
      [1, "isTold"],
      [2, "wasHeard"],
      [3, "tellAll"],
      [3, "MOST_ROWS"],
    ]);
    expect(read(text).map(unusualPartOf)).toEqual([null, "Told", "Heard", "tell", "MOST"]);
    expect(unusualPartOf({ text: "almostThere" })).toBeNull();
  });
});

test("names use the terms of the field", () => {
  const names = files
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap((file) => namesIn({ path: file, text: readFileSync(file, "utf8") }));
  expect(names.length).toBeGreaterThan(60_000);
  expect(names.filter((name) => unusualPartOf(name) !== null && !KEPT_NAMES.has(name.text)).map(at)).toEqual([]);
});

test("documents use the terms of the field", () => {
  const documents = ["README.md", "SECURITY.md", "CONTRIBUTING.md", ".env.example", ...filesIn("docs", /\.md$/)];
  const lines = documents.flatMap((file) =>
    readFileSync(file, "utf8")
      .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ""))
      .split("\n")
      .map((text, index) => ({ file, line: index + 1, text })),
  );
  expect(lines.length).toBeGreaterThan(3_000);
  expect(lines.filter((line) => unusualTermIn(line) !== null).map(at)).toEqual([]);
});
