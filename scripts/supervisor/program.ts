import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { MEMORY } from "@/scripts/machine/memory.mjs";
import { builtEntry, homeFolder, LEASH } from "@/scripts/root";
import { watchForFreezes } from "@/scripts/supervisor/freeze-watch";
import type { LogFile } from "@/scripts/supervisor/log-file";

export interface Program {
  /** Returns the process id of the current run. */
  pid(): number | undefined;
  stop(): Promise<void>;
  /** Kills the program immediately. */
  kill(): void;
}

interface ProgramOptions {
  /** The built entry: "worker" is .build/worker.js. */
  entry: string;
  name: string;
  env: NodeJS.ProcessEnv;
  log: LogFile;
  /** The descriptor of a listening socket that the program inherits; null if it opens its own port. */
  socket?: number | null;
  print(text: string): void;
  /** Called if the program exited too many times: all programs must stop. */
  release(why: string): void;
  /** Called when the program reports that it is ready, also after a restart. */
  onReady?(): void;
}

/** The time limit for stopping a program, longer than the time that a worker allows for its callbacks. */
const STOP_MS = 22_000;
const MAX_ENDS = 5;
const CALM_MS = 60_000;
const FIRST_PAUSE_MS = 500;
/** The limits after which a program counts as frozen. Even a busy program on a busy machine reports within them. */
const FREEZE_LIMITS = { maxSilentBeats: 15, maxStartBeats: 60 };

/** Runs a program of the service, and restarts it if it exits by itself or freezes. It never outlives this process. */
export function runProgram(options: ProgramOptions): Program {
  let child = spawnProgram(options);
  let isStopping = false;
  let ends: number[] = [];
  const freezes = watchForFreezes<ChildProcess>(FREEZE_LIMITS, (frozen, beats) => {
    options.print(
      `The ${options.name} process (${frozen.pid}) has not reported for ${beats} s: it is frozen and is stopped.`,
    );
    killGroup(frozen);
  });

  const watch = () => {
    const watched = child;
    freezes.add(watched);
    watched.on("message", (message: { kind?: string }) => {
      freezes.recordHeartbeat(watched);
      if (message.kind === "ready") options.onReady?.();
    });
    watched.once("exit", (code, signal) => {
      freezes.remove(watched);
      // The exited program's child processes, such as other web processes, may still use its port.
      killGroup(watched);
      if (isStopping) return;
      const how = signal ? `was stopped by ${signal}` : `ended unexpectedly with code ${code}`;
      ends = [...ends.filter((at) => performance.now() - at < CALM_MS), performance.now()];
      if (ends.length > MAX_ENDS)
        return options.release(
          `The ${options.name} process ended ${ends.length} times within a minute; the last time it ${how}.`,
        );
      options.print(`The ${options.name} process ${how}; starting it again.`);
      setTimeout(
        () => {
          if (isStopping) return;
          child = spawnProgram(options);
          watch();
        },
        FIRST_PAUSE_MS * 2 ** (ends.length - 1),
      );
    });
  };
  watch();

  return {
    pid: () => child.pid,
    kill: () => {
      isStopping = true;
      freezes.stop();
      killGroup(child);
    },
    stop: async () => {
      isStopping = true;
      freezes.stop();
      await stopChild(child);
    },
  };
}

type SpawnOptions = Pick<ProgramOptions, "entry" | "env" | "log" | "socket"> & { args?: readonly string[] };

/** Runs a program once. It never outlives this process. */
export function runOnce(options: SpawnOptions): { ended: Promise<number>; stop(): Promise<void>; kill(): void } {
  const child = spawnProgram(options);
  const ended = new Promise<number>((resolve, reject) =>
    child.once("error", reject).once("close", (code) => resolve(code ?? 1)),
  );
  return { ended, stop: () => stopChild(child), kill: () => killGroup(child) };
}

function spawnProgram({ entry, env: settings, log, socket = null, args = [] }: SpawnOptions): ChildProcess {
  const { LISTEN_FDS: _fds, LISTEN_PID: _pid, ...rest } = settings;
  const env = socket === null ? rest : { ...rest, LISTEN_FDS: "1", LISTEN_PID: String(process.pid) };
  const flags = [...MEMORY, "--enable-source-maps", "--import", pathToFileURL(LEASH).href];
  const stdio = ["ignore", "pipe", "pipe", socket ?? "ignore", "ipc"] as const;
  const options = { cwd: homeFolder(settings), env, stdio: [...stdio], detached: true };
  const child = spawn(process.execPath, [...flags, builtEntry(entry), ...args], options);
  if (child.stdout) log.keep(child.stdout, "stdout");
  if (child.stderr) log.keep(child.stderr, "stderr");
  return child;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const force = setTimeout(() => killGroup(child), STOP_MS);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  clearTimeout(force);
}

/** Kills a program and all its child processes, which form a process group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}
