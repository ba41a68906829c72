import type { Db } from "@/db/client";
import { forEachIsolated, forgetFailures } from "@/db/queries/many-rows";
import { type Hold, listEndedHolds, releaseEndedHolds } from "@/db/queries/orders/holds";
import type { OrderContext } from "@/lib/orders/move-order";

const BATCH = 2_000;

/**
 * Releases up to 2,000 amounts whose holds have ended, so that other orders can use them, in the same number of statements as for one. A
 * hold that cannot be released is logged and retried later; until then its amount is not assigned to any order.
 * @param now by the database's clock
 * @returns the number of released holds; more may be pending if it is not 0
 */
export async function releaseHolds(db: Db, ctx: OrderContext, now: Date): Promise<number> {
  const items = await listEndedHolds(db, now, BATCH);
  let released = 0;
  const work = async (some: readonly Hold[]) => {
    released += await db.transaction(async (tx) => {
      await forgetFailures(
        tx,
        "release",
        some.map(({ id }) => id),
      );
      return releaseEndedHolds(tx, some, now);
    });
  };
  await forEachIsolated(db, ctx, { name: "release", items, work }, now);
  return released;
}
