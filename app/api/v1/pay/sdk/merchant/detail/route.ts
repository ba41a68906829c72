import { getApiContext } from "@/app/context";
import { toMerchantData } from "@/lib/domain/api/merchant-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { findKeyOwner } from "@/lib/merchants/api-keys";

const route = { scope: "any", work: "reads", read: () => null } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, now }) => {
  return success(toMerchantData(await findKeyOwner(context.pool.db, caller.apiKeyId, now)));
});
