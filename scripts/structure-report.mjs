import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { install } from "./machine/install.mjs";
import { Halt, main, print, ROOT } from "./machine/toolchain.mjs";
import { readSourceTree } from "./structure/source-tree.mjs";

await install();
const { MEASURES } = await import("./structure/measures.mjs");

const USAGE = `usage: npm run structure -- [COMMIT …] [--list MEASURE]\n\nPrints the measures of the code's structure for the working tree, beside those of the given commits.\n--list prints the locations that a measure counts in the working tree, or in the one given commit.\nMeasures: ${MEASURES.map(({ name }) => name).join(", ")}`;

await main(() => {
  const { commits, list, help } = readArguments(process.argv.slice(2));
  if (help) return print(USAGE);
  if (list) return printList(list, commits.length === 0 ? readSourceTree(ROOT) : filesOfCommit(commits[0]));
  const trees = [...commits.map(filesOfCommit), readSourceTree(ROOT)];
  printTable([...commits, "here"], trees);
});

function readArguments(args) {
  const commits = [];
  let list = null;
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === "--help" || word === "-h") return { commits, list, help: true };
    if (word === "--list") {
      index += 1;
      list = MEASURES.find(({ name }) => name === args[index]);
      if (!list) throw new Halt(`There is no measure "${args[index] ?? ""}".\n\n${USAGE}`);
    } else if (word.startsWith("-")) throw new Halt(`There is no option ${word}.\n\n${USAGE}`);
    else commits.push(word);
  }
  return { commits, list, help: false };
}

/** Returns the files of a commit, from an archive in a temporary folder: no dependency of that commit is installed. */
function filesOfCommit(commit) {
  const folder = mkdtempSync(path.join(tmpdir(), "structure-"));
  try {
    const archive = git(["archive", "--format=tar", `${commit}^{commit}`]);
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return readSourceTree(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(args) {
  try {
    return execFileSync("git", args, { cwd: ROOT, maxBuffer: 512 * 1024 * 1024, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Halt(String(error.stderr ?? error).trim());
  }
}

function printTable(titles, trees) {
  const rows = MEASURES.map((measure) => [...trees.map((files) => String(countOf(measure, files))), measure]);
  const widths = titles.map((title) => Math.max(title.length, 6));
  print(`${titles.map((title, index) => title.padStart(widths[index])).join("  ")}  measure`);
  for (const row of rows) {
    const measure = row.at(-1);
    const numbers = widths.map((width, index) => row[index].padStart(width));
    print(`${numbers.join("  ")}  ${measure.name}: ${measure.what}`);
  }
}

function countOf({ find, count }, files) {
  const found = find(files);
  return count ? count(found) : found.length;
}

function printList(measure, files) {
  for (const { file, line, text, size } of measure.find(files)) {
    const location = line === undefined ? file : `${file}:${line}`;
    print([location, size === undefined ? "" : `${size} lines`, text.split("\n")[0].trim()].filter(Boolean).join("  "));
  }
}
