/**
 * Runs one program and lives as long as it, but never longer than whoever started the guardian: its stdin is a pipe that
 * closes when that process ends, however it ends. Plain Node, without imports of the project, so that it runs unbuilt.
 *
 * node guardian.ts <program> [arguments…]
 */
import { spawn } from "node:child_process";

const GRACE_MS = 8_000;
const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error("guardian.ts needs a program to run");

const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });

function stop(): void {
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
}

process.stdin.on("end", stop).on("close", stop).on("error", stop).resume();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
child.on("error", () => process.exit(127));
child.on("exit", (code) => process.exit(code ?? 1));
