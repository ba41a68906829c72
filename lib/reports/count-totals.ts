import type { Db } from "@/db/client";
import { mergeOutcomes } from "@/db/queries/operating/outcomes";
import { countIntoTotals } from "@/db/queries/orders/totals";

/**
 * Adds new orders and callbacks to the hourly totals of the home page. The amounts of paid orders are added when an order changes status.
 * Safe to repeat and to run in any number of workers.
 * @param now by the database's clock
 * @returns the number of counted rows; more may be pending if it is not 0
 */
export async function countTotals(db: Db, now: Date): Promise<number> {
  await mergeOutcomes(db, now);
  return (await countIntoTotals(db, "orders", now)) + (await countIntoTotals(db, "callbacks", now));
}
