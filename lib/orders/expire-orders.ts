import type { Db } from "@/db/client";
import { forEachIsolated, forgetFailures } from "@/db/queries/many-rows";
import { listExpirableOrders } from "@/db/queries/orders/order-moves";
import { moveOrders, type OrderContext } from "@/lib/orders/move-order";

/** The maximum number of orders per round. They are locked for a few tenths of a second, half of them on each of two connections. */
const BATCH = 4_000;

/**
 * Expires up to 4,000 pending orders whose time to pay has ended, in about the same number of statements as for one. An order expires once
 * every network on which it can be paid is read up to that time and every transfer found there that could pay it is matched. An order that
 * cannot be expired is logged and retried later.
 * @param now by the database's clock
 * @returns the number of expired orders; more may be pending if it is not 0
 */
export async function expireOrders(db: Db, ctx: OrderContext, now: Date): Promise<number> {
  const items = (await listExpirableOrders(db, now, BATCH)).map((id) => ({ id }));
  let expired = 0;
  const work = async (some: readonly { id: string }[]) => {
    const ids = some.map(({ id }) => id);
    const moved = await db.transaction(async (tx) => {
      await forgetFailures(tx, "expire", ids);
      return moveOrders(tx, ctx, ids, { type: "timePassed" }, now);
    });
    const gone = moved.filter(({ before, status }) => before === "pending" && status === "expired");
    ctx.onOrders?.("expire order", gone);
    expired += gone.length;
  };
  const half = Math.ceil(items.length / 2);
  const lanes = [items.slice(0, half), items.slice(half)];
  await Promise.all(lanes.map((lane) => forEachIsolated(db, ctx, { name: "expire", items: lane, work }, now)));
  return expired;
}
