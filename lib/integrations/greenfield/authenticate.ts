import { findPluginByToken, noteKeyUse, type Plugin } from "@/db/queries/plugins/plugins";
import { SWITCHED_OFF } from "@/lib/domain/integration";
import { hashToken } from "@/lib/domain/integrations/greenfield";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { PluginContext } from "@/lib/integrations/plugin-caller";

const TOKEN = /^token +([0-9A-Za-z]{1,100}) *$/i;

/** The plugin whose token a request carries in `Authorization: token …`, and what the token may do. @throws AppError 10002 in words */
export async function authenticateGreenfield(
  { pool }: Pick<PluginContext, "pool">,
  call: Pick<ApiCall, "header">,
  now: Date,
): Promise<Plugin & { permissions: string[] }> {
  const token = TOKEN.exec(call.header("authorization") ?? "")?.[1];
  if (token === undefined)
    throw new AppError(10002, 'There is no token; send the header "Authorization: token <API key of the store>"');
  const found = await findPluginByToken(pool.db, hashToken(token), now);
  if (found?.plugin.integration !== "greenfield")
    throw new AppError(10002, "The token is unknown or revoked; compare it with Settings → Plugins");
  if (!found.plugin.isOn) throw new AppError(10002, SWITCHED_OFF);
  await noteKeyUse(pool.db, { id: found.id, merchantId: found.plugin.merchantId }, now);
  return { ...found.plugin, permissions: found.permissions };
}
