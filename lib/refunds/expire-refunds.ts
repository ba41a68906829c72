import type { Db } from "@/db/client";
import { forEachIsolated } from "@/db/queries/many-rows";
import { listExpiredRefunds } from "@/db/queries/refunds/refund-requests";
import type { Log } from "@/lib/log";
import { lockWithOrder } from "@/lib/refunds/lock-subject";
import { moveRefund, type RefundContext } from "@/lib/refunds/move-refund";

const BATCH = 100;

/**
 * Expires the refunds whose claim link was not used in time. Their amounts can be refunded again.
 * @returns the number of expired refunds
 */
export async function expireRefunds(db: Db, ctx: RefundContext & { log: Log }, now: Date): Promise<number> {
  let count = 0;
  const items = await listExpiredRefunds(db, now, BATCH);
  const work = async (some: readonly { id: string; merchantId: string }[]) => {
    for (const { id, merchantId } of some)
      await db.transaction(async (tx) => {
        const refund = await lockWithOrder(tx, id, merchantId);
        if (refund?.status !== "requested" || refund.expiresAt > now) return;
        const change = { endedAt: now };
        await moveRefund(tx, ctx, refund, { to: "expired", change, action: "refund.expired" }, now);
        count += 1;
      });
  };
  await forEachIsolated(db, ctx, { name: "expire_refund", items, work }, now);
  return count;
}
