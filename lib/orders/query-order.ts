import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import { type OrderSearch, searchOrderIds } from "@/db/queries/orders/order-search";
import {
  findOrderDetailRows,
  listOrderDetailRows,
  type OrderDetailRow,
  type OrderQuestion,
  orderDetailOf,
} from "@/db/queries/orders/orders";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { isId } from "@/lib/domain/id";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";

/** Finds the order for an API key, and checks whether the key is still valid. */
export type FindOrder = (question: OrderQuestion, now: Date) => Promise<OrderDetailRow | null>;

/** Returns a function that finds concurrently requested orders in one statement. */
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
 * Returns an order to the merchant that created it, if the API key is still valid: one statement checks both.
 * @throws AppError 10002 the key is no longer valid, 10003 there is no such order of this merchant
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
  if (row ? !row.is_key_live : !(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  if (row) return orderDetailOf(row);
  throw new AppError(problem("order_not_found"));
}

/**
 * Returns one page of a merchant's orders, newest first: up to `limit` orders that match the search, and the cursor of
 * the next page, null after the last one. A page scans at most 2,000 orders, so a selective search may return fewer
 * orders than `limit`, or none. An order that exists when the first page is requested is on exactly one page.
 * @throws AppError 10002 the key is no longer valid
 */
export async function searchOrders(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  search: OrderSearch,
  now: Date,
): Promise<{ orders: OrderDetail[]; nextCursor: string | null }> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const { ids, nextCursor } = await searchOrderIds(db, merchantId, search);
  const orders = (await listOrderDetailRows(db, ids)).map(orderDetailOf);
  return { orders: orders.toSorted((one, two) => (one.id < two.id ? 1 : -1)), nextCursor };
}
