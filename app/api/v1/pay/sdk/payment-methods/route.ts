import { getApiContext } from "@/app/context";
import { apiRoute, refuseMethod, success } from "@/lib/http/api-route";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";

const route = { scope: "any", work: "reads", read: () => null } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, now }) => {
  return success({ methods: await listPaymentMethods(context.pool.db, context.env, caller, now) });
});

const refuse = refuseMethod(getApiContext, "POST");

export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as OPTIONS, refuse as PATCH, refuse as PUT };
