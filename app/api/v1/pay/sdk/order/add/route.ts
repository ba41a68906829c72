import { getApiContext } from "@/app/context";
import { toCreatedData } from "@/lib/domain/orders/order-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readOrderTerms } from "@/lib/http/read-order-request";
import { createOrder } from "@/lib/orders/create-order";

const route = { scope: "orders:create", work: "creates", read: readOrderTerms } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { order, isReplayed } = await createOrder(context.pool.db, context.orders, caller, body, now);
  return success(toCreatedData(order, context.orders), isReplayed ? { "Idempotent-Replayed": "true" } : {});
});
