import { getApiContext } from "@/app/context";
import { toDetailData } from "@/lib/domain/orders/order-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readOrderNames } from "@/lib/http/read-order-request";
import { queryOrder } from "@/lib/orders/query-order";

const route = { scope: "orders:read", work: "reads", read: readOrderNames } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const order = await queryOrder(context.pool.db, context.findOrder, caller, body, now);
  return success(toDetailData(order, context.orders));
});
