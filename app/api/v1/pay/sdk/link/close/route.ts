import { getApiContext } from "@/app/context";
import { toLinkData } from "@/lib/domain/links/link-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readLinkNames } from "@/lib/http/read-link-request";
import { closeLink } from "@/lib/links/create-link";

const route = { scope: "links:create", work: "creates", read: readLinkNames } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const link = await closeLink(context.pool.db, caller, body, now);
  return success(toLinkData(link, context.env.publicUrl, now));
});
