import path from "node:path";
import { pathToFileURL } from "node:url";
import { type GuardedProgram, startGuarded } from "@/sandbox/guarded-program";
import { RUN_SOURCE } from "@/sandbox/root";
import { ROOT } from "@/scripts/root";

/** Runs a program of the bench from its source, in a process that ends with this one. `file` is below `bench/`. */
export function runUnbuilt(name: string, file: string, args: readonly string[] = []): Promise<GuardedProgram> {
  const source = path.join(ROOT, "bench", file);
  return startGuarded(name, process.execPath, ["--import", pathToFileURL(RUN_SOURCE).href, source, ...args]);
}
