import type { CellPlace } from "@/lib/config/cells";
import type { Env } from "@/lib/config/env";
import type { Budget } from "@/lib/domain/networks/budget";
import { startWorker, type Worker, type WorkerOptions } from "@/workers/main";

/**
 * Starts a worker for each cell of the settings in this process. They share nothing but the process: each has connections, leases
 * and loops of its own, so that a cell whose database is away holds up no other.
 * @throws Error in words where a database is reached in a way that cannot work; then nothing runs
 */
export async function startWorkers(options: WorkerOptions): Promise<Worker> {
  const { env } = options;
  const places = env.cells.length > 1 ? env.cells : [null];
  const started = await Promise.allSettled(
    places.map((place, index) => startWorker(place ? ofCell(options, place, index === 0) : options)),
  );
  const workers = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async () => void (await Promise.all(workers.map((worker) => worker.stop())));
  const failed = started.find((one) => one.status === "rejected");
  if (!failed) return { stop };
  await stop();
  throw failed.reason;
}

/** The port of numbers is one, and the first cell's. What endpoints may be asked is shared out, for each cell asks for itself. */
function ofCell({ env, log, ...options }: WorkerOptions, place: CellPlace, isFirst: boolean): WorkerOptions {
  const { cell, ...urls } = place;
  const own = { ...urls, cells: [place], budgets: shareOf(env.budgets, env.cells.length) };
  const workerMetricsPort = isFirst ? env.workerMetricsPort : null;
  // One cell's worker reports for the machine.
  const machineFolders = isFirst ? env.machineFolders : null;
  return { ...options, env: { ...env, ...own, workerMetricsPort, machineFolders }, log: log.child({ cell }) };
}

function shareOf(budgets: Env["budgets"], cells: number): Env["budgets"] {
  const part = (budget: Budget) =>
    Object.fromEntries(Object.entries(budget).map(([name, most]) => [name, Math.max(1, Math.floor(most / cells))]));
  return new Map([...budgets].map(([network, all]) => [network, all.map(part)]));
}
