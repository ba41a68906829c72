import { getApiContext } from "@/app/context";
import { toLinkData } from "@/lib/domain/links/link-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readLinkSearch } from "@/lib/http/read-link-request";
import { searchLinks } from "@/lib/links/query-links";

const route = { scope: "links:read", work: "reads", read: readLinkSearch } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { links, nextCursor } = await searchLinks(context.pool.db, caller, body, now);
  const page = links.map((link) => toLinkData(link, context.env.publicUrl, now));
  return success({ links: page, next_cursor: nextCursor });
});
