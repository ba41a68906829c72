import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { insertOrders } from "@/bench/lists";
import type { World } from "@/bench/world";
import { exportOrders } from "@/lib/reports/export-orders";

const ORDERS = 1_000_000;
const MAX_MB = 16;
/**
 * The number of bytes between two measurements. Each measurement first collects unreferenced memory, so that it includes only memory that
 * the file still uses.
 */
const BYTES_PER_READ = { csv: 8 * 2 ** 20, xlsx: 2 ** 20 };
const SAMPLE_MS = 50;

/**
 * Writes a million orders as CSV and as XLSX and consumes the bytes as they arrive. Reports seconds, size, the peak of live memory above the
 * memory before, and the growth of the process, which includes garbage that the runtime has not collected (it collects late while memory
 * is free).
 * @returns true if live memory stayed flat
 */
export async function measureExport(world: World): Promise<boolean> {
  await insertOrders(world, 0, ORDERS);
  let isFlat = true;
  for (const kind of ["csv", "xlsx"] as const) {
    const begin = performance.now();
    const { bytes, grown, looks, max } = await drain(world, kind);
    const seconds = (performance.now() - begin) / 1_000;
    isFlat &&= looks > 5 && max <= MAX_MB * 2 ** 20;
    console.log(
      `${ORDERS} orders as ${kind}: ${seconds.toFixed(1)} s, ${megabytes(bytes)} MB; buffered at most ${megabytes(max)} MB more than before (${looks} samples), the process grew by ${megabytes(grown)} MB`,
    );
  }
  console.log(`at most ${MAX_MB} MB may be buffered`);
  return isFlat;
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** Reads a file's bytes and discards them. */
async function drain({ pool, merchantId }: World, kind: "csv" | "xlsx") {
  const before = held();
  const rss = process.memoryUsage.rss();
  let bytes = 0;
  let looks = 0;
  let max = 0;
  let largest = rss;
  const timer = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const form = { kind, separator: "comma", hasBom: false } as const;
  for await (const chunk of exportOrders(pool.db, merchantId, {}, form)) {
    bytes += chunk.length;
    if (bytes < (looks + 1) * BYTES_PER_READ[kind]) continue;
    looks++;
    max = Math.max(max, held() - before);
  }
  clearInterval(timer);
  return { bytes, grown: largest - rss, looks, max };
}

/** Returns the number of bytes in use after a garbage collection. */
function held(): number {
  setFlagsFromString("--expose-gc");
  const clear: () => void = runInNewContext("gc");
  clear();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
