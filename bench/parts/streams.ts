import { Listeners, OPEN_CONCURRENCY } from "@/bench/listeners";
import { Connection, measureTimes } from "@/bench/load";
import { seedHead } from "@/bench/page";
import type { Line, Row } from "@/bench/table/line";
import { startBareProcess, startWebProcess, type WebProcess } from "@/bench/web-process";
import { startWorld, type World } from "@/bench/world";
import { announceOrders } from "@/db/queries/orders/order-moves";

const STREAMS = 4_000;
const CONNECTIONS = 32;

/** Measures open event streams: the memory of each, and the time until all of them receive a change. */
export async function measureStreams(): Promise<Line[]> {
  const world = await startWorld();
  await seedHead(world);
  const [web, bare] = await Promise.all([startWebProcess(world.databaseUrl), startBareProcess()]);
  try {
    const ids = await createOrders(world, web);
    const limit = await open(bare, ids);
    limit.listeners.close();
    const ours = await open(web, ids);
    const row = (what: string, unit: string, value: number, other: Row["limit"], better: Row["better"]): Row => ({
      part: "streams",
      what,
      unit,
      ours: value,
      limit: other,
      better,
    });
    const beganAt = performance.now();
    const received = ours.listeners.listen(2);
    await world.pool.db.transaction(async (tx) =>
      announceOrders(
        tx,
        ids.map((id) => ({ id, version: 2 })),
      ),
    );
    await received;
    const receivedMs = performance.now() - beganAt;
    ours.listeners.close();
    const what = "kept open by Node alone";
    return [
      row(
        "event streams kept open, of those requested",
        "streams",
        ours.held,
        { what: "asked for", value: STREAMS },
        "more",
      ),
      row(`memory per stream with ${STREAMS} streams`, "KB", ours.kilobytes, { what, value: limit.kilobytes }, "less"),
      row("streams opened", "/s", ours.perSecond, { what, value: limit.perSecond }, "more"),
      row(
        `a change of all their orders on all ${STREAMS}`,
        "ms",
        receivedMs,
        { what: "the limit of 2 s", value: 2_000 },
        "less",
      ),
    ];
  } finally {
    await Promise.all([web.stop(), bare.stop()]);
    await world.close();
  }
}

async function createOrders(world: World, { port }: WebProcess): Promise<string[]> {
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port, world.apiKey));
  const ids: string[] = [];
  await measureTimes(STREAMS, CONNECTIONS, async (index, worker) => {
    const json = `{"currency":"USDT","network":"ethereum","amount":${index + 1},"mch_order_id":"stream-${index}"}`;
    const answer = await connections[worker]?.post("/api/v1/pay/sdk/order/add", json);
    ids.push(/"trade_id":"(\w+)"/.exec(answer ?? "")?.[1] ?? "");
  });
  for (const connection of connections) connection.close();
  return ids;
}

/** Opens a stream for each order. Measures resident memory, because it determines the cost of an installation. */
async function open(process: WebProcess, ids: readonly string[]) {
  const warm = new Listeners(process.port);
  await warm.open(ids.slice(0, OPEN_CONCURRENCY));
  warm.close();
  const before = await process.memory();
  const listeners = new Listeners(process.port);
  const beganAt = performance.now();
  await listeners.open(ids);
  const perSecond = (ids.length / (performance.now() - beganAt)) * 1_000;
  const after = await process.memory();
  return {
    listeners,
    perSecond,
    held: listeners.held,
    kilobytes: (after.rssBytes - before.rssBytes) / ids.length / 1_024,
  };
}
