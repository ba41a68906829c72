import { readdir } from "node:fs/promises";
import path from "node:path";
import { capture } from "./machine/processes.mjs";
import { inRoot, NODE, ROOT, say } from "./machine/toolchain.mjs";

const FLOORS = ["app", "components", "lib", "db", "workers", "server.ts"];
const OUTSIDE = ["sandbox", "bench", "chaos", "fuzz", "e2e", "scripts", "testing"];

/**
 * The checks that read the code without running it; each resolves to what is wrong, in words, or null. Those of a row need
 * each other in this order; the rows take about as long as each other, on one core each.
 */
const CHECKS = [
  [
    { name: "types of pages (next typegen)", problem: () => tool("next/dist/bin/next", "typegen") },
    { name: "types (tsc)", problem: () => tool("typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", ".") },
  ],
  [
    { name: "style and lint (Biome)", problem: () => tool("@biomejs/biome/bin/biome", "ci", "--colors=off", ".") },
    { name: "floors and cycles (dependency-cruiser)", problem: brokenFloors },
    { name: "cycles between folders (dependency-cruiser)", problem: cyclesOfFolders },
    { name: "nothing unused (knip)", problem: () => tool("knip/bin/knip.js", "--no-progress", "--no-config-hints") },
  ],
];

/** Runs all checks and says what each found. @returns how many passed, and the names of those that did not */
export async function runChecks() {
  const found = await Promise.all(CHECKS.map(runRow));
  const all = found.flat();
  return {
    passed: all.filter(({ words }) => words === null).length,
    problems: all.filter(({ words }) => words !== null).map(({ name }) => name),
  };
}

async function runRow(row) {
  const found = [];
  for (const { name, problem } of row) {
    const words = await problem();
    say(words === null ? `✓ ${name}` : `✗ ${name}\n${words.replace(/^/gm, "    ")}`);
    found.push({ name, words });
  }
  return found;
}

async function tool(bin, ...args) {
  const { code, output } = await capture(NODE, [inRoot("node_modules", bin), ...args]);
  return code === 0 ? null : output.trim() || `exit code ${code}`;
}

/** A cruiser that cannot read TypeScript sees no modules and is content: so it must have seen every file. */
async function brokenFloors() {
  return cruise(".dependency-cruiser.cjs", [...FLOORS, ...OUTSIDE], () => true);
}

/** Tests may need what stands above them. */
async function cyclesOfFolders() {
  return cruise(".dependency-cruiser.folders.cjs", FLOORS, (file) => !/\.test\./.test(file));
}

async function cruise(config, folders, isSeen) {
  const args = ["--config", config, "--metrics", "--output-type", "json", ...folders];
  const cruiser = inRoot("node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
  const { code, output } = await capture(NODE, [cruiser, ...args]);
  const result = readJson(output);
  if (!result) return output.trim() || `exit code ${code}`;
  const seen = new Set(result.modules.map((module) => module.source));
  const files = (await Promise.all(FLOORS.map(typescriptIn))).flat().filter(isSeen);
  const words = [
    ...result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...files.filter((file) => !seen.has(file)).map((file) => `${file} was not looked at`),
  ];
  return words.length > 0 ? words.join("\n") : null;
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function typescriptIn(folder) {
  if (folder.endsWith(".ts")) return [folder];
  const files = await readdir(inRoot(folder), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => path.relative(ROOT, path.join(file.parentPath ?? file.path, file.name)));
}
