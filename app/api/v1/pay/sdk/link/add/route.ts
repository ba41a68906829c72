import { getApiContext } from "@/app/context";
import { toLinkData } from "@/lib/domain/links/link-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readLinkRequest } from "@/lib/http/read-link-request";
import { createLink } from "@/lib/links/create-link";

const route = { scope: "links:create", work: "creates", read: readLinkRequest } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { env, orders, pool } = context;
  const { link, isReplayed } = await createLink(pool.db, { ...orders, env }, caller, body, now);
  return success(toLinkData(link, env.publicUrl, now), isReplayed ? { "Idempotent-Replayed": "true" } : {});
});
