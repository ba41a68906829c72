import type { Db } from "@/db/client";
import { listExpirableOrders } from "@/db/queries/expirable-orders";
import { giveUpEndedHolds } from "@/db/queries/quotes";
import { moveOrder } from "@/lib/orders/move-order";
import type { StoryContext } from "@/lib/orders/story-context";

const BATCH = 200;

/**
 * Expires pending orders whose time is over, once every network they can be paid on is read up to that time
 * and every transfer found there is judged; then gives up the amounts whose holds have ended.
 * @param now by the database's clock
 * @returns how many orders expired
 */
export async function expireOrders(db: Db, ctx: StoryContext, now: Date): Promise<number> {
  const ids = await listExpirableOrders(db, now, BATCH);
  let expired = 0;
  for (const id of ids) {
    if ((await moveOrder(db, ctx, id, { type: "timePassed" }, now)) === "expired") expired += 1;
  }
  await giveUpEndedHolds(db, now);
  return expired;
}
