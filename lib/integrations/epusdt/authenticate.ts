import { textIn } from "@/lib/integrations/epusdt/fields";
import { type EpusdtFields, epusdtVerifier } from "@/lib/integrations/epusdt/signature";
import {
  authenticatePlugin,
  authenticateUnnamed,
  type PluginCaller,
  type PluginContext,
} from "@/lib/plugins/plugin-caller";

/** Returns the plugin that signed a request, found by its pid or by the signature alone. @throws AppError 10002 */
export function authenticateEpusdt(ctx: PluginContext, fields: EpusdtFields, now: Date): Promise<PluginCaller> {
  const publicId = textIn(fields, "pid");
  const fits = epusdtVerifier(fields);
  return publicId === ""
    ? authenticateUnnamed(ctx, "epusdt", fits, now)
    : authenticatePlugin(ctx, { integration: "epusdt", publicId }, fits, now);
}
