import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Line } from "@/bench/table/line";
import { startBareProcess, startWebProcess, type WebProcess } from "@/bench/web-process";
import { startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";

const WARM_TIMES = 3;

/** Measures a start without data and with existing data until the health check responds, compared with PostgreSQL and an empty Node server. */
export async function measureStarts(): Promise<Line[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-starts-"));
  await chmod(folder, 0o755);
  try {
    const bareCold = await start(path.join(folder, "bare"), false);
    const cold = await start(path.join(folder, "ours"), true);
    const [bareWarm, warm]: number[][] = [[], []];
    for (let times = 0; times < WARM_TIMES; times++) {
      bareWarm?.push(await start(path.join(folder, "bare"), false));
      warm?.push(await start(path.join(folder, "ours"), true));
    }
    const row = { part: "starts", unit: "ms", better: "less" } as const;
    const what = "PostgreSQL and an empty Node server";
    return [
      {
        ...row,
        what: "cold: from an empty folder until health responds",
        ours: cold,
        limit: { what, value: bareCold },
      },
      {
        ...row,
        what: "warm: with existing data, until health responds",
        ours: median(warm ?? []),
        limit: { what, value: median(bareWarm ?? []) },
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * Starts a server and waits for its first response.
 * @returns the milliseconds until the first response
 */
async function start(dataDir: string, isOurs: boolean): Promise<number> {
  const beganAt = performance.now();
  const server = await startEmbedded({ dataDir, port: 0, password: "bench", isPersistent: true });
  let process: WebProcess | null = null;
  try {
    const url = server.databaseUrl("postgres");
    if (isOurs) await migrate(url);
    process = isOurs ? await startWebProcess(url) : await startBareProcess();
    const answer = await fetch(`http://127.0.0.1:${process.port}/api/health/live`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`health answered ${answer.status}`);
    return performance.now() - beganAt;
  } finally {
    await process?.stop();
    await server.stop();
  }
}
