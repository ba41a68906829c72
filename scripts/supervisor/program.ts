import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { MEMORY } from "@/scripts/machine/memory.mjs";
import { builtEntry, LEASH, ROOT } from "@/scripts/root";
import type { LogFile } from "@/scripts/supervisor/log-file";

export interface Program {
  /** Process id of the run of now. */
  pid(): number | undefined;
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

interface ProgramOptions {
  /** Built entry: "worker" is .build/worker.js. */
  entry: string;
  name: string;
  env: NodeJS.ProcessEnv;
  log: LogFile;
  say(text: string): void;
  /** It ended too often by itself: everything should stop. */
  giveUp(why: string): void;
}

/** Longer than a worker lets its callbacks take. */
const STOP_MS = 22_000;
const MAX_ENDS = 5;
const CALM_MS = 60_000;
const FIRST_PAUSE_MS = 500;

/** Runs a program of the service and starts it again when it ends by itself. It never outlives this process. */
export function runProgram(options: ProgramOptions): Program {
  let child = spawnProgram(options);
  let isStopping = false;
  let ends: number[] = [];

  const watch = () =>
    child.once("exit", (code, signal) => {
      if (isStopping) return;
      const how = signal ? `was ended by ${signal}` : `ended by itself with code ${code}`;
      ends = [...ends.filter((at) => performance.now() - at < CALM_MS), performance.now()];
      if (ends.length > MAX_ENDS)
        return options.giveUp(
          `The ${options.name} process ended ${ends.length} times within a minute; it last ${how}.`,
        );
      options.say(`The ${options.name} process ${how}; starting it again.`);
      setTimeout(
        () => {
          if (isStopping) return;
          child = spawnProgram(options);
          watch();
        },
        FIRST_PAUSE_MS * 2 ** (ends.length - 1),
      );
    });
  watch();

  return {
    pid: () => child.pid,
    kill: () => {
      isStopping = true;
      child.kill("SIGKILL");
    },
    stop: async () => {
      isStopping = true;
      await stopChild(child);
    },
  };
}

function spawnProgram({ entry, env, log }: ProgramOptions): ChildProcess {
  const args = [...MEMORY, "--enable-source-maps", "--import", pathToFileURL(LEASH).href, builtEntry(entry)];
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: [...stdio], detached: true });
  if (child.stdout) log.keep(child.stdout, "stdout");
  if (child.stderr) log.keep(child.stderr, "stderr");
  return child;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  clearTimeout(force);
}
