import type { Db } from "@/db/client";
import { listFailed, listTotals } from "@/db/queries/orders/totals";
import type { FailedTotal, Span, StepTotal } from "@/lib/domain/orders/figures";

/** Returns the totals of a merchant for each step of a span, and the callbacks that failed. */
export async function readTotals(
  db: Db,
  merchantId: string,
  span: Span,
): Promise<{ totals: StepTotal[]; failed: FailedTotal[] }> {
  const [totals, failed] = await Promise.all([listTotals(db, merchantId, span), listFailed(db, merchantId, span)]);
  return { totals, failed };
}
