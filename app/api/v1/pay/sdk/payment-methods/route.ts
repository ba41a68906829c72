import { getApiContext } from "@/app/context";
import { apiRoute, success } from "@/lib/http/api-route";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";

const route = { scope: "any", work: "reads", read: () => null } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, now }) => {
  return success({ methods: await listPaymentMethods(context.pool.db, context.env, caller, now) });
});
