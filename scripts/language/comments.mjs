import ts from "typescript";

/**
 * A comment of a source file. `line` counts from 1; `text` has no comment marks.
 * @typedef {{ file: string, line: number, text: string, isDoc: boolean }} Comment
 */

/**
 * Returns the comments of a TypeScript, JavaScript or SQL file. Line comments below each other are one comment.
 * @returns {Comment[]}
 */
export function commentsIn({ path: file, text }) {
  const ranges = file.endsWith(".sql") ? sqlRanges(text) : scriptRanges(file, text);
  return ranges.map(({ start, end }) => {
    const raw = text.slice(start, end);
    return {
      file,
      line: text.slice(0, start).split("\n").length,
      text: raw
        .replaceAll(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/|--) ?/gm, "")
        .replace(/\*\/\s*$/, "")
        .trim(),
      isDoc: raw.startsWith("/**"),
    };
  });
}

/** The first words of fragments: doc comments of functions start with a verb, those of types and values with a noun phrase. */
const FRAGMENT = /^(?:What|Whatever|Whether|Of|As|So|Who|Whose|Whom|Whoever|Where|How|Which|When)\b/;

/** Words without a place in technical English; docs/glossary.md has the terms of the field. */
const UNUSUAL =
  /\b(?:nobody|somebody|everybody|anybody|whoever|told|tells?|telling|in words|anew|owe[ds]?|hears?|heard|(?<!case )letters?|begun|shall|drowsy|misgiven|money of the world|truth test|stories|story)\b/i;

/** Returns true for a doc comment that starts with a fragment. */
export function isFragment({ isDoc, text }) {
  return isDoc && FRAGMENT.test(text);
}

/** Returns the first unusual word of a document or message, in which letters of the alphabet are common; null if it has none. */
export function unusualTermIn({ text }) {
  const found = text.replaceAll(/`[^`]*`|"[^"]*"/g, "").matchAll(new RegExp(UNUSUAL, "gi"));
  return [...found].find(([word]) => !/^letters?$/i.test(word))?.[0] ?? null;
}

/** Returns the first unusual word of a comment; null if it has none. Code and quotations do not count. */
export function unusualWordIn({ text }) {
  return text.replaceAll(/`[^`]*`|"[^"]*"/g, "").match(UNUSUAL)?.[0] ?? null;
}

function sqlRanges(text) {
  return [...text.matchAll(/^[ \t]*--[^\n]*(?:\n[ \t]*--[^\n]*)*/gm)].map((match) => ({
    start: match.index + (match[0].length - match[0].trimStart().length),
    end: match.index + match[0].length,
  }));
}

function scriptRanges(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map();
  const add = (ranges) => {
    for (const { pos, end, kind } of ranges ?? []) found.set(pos, { start: pos, end, kind });
  };
  const visit = (node) => {
    add(ts.getLeadingCommentRanges(text, node.getFullStart()));
    add(ts.getTrailingCommentRanges(text, node.getEnd()));
    ts.forEachChild(node, visit);
  };
  visit(source);
  add(ts.getLeadingCommentRanges(text, source.endOfFileToken.getFullStart()));
  return joinLines(
    text,
    [...found.values()].toSorted((one, two) => one.start - two.start),
  );
}

function joinLines(text, ranges) {
  const joined = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const follows = last?.kind === range.kind && /^\r?\n[ \t]*$/.test(text.slice(last.end, range.start));
    if (isLine && follows) last.end = range.end;
    else joined.push({ ...range });
  }
  return joined;
}
