import type { Db } from "@/db/client";
import { listNearOrders, type NearOrder } from "@/db/queries/likely-orders";
import { type LikelyOrder, type LooseTransfer, likelyOrders } from "@/lib/domain/likely-orders";

export type Suggestion = LikelyOrder<NearOrder>;

/** For each of these unmatched transfers of a merchant, by its id: the orders it was most likely meant for, likeliest first. */
export async function suggestOrders(
  db: Db,
  merchantId: string,
  transfers: readonly (LooseTransfer & { id: string })[],
): Promise<Map<string, Suggestion[]>> {
  const ids = transfers.map(({ id }) => id);
  const near = await listNearOrders(db, merchantId, ids);
  return new Map(
    transfers.map((transfer) => {
      const candidates = near.filter((order) => order.transferId === transfer.id);
      return [transfer.id, likelyOrders(transfer, candidates)];
    }),
  );
}
