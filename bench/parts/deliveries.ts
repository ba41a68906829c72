import { insertCallbacks, isDone, startReceiver } from "@/bench/callbacks";
import type { Line } from "@/bench/table/line";
import { startBareProcess, startWorkerProcess } from "@/bench/web-process";
import { startWorld } from "@/bench/world";

const COUNT = 10_000;
const WARM_UP = 2_000;
/** The number of deliveries that a worker has in flight to one origin. */
const AT_ONE = 8;
const BODY = JSON.stringify({ id: "evt_bare", type: "payment.confirmed", data: { text: "x".repeat(900) } });

/**
 * Measures the signed callbacks that a worker delivers to receivers on loopback and records, compared with plain POST requests to the same
 * receivers.
 */
export async function measureDeliveries(): Promise<Line[]> {
  const world = await startWorld();
  const receiver = await startReceiver(16);
  const [worker, bare] = await Promise.all([startWorkerProcess(world.databaseUrl), startBareProcess()]);
  try {
    const lines: Line[] = [];
    for (const origins of [receiver.origins.slice(0, 1), receiver.origins]) {
      const concurrency = AT_ONE * origins.length;
      const post = (count: number) => bare.deliver({ origins, body: BODY, count, concurrency });
      const send = async (count: number) => {
        await insertCallbacks(world, { merchantId: world.merchantId, count, origins });
        const beganAt = performance.now();
        await isDone(world);
        return (count / (performance.now() - beganAt)) * 1_000;
      };
      await post(WARM_UP);
      const limit = await post(COUNT);
      await send(WARM_UP);
      lines.push({
        part: "deliveries",
        unit: "/s",
        ours: await send(COUNT),
        better: "more",
        what: `signed callbacks to ${origins.length === 1 ? "one receiver" : `${origins.length} receivers`}`,
        limit: { what: `bare fetch to the same, ${concurrency} at once`, value: limit },
      });
    }
    return lines;
  } finally {
    await Promise.all([worker.stop(), bare.stop()]);
    receiver.close();
    await world.close();
  }
}
