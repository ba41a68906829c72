import type { Db } from "@/db/client";
import { lockOrder } from "@/db/queries/orders/order-moves";
import { findClaimedRefund, findRefund, lockRefund, type StoredRefund } from "@/db/queries/refunds/refund-requests";

/**
 * Locks a refund after its order, in the sequence in which all code locks them.
 * @param merchantId the merchant of the refund; null: any merchant, for the claim page
 * @returns null if there is no such refund
 */
export async function lockWithOrder(tx: Db, id: string, merchantId: string | null): Promise<StoredRefund | null> {
  const found = merchantId === null ? await findClaimedRefund(tx, id) : await findRefund(tx, merchantId, { id });
  if (!found) return null;
  if (found.orderId !== null) await lockOrder(tx, found.orderId);
  return lockRefund(tx, { id, merchantId: found.merchantId });
}
