import { readdir } from "node:fs/promises";
import path from "node:path";
import { capture } from "./machine/processes.mjs";
import { inRoot, NODE, print, ROOT } from "./machine/toolchain.mjs";
import { folderCycles } from "./structure/folder-cycles.mjs";
import { isProductCode } from "./structure/source-tree.mjs";

const LAYERS = ["app", "components", "lib", "db", "workers", "server.ts", "mounted-routes.ts"];
const TOOLS = ["sandbox", "bench", "chaos", "fuzz", "e2e", "scripts", "sdk", "testing"];

/**
 * The checks that read the code without running it. Each resolves to an error message, or null. The checks of a row run in order because
 * each depends on the previous one. The rows take about equally long and use one core each.
 */
const CHECKS = [
  [
    { name: "types of pages (next typegen)", problem: () => tool("next/dist/bin/next", "typegen") },
    { name: "types (tsc)", problem: () => tool("typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", ".") },
  ],
  [
    { name: "style and lint (Biome)", problem: () => tool("@biomejs/biome/bin/biome", "ci", "--colors=off", ".") },
    { name: "layers and cycles (dependency-cruiser)", problem: checkImports },
    { name: "no unused code (knip)", problem: () => tool("knip/bin/knip.js", "--no-progress", "--no-config-hints") },
  ],
];

/** Runs all checks and prints the findings of each. @returns the number of passed checks, and the names of the failed ones */
export async function runChecks() {
  const found = await Promise.all(CHECKS.map(runRow));
  const all = found.flat();
  return {
    passed: all.filter(({ message }) => message === null).length,
    problems: all.filter(({ message }) => message !== null).map(({ name }) => name),
  };
}

async function runRow(row) {
  const found = [];
  for (const { name, problem } of row) {
    const message = await problem();
    print(message === null ? `✓ ${name}` : `✗ ${name}\n${message.replace(/^/gm, "    ")}`);
    found.push({ name, message });
  }
  return found;
}

async function tool(bin, ...args) {
  const { code, output } = await capture(NODE, [inRoot("node_modules", bin), ...args]);
  return code === 0 ? null : output.trim() || `exit code ${code}`;
}

/**
 * Checks the layers, and that no folders import each other, including parent and child. A dependency-cruiser that cannot read TypeScript
 * finds no modules and no violations, so this also checks that it read every file.
 */
async function checkImports() {
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", ...LAYERS, ...TOOLS];
  const cruiser = inRoot("node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
  const { code, output } = await capture(NODE, [cruiser, ...args]);
  const result = readJson(output);
  if (!result) return output.trim() || `exit code ${code}`;
  const read = new Set(result.modules.map((module) => module.source));
  const files = (await Promise.all(LAYERS.map(typescriptIn))).flat();
  const problems = [
    ...result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...folderCycles(importsOfProduct(result.modules)).map((folders) => `no-folder-cycles: ${folders.join(" ⇄ ")}`),
    ...files.filter((file) => !read.has(file)).map((file) => `dependency-cruiser did not read ${file}`),
  ];
  return problems.length > 0 ? problems.join("\n") : null;
}

/** Returns the imports within product code. Tests are ignored, because they may import from any layer. */
function importsOfProduct(modules) {
  return modules
    .filter(({ source }) => isProductCode(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
    .filter(([, target]) => isProductCode(target));
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
