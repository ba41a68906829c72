import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { LEASH, ROOT } from "@/scripts/root";

/** A program of the service, built from the current source. */
export interface BuiltProgram {
  /** Starts the program with arguments. It ends when this process ends, for any reason. `onLine` receives each line that it writes. */
  start(env: Record<string, string>, onLine: (line: string) => void, args?: readonly string[]): ChildProcess;
  remove(): Promise<void>;
}

/**
 * Builds a program of the service.
 * @param entry the path of its source, relative to the project's folder
 */
export async function buildProgram(entry: string): Promise<BuiltProgram> {
  const file = path.join(ROOT, ".build", `${path.basename(entry, ".ts")}-in-chaos-${process.pid}.js`);
  const target = { platform: "node", format: "esm", target: "node24", jsx: "automatic" } as const;
  await build({
    entryPoints: [path.join(ROOT, entry)],
    outfile: file,
    bundle: true,
    packages: "external",
    logLevel: "silent",
    ...target,
  });
  return { start: (env, onLine, args = []) => start(file, args, env, onLine), remove: () => rm(file, { force: true }) };
}

function start(
  file: string,
  given: readonly string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): ChildProcess {
  const args = ["--enable-source-maps", "--import", pathToFileURL(LEASH).href, file, ...given];
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const settings = { NODE_ENV: "production", LOG_LEVEL: "info", ...env };
  const child = spawn(process.execPath, args, { cwd: ROOT, env: settings as NodeJS.ProcessEnv, stdio: [...stdio] });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => text.split("\n").filter(Boolean).forEach(onLine));
  return child;
}

/** Ends a program and waits until it has ended. Does nothing if it has already ended. */
export async function endProgram(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
