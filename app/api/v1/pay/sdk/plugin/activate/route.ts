import { getApiContext } from "@/app/context";
import { apiRoute, success } from "@/lib/http/api-route";
import { activatePlugin } from "@/lib/merchants/api-keys";

const route = { scope: "orders:create", work: "creates", read: () => null } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, now }) => {
  const { id, name } = await activatePlugin(context.pool.db, caller, now);
  return success({ merchant_id: id, name, status: "active" });
});
