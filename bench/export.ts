import { insertOrders } from "@/bench/lists";
import type { World } from "@/bench/world";
import { exportOrders } from "@/lib/reports/export-orders";

const ORDERS = 1_000_000;
const MOST_MB = 150;
const SAMPLE_MS = 50;

/**
 * Writes a million orders as CSV and as XLSX, and takes the bytes as they come: seconds, size, and the most memory of this process
 * above what it had before the first.
 * @returns whether the memory stayed flat
 */
export async function measureExport(world: World): Promise<boolean> {
  await insertOrders(world, 0, ORDERS);
  const before = process.memoryUsage.rss();
  let isFlat = true;
  for (const kind of ["csv", "xlsx"] as const) {
    const begin = performance.now();
    const { bytes, most } = await drain(world, kind);
    const seconds = (performance.now() - begin) / 1_000;
    isFlat &&= most - before <= MOST_MB * 2 ** 20;
    console.log(
      `${ORDERS} orders as ${kind}: ${seconds.toFixed(1)} s, ${megabytes(bytes)} MB, memory at most ${megabytes(most - before)} MB above before`,
    );
  }
  console.log(`at most ${MOST_MB} MB may be`);
  return isFlat;
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
/** Takes a file's bytes, and throws them away. */
async function drain({ pool, merchantId }: World, kind: "csv" | "xlsx") {
  let [bytes, most] = [0, 0];
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const form = { kind, separator: "comma", hasBom: false } as const;
  for await (const chunk of exportOrders(pool.db, merchantId, {}, form)) {
    bytes += chunk.length;
  }
  clearInterval(timer);
  return { bytes, most: Math.max(most, process.memoryUsage.rss()) };
}
