import { insertOrders } from "@/bench/lists";
import type { World } from "@/bench/world";
import { exportOrders } from "@/lib/reports/export-orders";

const ORDERS = 1_000_000;
const MOST_MB = 150;
const SAMPLE_MS = 50;

/**
 * Writes a million orders as CSV and as XLSX, and takes the bytes as they come: seconds, size, and the most memory of this process
 * above what it had once a tenth of them were written, which is what a process needs to write files at all.
 * @returns whether the memory stayed flat
 */
export async function measureExport(world: World): Promise<boolean> {
  await insertOrders(world, 0, ORDERS);
  const cold = process.memoryUsage.rss();
  await drain(world, "csv", { shareOfRows: 0.1 });
  console.log(`the first tenth: memory ${megabytes(process.memoryUsage.rss() - cold)} MB above none`);
  let isFlat = true;
  for (const kind of ["csv", "xlsx"] as const) {
    const before = process.memoryUsage.rss();
    const begin = performance.now();
    const { bytes, most } = await drain(world, kind, { shareOfRows: 1 });
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
/** What an order takes in a CSV file, about. */
const ROW_BYTES = 180;

/** Takes a file's bytes up to a share of its rows; who stops early goes away, as a browser does. */
async function drain({ pool, merchantId }: World, kind: "csv" | "xlsx", { shareOfRows }: { shareOfRows: number }) {
  let [bytes, most] = [0, 0];
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const form = { kind, separator: "comma", hasBom: false } as const;
  for await (const chunk of exportOrders(pool.db, merchantId, {}, form)) {
    bytes += chunk.length;
    if (shareOfRows < 1 && bytes > ORDERS * shareOfRows * ROW_BYTES) break;
  }
  clearInterval(timer);
  return { bytes, most: Math.max(most, process.memoryUsage.rss()) };
}
