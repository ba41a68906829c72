import type { ChildProcess } from "node:child_process";
import { buildProgram, endProgram } from "@/chaos/program";

/** Worker processes that compete for the same networks. */
export interface WorkerFleet {
  /** Ends a worker with SIGKILL and starts a new one in its place. */
  kill(index: number): Promise<void>;
  /** Stops a worker with SIGSTOP and continues it after `ms`. A worker that is already frozen continues first. */
  freeze(index: number, ms: number): void;
  /**
   * Ends all workers except one with SIGTERM. The remaining one keeps running, even if it was frozen. If `index` is null, all workers end.
   */
  endAllBut(index: number | null): Promise<void>;
  /** Starts a new worker in place of each worker that was ended. */
  startMissing(): void;
  /** Returns the last warnings and errors that the workers wrote. */
  complaints(): string[];
  stop(): Promise<void>;
}

const LINES_KEPT = 400;

/** Builds the worker from the current source and starts `count` instances. They end when this process ends, for any reason. */
export async function startWorkerFleet(count: number, env: Record<string, string>): Promise<WorkerFleet> {
  const program = await buildProgram("scripts/roles/worker.ts");
  const lines: string[] = [];
  const start = () =>
    program.start(env, (line) => {
      if (/"level":(20|30)\b/.test(line)) return;
      lines.push(line);
      lines.splice(0, Math.max(0, lines.length - LINES_KEPT));
    });
  const workers: (ChildProcess | null)[] = Array.from({ length: count }, start);
  let frozen: { worker: ChildProcess; timer: NodeJS.Timeout } | null = null;
  const thaw = () => {
    clearTimeout(frozen?.timer);
    frozen?.worker.kill("SIGCONT");
    frozen = null;
  };
  async function endAllBut(index: number | null): Promise<void> {
    thaw();
    const end = async (at: number) => {
      const worker = workers[at];
      workers[at] = null;
      if (worker) await endProgram(worker, "SIGTERM");
    };
    await Promise.all([...workers.keys()].filter((at) => at !== index).map(end));
  }
  return {
    freeze(index, ms) {
      thaw();
      const worker = workers[index];
      if (!worker?.kill("SIGSTOP")) return;
      frozen = { worker, timer: setTimeout(thaw, ms) };
    },
    async kill(index) {
      const worker = workers[index];
      if (worker) await endProgram(worker, "SIGKILL");
      workers[index] = start();
    },
    endAllBut,
    startMissing() {
      workers.forEach((worker, at) => {
        workers[at] = worker ?? start();
      });
    },
    complaints: () => [...lines],
    async stop() {
      await endAllBut(null);
      await program.remove();
    },
  };
}
