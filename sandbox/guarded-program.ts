import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { GUARDIAN } from "@/sandbox/root";

export interface GuardedProgram {
  /** The address that it listens on, as host:port. */
  address: string;
  /** The id of the process that owns it. */
  pid: number;
  /** Resolves when it has ended, for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const START_MS = 30_000;

/**
 * Runs a program that prints "Listening on <host:port or URL>". It ends with this process, even if this process is killed.
 * @throws Error with `name` and the program's output if it does not start
 */
export async function startGuarded(name: string, program: string, args: readonly string[]): Promise<GuardedProgram> {
  const guardian = spawn(process.execPath, [GUARDIAN, program, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(guardian, "exit").then(() => {});
  const address = await listeningAddress(guardian, name);
  const stop = async () => {
    guardian.kill("SIGTERM");
    await ended;
  };
  return { address, pid: guardian.pid ?? 0, ended, stop };
}

/** Waits for the line with the listening address, then discards further output. */
async function listeningAddress(guardian: ChildProcess, name: string): Promise<string> {
  const errors: string[] = [];
  guardian.stderr?.setEncoding("utf8").on("data", (text: string) => errors.push(text.slice(0, 2_000)));
  if (!guardian.stdout) throw new Error(`${name} has no output to read`);
  const lines = createInterface({ input: guardian.stdout });
  return await new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      guardian.kill("SIGTERM");
      reject(new Error(`${name} did not start: ${why}`));
    };
    const timer = setTimeout(() => fail(`no port after ${START_MS / 1_000} s`), START_MS);
    const onExit = (code: number | null) => fail(`it ended with code ${code}. ${errors.join("").trim()}`);
    guardian.once("exit", onExit);
    lines.on("line", (line) => {
      const address = /^Listening on (?:http:\/\/)?([\d.]+:\d+)/.exec(line)?.[1];
      if (!address) return;
      clearTimeout(timer);
      guardian.off("exit", onExit);
      resolve(address);
    });
  });
}
