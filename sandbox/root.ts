import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { builtEntry, ROOT } from "@/scripts/root";

/** The paths of Node scripts that run without a build. */
export const GUARDIAN = path.join(ROOT, "sandbox", "guardian.ts");
export const RUN_SOURCE = path.join(ROOT, "sandbox", "run-source.ts");
const SOLANA_NODE = path.join(ROOT, "sandbox", "solana", "main.ts");

/** Returns the arguments of Node that run the local Solana chain: its source in a checkout, and its built entry in a package. */
export function solanaNode(): string[] {
  return existsSync(SOLANA_NODE)
    ? ["--import", pathToFileURL(RUN_SOURCE).href, SOLANA_NODE]
    : [builtEntry("solana-node")];
}
