import { getApiContext } from "@/app/context";
import { toDetailData } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { apiRoute, success } from "@/lib/http/api-route";
import { readOrderNames } from "@/lib/http/read-order-request";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { queryOrder } from "@/lib/orders/query-order";

const route = { scope: "orders:cancel", work: "creates", read: readOrderNames } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { env, log, integrations, pool, findOrder, orders } = context;
  const find = () => queryOrder(pool.db, findOrder, caller, body, now);
  const { id } = await find();
  const result = await cancelOrder(pool.db, { publicUrl: env.publicUrl, log, integrations }, caller, id, now);
  const order = await find();
  // Cancelling an order that is already cancelled succeeds, because an earlier or concurrent request had the same effect.
  if ("problem" in result && order.status !== "cancelled")
    throw new AppError(problem("order_cancel_refused", { problem: result.problem, tradeId: id }), {
      data: { trade_id: id, status: order.status },
    });
  return success(toDetailData(order, orders));
});
