import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { LEASH, ROOT } from "@/scripts/root";

/** Worker processes that compete for the same networks. */
export interface WorkerFleet {
  /** Ends a worker by SIGKILL and starts another in its place. */
  kill(index: number): Promise<void>;
  /** Stops a worker by SIGSTOP, and lets it go on after so long; one that is frozen already goes on first. */
  freeze(index: number, ms: number): void;
  /** The last lines that the workers wrote, as far as they are warnings or errors. */
  complaints(): string[];
  stop(): Promise<void>;
}

const LINES_KEPT = 400;

/** Builds the worker as it is now and starts `count` of it. They end with this process, however it ends. */
export async function startWorkerFleet(count: number, env: Record<string, string>): Promise<WorkerFleet> {
  const file = path.join(ROOT, ".build", `worker-in-chaos-${process.pid}.js`);
  const entry = path.join(ROOT, "scripts", "roles", "worker.ts");
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    packages: "external",
    logLevel: "silent",
    ...target,
  });
  const lines: string[] = [];
  const start = () => startWorker(file, env, lines);
  const workers = Array.from({ length: count }, start);
  let frozen: { worker: ChildProcess; timer: NodeJS.Timeout } | null = null;
  const thaw = () => {
    clearTimeout(frozen?.timer);
    frozen?.worker.kill("SIGCONT");
    frozen = null;
  };
  return {
    freeze(index, ms) {
      thaw();
      const worker = workers[index];
      if (!worker?.kill("SIGSTOP")) return;
      frozen = { worker, timer: setTimeout(thaw, ms) };
    },
    async kill(index) {
      const worker = workers[index];
      if (worker) await end(worker, "SIGKILL");
      workers[index] = start();
    },
    complaints: () => [...lines],
    async stop() {
      thaw();
      await Promise.all(workers.map((worker) => end(worker, "SIGTERM")));
      await rm(file, { force: true });
    },
  };
}

function startWorker(file: string, env: Record<string, string>, lines: string[]): ChildProcess {
  const args = ["--enable-source-maps", "--import", pathToFileURL(LEASH).href, file];
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const settings = { NODE_ENV: "production", LOG_LEVEL: "info", ...env };
  const child = spawn(process.execPath, args, { cwd: ROOT, env: settings as NodeJS.ProcessEnv, stdio: [...stdio] });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      lines.push(...text.split("\n").filter((line) => line && !/"level":(20|30)\b/.test(line)));
      lines.splice(0, Math.max(0, lines.length - LINES_KEPT));
    });
  }
  return child;
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
