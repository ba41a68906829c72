import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ARCHITECTURE: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Returns the path of the anvil program inside node_modules.
 * @throws Error on a machine that anvil is not built for
 */
export function anvilBinary(): string {
  const architecture = ARCHITECTURE[process.arch] ?? process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const parent = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json");
  const folders = [path.join(path.dirname(parent), "../.."), path.join(path.dirname(parent), "node_modules")];
  const file = folders.map((folder) => path.join(folder, name, "bin", "anvil")).find(existsSync);
  if (file) return file;
  throw new Error(
    `anvil, which runs the local chain, has no binary for ${process.platform} on ${process.arch}: package ${name} is not in node_modules. Run npm ci without --omit=optional, on Linux or macOS.`,
  );
}
