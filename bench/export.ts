import { insertOrders } from "@/bench/lists";
import type { World } from "@/bench/world";
import { exportOrders } from "@/lib/reports/export-orders";

const ORDERS = 1_000_000;
const MOST_MB = 150;
const SAMPLE_MS = 50;

/**
 * Writes a million orders as CSV and as XLSX, and takes the bytes as they come: seconds, size, and the most memory of this process
 * above what it had before.
 * @returns whether the memory stayed flat
 */
export async function measureExport(world: World): Promise<boolean> {
  await insertOrders(world, 0, ORDERS);
  let isFlat = true;
  for (const kind of ["csv", "xlsx"] as const) {
    const form = { kind, separator: "comma", hasBom: false } as const;
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, SAMPLE_MS);
    const begin = performance.now();
    let bytes = 0;
    const stream = exportOrders(world.pool.db, world.merchantId, {}, form);
    for await (const chunk of stream) bytes += chunk.length;
    clearInterval(timer);
    const [seconds, aboveMb] = [(performance.now() - begin) / 1_000, (most - before) / 2 ** 20];
    isFlat &&= aboveMb <= MOST_MB;
    console.log(
      `${ORDERS} orders as ${kind}: ${seconds.toFixed(1)} s, ${(bytes / 2 ** 20).toFixed(1)} MB, memory at most ${aboveMb.toFixed(1)} MB above before`,
    );
  }
  console.log(`at most ${MOST_MB} MB may be`);
  return isFlat;
}
