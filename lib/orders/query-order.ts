import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import {
  findOrderDetailRows,
  type OrderDetailRow,
  type OrderQuestion,
  orderDetailOf,
} from "@/db/queries/orders/orders";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { isId } from "@/lib/domain/id";
import type { OrderDetail } from "@/lib/domain/orders/order-wire";
import { AppError } from "@/lib/errors";
import type { Caller } from "@/lib/orders/create-order";

/** Finds what a key asks for, and whether it still lives. */
export type FindOrder = (question: OrderQuestion, now: Date) => Promise<OrderDetailRow | null>;

/** Finds orders that are asked for together in one statement. */
export function findTogether(db: Db): FindOrder {
  const find = createBatcher<{ question: OrderQuestion; now: Date }, OrderDetailRow | null>({
    run: (entries) => {
      const now = Math.max(...entries.map((entry) => entry.now.getTime()));
      return findOrderDetailRows(
        db,
        entries.map(({ question }) => question),
        new Date(now),
      );
    },
    ownerOf: ({ question }) => question.merchantId,
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });
  return (question, now) => find({ question, now });
}

/**
 * Finds an order for the merchant that made it, while the key that asks still lives: the one statement looks at both.
 * @throws AppError 10002 the key died, 10003 there is no such order of this merchant
 */
export async function queryOrder(
  db: Db,
  find: FindOrder,
  { merchantId, apiKeyId }: Caller,
  names: { tradeId?: string; mchOrderId?: string },
  now: Date,
): Promise<OrderDetail> {
  const canExist = names.tradeId === undefined || isId(names.tradeId);
  const row = canExist ? await find({ merchantId, apiKeyId, ...names }, now) : null;
  const isLive = row ? row.is_key_live : await isLiveKey(db, apiKeyId, now);
  if (!isLive)
    throw new AppError(10002, "The API key was revoked or has ended; use another key from Settings → API keys");
  if (row) return orderDetailOf(row);
  throw new AppError(10003, "There is no order with this trade_id and mch_order_id among yours");
}
