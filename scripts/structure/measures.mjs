import { folderCycles } from "./folder-cycles.mjs";
import { importsBetween } from "./imports.mjs";
import { isProductCode, isTest } from "./source-tree.mjs";
import { functionsIn, literalSpreadsIn, problemSentencesIn, tupleDeclarationsIn } from "./syntax.mjs";

/** The maximum number of lines of a function. */
export const MAX_FUNCTION_LINES = 60;

const INTEGRATION_FOLDERS = /^lib\/(?:integrations|dialects)\//;
const PROTOCOL = /\b(?:epay|epusdt|greenfield)\b/;
const PROTOCOL_ANY_CASE = /\b(?:epay|epusdt|greenfield)/i;

/** The measures of the code's structure. `name` is the option of --list; `count` returns the number if it is not the number of findings. */
export const MEASURES = [
  {
    name: "protocols",
    what: "files in lib, db, workers that name a protocol, outside lib/integrations",
    find: (files) => filesWith(files.filter(inCore), PROTOCOL),
  },
  {
    name: "protocols-everywhere",
    what: "the same, ignoring case, and also in components, app and server.ts",
    find: (files) => {
      const product = files.filter((file) => isProductCode(file.path) || isSqlFunction(file.path));
      return filesWith(product.filter(outsideIntegrations), PROTOCOL_ANY_CASE);
    },
  },
  {
    name: "deposits",
    what: "core files that mention deposits (lib, db, workers without lib/http, lib/reports and files named after deposits)",
    find: (files) => {
      const core = files.filter(inCore).filter(({ path }) => !/deposit|^lib\/(?:http|reports)\//.test(path));
      return filesWith(core, /deposit/i);
    },
  },
  {
    name: "quote-inserts",
    what: "INSERT INTO quotes",
    find: (files) => linesWith(files.filter(inCore), /\binsert into quotes\b/i),
  },
  {
    name: "quote-functions",
    what: "files with INSERT INTO quotes",
    find: (files) => filesWith(files.filter(inCore), /\binsert into quotes\b/i),
  },
  {
    name: "sql-functions",
    what: "SQL functions over 80 lines (CREATE to the end of its body)",
    find: (files) => sqlFunctions(files).filter(({ size }) => size > 80),
  },
  {
    name: "longest-sql-function",
    what: "lines of the longest SQL function",
    find: (files) => longest(sqlFunctions(files)),
    count: sizeOfFirst,
  },
  {
    name: "problem-sites",
    what: "sites that build a problem in lib, app, db, workers (wrong(, new AppError(, fieldError()",
    find: (files) =>
      linesWith(
        files.filter(({ path }) => isProductCode(path) && !path.startsWith("components/")),
        /\b(?:wrong|new AppError|fieldError)\(/,
      ),
  },
  {
    name: "problem-sentences",
    what: "sites that put an English sentence into a problem (syntax tree), except in lib/config",
    find: (files) => product(files).filter(outsideConfig).flatMap(problemSentencesIn),
  },
  {
    name: "config-sentences",
    what: "the same in lib/config: start-up errors, which are printed in a terminal in English",
    find: (files) => product(files).filter(inConfig).flatMap(problemSentencesIn),
  },
  {
    name: "literal-spreads",
    what: "object spreads of literals in product code",
    find: (files) => product(files).flatMap(literalSpreadsIn),
  },
  {
    name: "tuple-declarations",
    what: "declarations of several variables from an array literal in product code",
    find: (files) => product(files).flatMap(tupleDeclarationsIn),
  },
  {
    name: "functions-over-50",
    what: "functions with a body over 50 lines in product code",
    find: (files) => functionsLongerThan(files, 50),
  },
  {
    name: "functions-over-60",
    what: `functions with a body over ${MAX_FUNCTION_LINES} lines in product code`,
    find: (files) => functionsLongerThan(files, MAX_FUNCTION_LINES),
  },
  {
    name: "longest-function",
    what: "lines of the longest function in product code",
    find: (files) => longest(product(files).flatMap(functionsIn)),
    count: sizeOfFirst,
  },
  {
    name: "folder-cycles",
    what: "groups of folders that depend on each other, without parents and children",
    find: (files) =>
      folderCycles(importsBetween(product(files))).map((folders) => ({ file: folders[0], text: folders.join(" ⇄ ") })),
  },
  {
    name: "driver-patch",
    what: "lines of the patches in patches/",
    find: (files) => files.filter(({ path }) => path.endsWith(".patch")).map(wholeFile),
    count: (found) => found.reduce((sum, { size }) => sum + size, 0),
  },
  {
    name: "prototype-overrides",
    what: "lines that name a prototype: overrides of other packages",
    find: (files) => linesWith(product(files), /\.prototype\b/),
  },
  {
    name: "validation-idioms",
    what: "idioms of request validation in product code (fields, readers that throw, zod), each with its files",
    find: validationIdioms,
  },
  {
    name: "product-lines",
    what: "lines of product code",
    find: (files) => product(files).map(wholeFile),
    count: (found) => found.reduce((sum, { size }) => sum + size, 0),
  },
];

/** Returns the functions of product code whose body has more than `max` lines, the longest first. */
export function functionsLongerThan(files, max) {
  const functions = product(files).flatMap(functionsIn);
  return functions.filter(({ size }) => size > max).toSorted((a, b) => b.size - a.size);
}

const product = (files) => files.filter(({ path }) => isProductCode(path));
const inConfig = ({ path }) => path.startsWith("lib/config/");
const outsideConfig = (file) => !inConfig(file);
const isSqlFunction = (path) => /^db\/functions\/.*\.sql$/.test(path);
const outsideIntegrations = ({ path }) => !INTEGRATION_FOLDERS.test(path);

function inCore({ path }) {
  const isCode = /\.tsx?$/.test(path) && /^(?:lib|db|workers)\//.test(path);
  return (isCode || isSqlFunction(path)) && !isTest(path) && !INTEGRATION_FOLDERS.test(path);
}

/** A pattern for the paths of code that parses client requests. Other code parses files and the responses from nodes and other services. */
const REQUEST_CODE = /^(?:app|lib\/(?:domain|http|integrations|merchants|orders|plugins|receivers|users))\//;
const IDIOMS = [
  { text: "fields of lib/domain/fields", pattern: /\b(?:fieldsReader|formReader|formText|readForm|requestOf)\(/ },
  { text: "readers that throw the problem of a field", pattern: /\bthrow invalidField\(/ },
  { text: "zod", pattern: /from "zod"/ },
];

function validationIdioms(files) {
  const requestCode = product(files).filter(({ path }) => REQUEST_CODE.test(path));
  return IDIOMS.flatMap(({ text, pattern }) => {
    const found = filesWith(requestCode, pattern);
    return found.length === 0 ? [] : [{ file: found[0].file, text: `${text}: ${found.length} files` }];
  });
}

function filesWith(files, pattern) {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => ({ file: path, text: "" }));
}

function linesWith(files, pattern) {
  return files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [{ file: path, line: index + 1, text: line.trim() }] : [])),
  );
}

function sqlFunctions(files) {
  return files
    .filter(({ path }) => isSqlFunction(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION (\w+)[\s\S]*?^\$\$;/gim)].map((match) => ({
        file: path,
        line: text.slice(0, match.index).split("\n").length,
        text: match[1],
        size: match[0].split("\n").length,
      })),
    );
}

function longest(found) {
  return found.toSorted((a, b) => b.size - a.size).slice(0, 1);
}

function sizeOfFirst(found) {
  return found[0]?.size ?? 0;
}

function wholeFile({ path, text }) {
  return { file: path, text: "", size: text.split("\n").length - 1 };
}
