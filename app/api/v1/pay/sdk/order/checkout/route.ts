import { getApiContext } from "@/app/context";
import { toCheckoutData } from "@/lib/domain/orders/order-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readCheckoutRequest } from "@/lib/http/read-order-request";
import { createCheckout } from "@/lib/orders/create-checkout";

const route = { scope: "orders:create", work: "creates", read: readCheckoutRequest } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const choosing = { ...context.orders, env: context.env };
  const { order, isReplayed } = await createCheckout(context.pool.db, choosing, caller, body, now);
  return success(toCheckoutData(order, context.env), isReplayed ? { "Idempotent-Replayed": "true" } : {});
});
