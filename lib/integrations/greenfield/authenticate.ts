import { findPluginByToken, noteKeyUse, type Plugin } from "@/db/queries/plugins/plugins";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { PluginContext } from "@/lib/plugins/plugin-caller";
import { hashToken } from "@/lib/plugins/plugin-key";

const TOKEN = /^token +([0-9A-Za-z]{1,100}) *$/i;

/** The plugin whose token a request carries in `Authorization: token …`, and what the token may do. @throws AppError 10002 in words */
export async function authenticateGreenfield(
  { pool }: Pick<PluginContext, "pool">,
  call: Pick<ApiCall, "header">,
  now: Date,
): Promise<Plugin & { permissions: string[] }> {
  const token = TOKEN.exec(call.header("authorization") ?? "")?.[1];
  if (token === undefined) throw new AppError(problem("token_missing"));
  const found = await findPluginByToken(pool.db, hashToken(token), now);
  if (found?.plugin.integration !== "greenfield") throw new AppError(problem("token_unknown"));
  if (!found.plugin.isOn) throw new AppError(problem("integration_off"));
  await noteKeyUse(pool.db, { id: found.id, merchantId: found.plugin.merchantId }, now);
  return { ...found.plugin, permissions: found.permissions };
}
