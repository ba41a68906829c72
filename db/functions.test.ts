import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "db/functions";
const MAX_LINES = 80;

interface SqlFunction {
  file: string;
  lines: number;
  statements: string;
  strings: string[];
}

/** Returns true if the file keeps a function of the previous version until the next release drops it (db/functions/README.md). */
const isOfPreviousVersion = (text: string) =>
  /^-- Serves (?:web processes|transactions) of the previous version/.test(text);

function read(file: string): SqlFunction & { isOld: boolean } {
  const text = readFileSync(`${FOLDER}/${file}`, "utf8");
  const statements = text.replace(/^\s*--.*$/gm, "");
  // An exception reports a bug, so its message is only for developers.
  const strings = [...statements.replace(/raise exception '[^']*'/gi, "").matchAll(/'((?:[^']|'')*)'/g)].map(
    ([, string]) => string ?? "",
  );
  return { file, lines: text.trimEnd().split("\n").length, statements, strings, isOld: isOfPreviousVersion(text) };
}

const functions = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".sql"))
  .map(read);

/** Returns true for a message for users: at least three words, or two with punctuation. Codes, intervals and formats are not messages. */
const isSentence = (text: string) => /[A-Za-z]{2,}[,.:]? [A-Za-z]{2,}[,.:]? [a-z]{2,}|^[A-Z][a-z]+ [a-z]+/.test(text);

test("the functions are read", () => {
  expect(functions.length).toBeGreaterThan(20);
});

test(`a function has at most ${MAX_LINES} lines`, () => {
  expect(functions.filter(({ lines }) => lines > MAX_LINES).map(({ file, lines }) => [file, lines])).toEqual([]);
});

test("one statement inserts quotes for all reservations", () => {
  const inserts = functions.flatMap(({ file, statements }) =>
    [...statements.matchAll(/\binsert\s+into\s+quotes\b/gi)].map(() => file),
  );
  expect(inserts).toEqual(["insert-quotes.sql"]);
});

test("a function returns codes and parameters, never a sentence", () => {
  const found = functions
    .filter(({ isOld }) => !isOld)
    .flatMap(({ file, strings }) => strings.filter(isSentence).map((string) => [file, string]));
  expect(found).toEqual([]);
});

test.each([
  ["no worker has read this network since ", true],
  ["an operator closed it on ", true],
  ["Nothing is free.", true],
  ["allTaken", false],
  ["5 minutes", false],
  ["2 minutes 1 millisecond", false],
  ["YYYY-MM-DD HH24:MI", false],
  ["not found", false],
])("%j is a sentence: %s", (text, is) => expect(isSentence(text)).toBe(is));
