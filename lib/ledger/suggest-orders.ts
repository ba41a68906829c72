import type { Db } from "@/db/client";
import { listNamedOrders, listNearOrders } from "@/db/queries/orders/likely-orders";
import { type LikelyOrder, likelyOrders, scoreLikely, type UnmatchedTransfer } from "@/lib/domain/orders/likely-orders";

/**
 * Returns the orders for which each of these unmatched transfers of a merchant was most likely meant, by transfer id, most likely first.
 */
export async function suggestOrders(
  db: Db,
  merchantId: string,
  transfers: readonly (UnmatchedTransfer & { id: string })[],
): Promise<Map<string, LikelyOrder[]>> {
  const near = await listNearOrders(db, merchantId, transfers);
  return new Map(
    transfers.map((transfer) => {
      const candidates = near.filter((order) => order.transferId === transfer.id);
      return [transfer.id, likelyOrders(transfer, candidates)];
    }),
  );
}

/** Returns the orders that match a search by id or number, newest first, each scored by how well the transfer fits it. */
export async function findNamedOrders(
  db: Db,
  merchantId: string,
  transfer: UnmatchedTransfer,
  text: string,
): Promise<LikelyOrder[]> {
  const named = await listNamedOrders(db, merchantId, text);
  return named.map((order) => scoreLikely(transfer, order));
}
