import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll } from "vitest";
import { LEASH } from "@/scripts/root";
import { TEST_APP_SECRET } from "@/testing/database/seed";

export interface WorkerProcess {
  pid: number;
  /** Returns the worker's output so far. */
  output(): string;
  /** Resolves to the exit code, or to null if a signal ended it. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/**
 * Starts workers as real processes, so that they can be killed. Workers that are still running are ended after each test.
 * @param root of the project whose source is started
 */
export function useWorkers(root = "."): Programs {
  return usePrograms(root, "scripts/roles/worker.ts");
}

/** Starts web processes without Next's pages, in the same way as `useWorkers` starts workers. */
export function useWebs(root = "."): Programs {
  return usePrograms(root, "testing/web-program.ts");
}

interface Programs {
  /**
   * Starts a program with these settings.
   * @param socket the file descriptor of a socket that is already listening, as passed by a service manager
   */
  start(env: Record<string, string>, socket?: number): WorkerProcess;
}

/** A shell that sets LISTEN_PID to its own process id and then becomes the program. The id is not available before the process starts. */
const HANDED_OVER = ["/bin/sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', "sh"];

function usePrograms(root: string, source: string): Programs {
  const file = path.resolve(root, ".build", `${path.basename(source, ".ts")}-under-test-${process.pid}.js`);
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    const target = { platform: "node", format: "esm", target: "node24" } as const;
    await build({
      entryPoints: [path.resolve(root, source)],
      outfile: file,
      bundle: true,
      packages: "external",
      jsx: "automatic",
      ...target,
    });
  });
  afterEach(async () => {
    await Promise.all([...running].map((child) => end(child, "SIGKILL")));
  });
  afterAll(() => rm(file, { force: true }));

  function start(env: Record<string, string>, socket?: number): WorkerProcess {
    const settings = {
      NODE_ENV: "production" as const,
      APP_SECRET: TEST_APP_SECRET,
      PUBLIC_URL: "http://localhost:3000",
      LOG_LEVEL: "debug",
      // With this setting, transfers without a waiting payer are detected immediately.
      IDLE_READING: "always",
      ...env,
    };
    const program = [process.execPath, "--import", pathToFileURL(LEASH).href, file];
    const [command = "", ...args] = socket === undefined ? program : [...HANDED_OVER, ...program];
    const stdio: StdioOptions = ["ignore", "pipe", "pipe", socket ?? "ignore", "ipc"];
    const child = spawn(command, args, { cwd: root, env: settings, stdio });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => output.push(text));
    return { pid: child.pid ?? 0, output: () => output.join(""), end: (signal) => end(child, signal) };
  }
  return { start };
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
  return child.exitCode;
}
