import path from "node:path";

/** The project's folder: this file lies one level below it both as source (sandbox/) and built (.build/). */
export const ROOT = path.join(import.meta.dirname, "..");

/** Plain Node scripts that run unbuilt. */
export const GUARDIAN = path.join(ROOT, "sandbox", "guardian.ts");
export const RUN_SOURCE = path.join(ROOT, "sandbox", "run-source.ts");
export const SOLANA_NODE = path.join(ROOT, "sandbox", "solana", "main.ts");
export const LEASH = path.join(ROOT, "sandbox", "leash.ts");

/** A built entry, such as "worker". */
export function builtEntry(name: string): string {
  return path.join(ROOT, ".build", `${name}.js`);
}
