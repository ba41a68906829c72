import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import { findOrderDetailRow } from "@/db/queries/orders/orders";
import { isId } from "@/lib/domain/id";
import type { OrderDetail } from "@/lib/domain/orders/order-wire";
import { AppError } from "@/lib/errors";
import type { Caller } from "@/lib/orders/create-order";
import { orderDetailOf } from "@/lib/orders/find-order";

/**
 * Finds an order for the merchant that made it, while the key that asks still lives: the one statement looks at both.
 * @throws AppError 10002 the key died, 10003 there is no such order of this merchant
 */
export async function queryOrder(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  names: { tradeId?: string; mchOrderId?: string },
  now: Date,
): Promise<OrderDetail> {
  const canExist = names.tradeId === undefined || isId(names.tradeId);
  const row = canExist ? await findOrderDetailRow(db, { merchantId, ...names }, { id: apiKeyId, now }) : null;
  const isLive = row ? row.is_key_live : await isLiveKey(db, apiKeyId, now);
  if (!isLive)
    throw new AppError(10002, "The API key was revoked or has ended; use another key from Settings → API keys");
  if (row) return orderDetailOf(row);
  throw new AppError(10003, "There is no order with this trade_id and mch_order_id among yours");
}
