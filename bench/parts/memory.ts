import { measureTimes } from "@/bench/load";
import { MANY_CONNECTIONS, OrderBench } from "@/bench/orders";
import type { Line, Row } from "@/bench/table/line";
import { type ServiceProcess, startBareProcess, startWebProcess, startWorkerProcess } from "@/bench/web-process";
import { startWorld } from "@/bench/world";

const FIRST = 10_000;
const MORE = 30_000;
const SAMPLE_MS = 250;

/** Measures the memory of the processes when idle and under load, and the growth of memory in use with the amount of work done. */
export async function measureMemory(): Promise<Line[]> {
  const world = await startWorld();
  const { databaseUrl } = world;
  const web = await startWebProcess(databaseUrl, { hasPages: true });
  const [worker, bare] = await Promise.all([startWorkerProcess(databaseUrl), startBareProcess()]);
  const bench = new OrderBench(world, web);
  try {
    const at = async (process: ServiceProcess) => {
      const { rssBytes, heapBytes = Number.NaN } = await process.memory();
      return { rss: rssBytes / 2 ** 20, heap: heapBytes / 2 ** 20 };
    };
    const rest = { web: await at(web), worker: await at(worker), bare: await at(bare) };
    let maximum = 0;
    const timer = setInterval(() => {
      void web.usage().then(({ rssBytes }) => {
        maximum = Math.max(maximum, rssBytes / 2 ** 20);
      });
    }, SAMPLE_MS);
    await measureTimes(FIRST, MANY_CONNECTIONS, bench.create).finally(() => clearInterval(timer));
    const early = await at(web);
    await measureTimes(MORE, MANY_CONNECTIONS, bench.create);
    const late = await at(web);
    const row = (what: string, ours: number, limit: Row["limit"]): Row => ({
      part: "memory",
      what,
      unit: "MB",
      ours,
      limit,
      better: "less",
    });
    const single = { what: "an empty Node server", value: rest.bare.rss };
    return [
      row("web process, idle", rest.web.rss, single),
      row("worker process, idle", rest.worker.rss, single),
      row(`web process, ${MANY_CONNECTIONS} connections creating`, maximum, { what: "at rest", value: rest.web.rss }),
      row(`objects retained after ${FIRST + MORE} creates`, late.heap, { what: `after ${FIRST}`, value: early.heap }),
    ];
  } finally {
    bench.close();
    await Promise.all([web.stop(), worker.stop(), bare.stop()]);
    await world.close();
  }
}
