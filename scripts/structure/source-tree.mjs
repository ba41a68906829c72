import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const SKIPPED = /^(?:node_modules|test-results|playwright-report|\..*)$/;
const READ = /\.(?:tsx?|mjs|sql|patch)$/;

/**
 * A file of a checkout. `path` is relative to its root, with forward slashes.
 * @typedef {{ path: string, text: string }} SourceFile
 */

/** Returns the code, SQL and patch files below `root`, ordered by path. @returns {SourceFile[]} */
export function readSourceTree(root) {
  return filesBelow(root, "")
    .toSorted()
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), "utf8") }));
}

function filesBelow(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (SKIPPED.test(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(root, relative);
    return READ.test(entry.name) ? [relative] : [];
  });
}

export const isTest = (file) => /\.(?:test|spec)\.(?:tsx?|mjs)$/.test(file) || file.startsWith("testing/");

const isTypeScript = (file) => /\.tsx?$/.test(file);

/** Returns true if a file is product code: code that an installation runs, without tests, tools and the sandbox. */
export const isProductCode = (file) =>
  isTypeScript(file) &&
  !isTest(file) &&
  /^(?:(?:app|components|db|lib|workers)\/|(?:server|mounted-routes)\.ts$)/.test(file);
