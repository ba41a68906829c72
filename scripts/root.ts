import path from "node:path";

/** The project's folder. This file is one level below it both as source (scripts/) and built (.build/). */
export const ROOT = path.join(import.meta.dirname, "..");

/** The folder of migrations and SQL functions. */
export const DB_FOLDER = path.join(ROOT, "db");

/**
 * Returns the folder that contains `.env` and, by default, the data: that of an unpacked package, which is outside of its releases, or the
 * checkout.
 */
export function homeFolder(source: Readonly<Record<string, string | undefined>>): string {
  return source["STABLEGATE_HOME"] || ROOT;
}

/** A plain Node script that needs no build. A supervisor loads it into each of its programs. */
export const LEASH = path.join(ROOT, "scripts", "supervisor", "leash.mjs");

/** Returns the path of a built entry, such as "worker". */
export function builtEntry(name: string): string {
  return path.join(ROOT, ".build", `${name}.js`);
}

/** Returns the command that runs a program, without its arguments: that of an unpacked package, or npm's in a checkout. */
export function commandOf(program: string): string {
  return process.env["STABLEGATE_HOME"] ? `./stablegate ${program}` : `npm run ${program} --`;
}
