import { getApiContext } from "@/app/context";
import { toMerchantData } from "@/lib/domain/api/merchant-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { activatePlugin } from "@/lib/merchants/activate-plugin";

const route = { scope: "orders:create", work: "creates", read: () => null } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, now }) => {
  return success(toMerchantData(await activatePlugin(context.pool.db, caller, now)));
});
