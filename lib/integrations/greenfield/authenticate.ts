import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { authenticateToken, type PluginContext, type TokenPlugin } from "@/lib/plugins/plugin-caller";

const TOKEN = /^token +([0-9A-Za-z]{1,100}) *$/i;

/** A plugin, with the token that its request contains. */
export type GreenfieldPlugin = TokenPlugin & { token: string };

/** Returns the plugin of the token in `Authorization: token …`, with the token's permissions. @throws AppError 10002 */
export async function authenticateGreenfield(
  ctx: Pick<PluginContext, "pool">,
  call: Pick<ApiCall, "header">,
  now: Date,
): Promise<GreenfieldPlugin> {
  const token = TOKEN.exec(call.header("authorization") ?? "")?.[1];
  if (token === undefined) throw new AppError(problem("token_missing"));
  return { ...(await authenticateToken(ctx, { integration: "greenfield", token }, now)), token };
}
