import { getApiContext } from "@/app/context";
import { listMerchantEvents } from "@/lib/callbacks/list-events";
import { apiRoute, success } from "@/lib/http/api-route";
import { readEventCursor } from "@/lib/http/read-list-request";

const route = { scope: "events:read", work: "reads", read: readEventCursor } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  return success(await listMerchantEvents(context.pool.db, caller, body, now));
});
