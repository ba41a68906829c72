import path from "node:path";

/** The project's folder. This file is one level below it both as source (scripts/) and built (.build/). */
export const ROOT = path.join(import.meta.dirname, "..");

/** A plain Node script that needs no build. A supervisor loads it into each of its programs. */
export const LEASH = path.join(ROOT, "scripts", "supervisor", "leash.ts");

/** Returns the path of a built entry, such as "worker". */
export function builtEntry(name: string): string {
  return path.join(ROOT, ".build", `${name}.js`);
}
