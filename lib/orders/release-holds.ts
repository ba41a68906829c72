import type { Db } from "@/db/client";
import { eachAlone, forgetFailures } from "@/db/queries/many-rows";
import { giveUpEndedHolds, type Hold, listEndedHolds } from "@/db/queries/orders/holds";
import type { StoryContext } from "@/lib/orders/move-order";

const BATCH = 2_000;

/**
 * Gives up amounts whose holds have ended, so that they serve other orders: at most 2,000, in as many statements as one. A hold
 * that cannot be given up is told and tried again later; until then its amount is nobody's.
 * @param now by the database's clock
 * @returns how many were given up; more may wait when it is not 0
 */
export async function releaseHolds(db: Db, ctx: StoryContext, now: Date): Promise<number> {
  const items = await listEndedHolds(db, now, BATCH);
  let released = 0;
  const work = async (some: readonly Hold[]) => {
    released += await db.transaction(async (tx) => {
      await forgetFailures(
        tx,
        "release",
        some.map(({ id }) => id),
      );
      return giveUpEndedHolds(tx, some, now);
    });
  };
  await eachAlone(db, ctx, { name: "release", items, work }, now);
  return released;
}
