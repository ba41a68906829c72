import type { Db } from "@/db/client";
import { addCalls, deleteOldCalls, listCalls } from "@/db/queries/networks/calls";
import { dayOf } from "@/lib/domain/networks/budget";
import type { CallMeter } from "@/lib/watch/call-meter";

/**
 * Stores the calls that the meters of all networks have counted since the previous run, in one statement. Then sets the meters to the
 * totals of all processes, because budgets are per installation. If the process is killed, calls that are not stored yet are not counted.
 */
export async function recordCalls(db: Db, meters: readonly CallMeter[], now: Date): Promise<void> {
  const today = dayOf(now);
  const drained = meters.map((meter) => ({ meter, batch: meter.drain() }));
  const batch = drained.flatMap(({ batch: counted }) => counted);
  try {
    if (batch.length > 0) await addCalls(db, batch);
  } catch (error) {
    for (const { meter, batch: counted } of drained) meter.returnBatch(counted);
    throw error;
  }
  await deleteOldCalls(db, today);
  const counts = await listCalls(db, today);
  for (const meter of meters) meter.know(counts);
}
