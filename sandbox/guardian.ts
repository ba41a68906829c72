/**
 * Runs one program until it exits, and stops it when the process that started this guardian exits in any way, because that closes the pipe
 * to the guardian's stdin. This file is plain Node without imports from the project, so that it needs no build.
 *
 * node guardian.ts <program> [arguments…]
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const GRACE_MS = 8_000;
/** The maximum time to wait until a program has a handler for the stop signal. */
const DEAF_MS = 1_000;
const LOOK_MS = 10;
/** SIGTERM is the fifteenth signal. */
const TERM_BIT = 1n << 14n;
const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error("guardian.ts needs a program to run");

// The handlers are registered before the program starts, because it may be stopped as soon as it reports that it is ready.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });

function stop(): void {
  askToEnd(Date.now() + DEAF_MS);
  setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
}

/** Sends SIGTERM once the program handles it. Without a handler, the program would end immediately and lose its work. */
function askToEnd(until: number): void {
  if (isListening() || Date.now() > until) child.kill("SIGTERM");
  else setTimeout(() => askToEnd(until), LOOK_MS);
}

/** Returns true if the program handles the signal. Only Linux provides this information (proc_pid_status(5)). */
function isListening(): boolean {
  try {
    const [, caught = ""] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
    return (BigInt(`0x${caught}`) & TERM_BIT) !== 0n;
  } catch {
    return true;
  }
}

process.stdin.on("end", stop).on("close", stop).on("error", stop).resume();
child.on("error", () => process.exit(127));
child.on("exit", (code) => process.exit(code ?? 1));
