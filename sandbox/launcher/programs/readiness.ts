import { and, gt, inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { cursors } from "@/db/schema";
import { StartProblem } from "@/scripts/supervisor/problem";

const READY_MS = 90_000;
const PAUSE_MS = 100;

/** Resolves when the web process reports that it is healthy. */
export async function waitForWeb(baseUrl: string, signal: AbortSignal): Promise<void> {
  await waitUntil("the web process to respond", signal, async () => {
    const answer = await fetch(`${baseUrl}/api/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    return answer?.ok ?? false;
  });
}

/** Resolves when a worker has read each network up to its head after `since`, a time by the database's clock. */
export async function waitForWorker(
  db: Db,
  networks: readonly string[],
  since: Date,
  signal: AbortSignal,
): Promise<void> {
  await waitUntil("the worker to read each network", signal, async () => {
    const isFresh = and(inArray(cursors.network, [...networks]), gt(cursors.caughtUpAt, since));
    const rows = await db.select({ problem: cursors.problem }).from(cursors).where(isFresh);
    return rows.length === networks.length && rows.every((row) => row.problem === null);
  });
}

async function waitUntil(what: string, signal: AbortSignal, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (!(await isDone())) {
    signal.throwIfAborted();
    if (performance.now() > deadline)
      throw new StartProblem(`Waited ${READY_MS / 1_000} s for ${what}; see the logs in the data folder.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
