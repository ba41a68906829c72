import path from "node:path";

/** The project's folder. This file is one level below it both as source (scripts/) and built (.build/). */
export const ROOT = path.join(import.meta.dirname, "..");

/** A plain Node script that runs unbuilt: what a supervisor loads into each of its programs. */
export const LEASH = path.join(ROOT, "scripts", "supervisor", "leash.ts");

/** A built entry, such as "worker". */
export function builtEntry(name: string): string {
  return path.join(ROOT, ".build", `${name}.js`);
}
