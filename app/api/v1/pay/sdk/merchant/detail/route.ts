import { getApiContext } from "@/app/context";
import { apiRoute, success } from "@/lib/http/api-route";
import { findKeyOwner } from "@/lib/merchants/api-keys";

const route = { scope: "any", work: "reads", read: () => null } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, now }) => {
  const { id, name } = await findKeyOwner(context.pool.db, caller.apiKeyId, now);
  return success({ merchant_id: id, name, status: "active" });
});
