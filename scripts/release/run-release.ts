import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { MEMORY } from "@/scripts/machine/memory.mjs";
import type { HeldSocket } from "@/scripts/release/held-socket";

/** A running release: its supervisor, which runs the database, the web process and the worker. */
export interface RunningRelease {
  folder: string;
  /** Resolves when the supervisor ends, with its exit code and a description. */
  ended: Promise<{ code: number; how: string }>;
  /** Resolves when the web process listens and the worker runs. */
  started: Promise<unknown>;
  /** Returns the last lines that the release wrote to standard error. */
  lastErrors(): string;
  /** Stops the release gracefully, and kills it after a time limit. */
  stop(): Promise<void>;
}

interface ReleaseOptions {
  folder: string;
  home: string;
  settings: NodeJS.ProcessEnv;
  socket: HeldSocket | null;
}

/** The time limit for a graceful stop, longer than the supervisor's own. */
const STOP_MS = 28_000;
const ASK_EVERY_MS = 100;
const ASK_TIMEOUT_MS = 2_000;
const MAX_ERROR_LINES = 12;

/** Starts a release on a held socket. It never outlives this process. */
export function runRelease({ folder, home, settings, socket }: ReleaseOptions): RunningRelease {
  const { NOTIFY_SOCKET: _notify, WATCHDOG_USEC: _watchdog, LISTEN_FDS: _fds, LISTEN_PID: _pid, ...rest } = settings;
  const given = socket ? { LISTEN_FDS: "1", LISTEN_PID: String(process.pid) } : {};
  const leash = pathToFileURL(path.join(folder, "scripts", "supervisor", "leash.mjs")).href;
  const args = [...MEMORY, "--import", leash, path.join(folder, ".build", "live.js")];
  const child = spawn(path.join(folder, "bin", "node"), args, {
    cwd: home,
    env: { ...rest, ...given, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "pipe", socket?.fd ?? "ignore", "ipc"],
    detached: true,
  });
  let errors: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = [...errors, ...String(chunk).split("\n").filter(Boolean)].slice(-MAX_ERROR_LINES);
  });
  const kill = () => killGroup(child.pid);
  process.on("exit", kill);
  const ended = new Promise<{ code: number; how: string }>((resolve) => {
    child.once("error", (error) => resolve({ code: 1, how: `could not be started (${error.message})` }));
    child.once("close", (code, signal) =>
      resolve({ code: code ?? 1, how: signal ? `was stopped by ${signal}` : `ended with code ${code}` }),
    );
  });
  void ended.then(() => process.off("exit", kill));
  const started = new Promise((resolve) => {
    child.on("message", (message: { kind?: string }) => message.kind === "ready" && resolve(null));
  });
  return {
    folder,
    ended,
    started,
    lastErrors: () => errors.join("\n"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const force = setTimeout(kill, STOP_MS);
      child.kill("SIGTERM");
      await Promise.race([once(child, "exit"), ended]);
      clearTimeout(force);
      kill();
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

/**
 * Waits until a release is healthy: its web process listens, its worker runs, and /api/health/ready returns 200.
 * @returns null if it is healthy, otherwise the reason
 */
export async function waitUntilHealthy(
  release: RunningRelease,
  socket: HeldSocket | null,
  limitMs: number,
): Promise<string | null> {
  const limit = new AbortController();
  const late = pause(limitMs, `was not healthy after ${limitMs / 1_000} s`, { signal: limit.signal });
  const died = release.ended.then(({ how }) => how);
  const healthy = release.started.then(() => waitUntilReady(socket, limit.signal)).then(() => null);
  try {
    return await Promise.race([healthy, died, late]);
  } finally {
    limit.abort();
    await late.catch(() => {});
  }
}

async function waitUntilReady(socket: HeldSocket | null, signal: AbortSignal): Promise<void> {
  const origin = socket?.listening?.url;
  while (origin && !signal.aborted && (await ask(`${origin}/api/health/ready`)) !== 200)
    await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => {});
}

/** Returns the status of a response; null if there is none. */
async function ask(url: string): Promise<number | null> {
  // Only an upgrade needs this module; the process that holds the port runs all the time.
  const { get } = await import("node:http");
  return new Promise((resolve) => {
    const request = get(
      url,
      { agent: false, timeout: ASK_TIMEOUT_MS, headers: { connection: "close" } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? null);
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(null));
  });
}
