import { capture } from "./machine/processes.mjs";
import { Halt, inRoot, main, NODE, print } from "./machine/toolchain.mjs";

// npm run precommit: checks the style of the staged files and the types of all files, in seconds. npm run check runs all checks.
await main(async () => {
  const staged = await listStaged();
  if (staged.length === 0) return print("No staged files.");
  const style = ["@biomejs/biome/bin/biome", "check", "--staged", "--no-errors-on-unmatched", "--colors=off"];
  const checks = [run("style and lint (Biome)", style)];
  const hasTypes = staged.some((file) => /\.(?:tsx?|json)$/.test(file));
  if (hasTypes) checks.push(run("types (tsc)", ["typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", "."]));
  const found = await Promise.all(checks);
  return found.every(Boolean) ? 0 : 1;
});

async function listStaged() {
  const { code, output } = await capture("git", ["diff", "--cached", "--name-only", "--diff-filter=ACMR"]);
  if (code !== 0) throw new Halt(output.trim());
  return output.split("\n").filter(Boolean);
}

async function run(name, [bin, ...args]) {
  const { code, output } = await capture(NODE, [inRoot("node_modules", bin), ...args]);
  print(code === 0 ? `✓ ${name}` : `✗ ${name}\n${output.trim().replace(/^/gm, "    ")}`);
  return code === 0;
}
