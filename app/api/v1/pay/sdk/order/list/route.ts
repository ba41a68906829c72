import { getApiContext } from "@/app/context";
import { toDetailData } from "@/lib/domain/orders/order-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readOrderSearch } from "@/lib/http/read-list-request";
import { searchOrders } from "@/lib/orders/query-order";

const route = { scope: "orders:read", work: "reads", read: readOrderSearch } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { orders, nextCursor } = await searchOrders(context.pool.db, caller, body, now);
  return success({ orders: orders.map((order) => toDetailData(order, context.orders)), next_cursor: nextCursor });
});
