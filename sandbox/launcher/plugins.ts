import type { Db } from "@/db/client";
import { findPlugin, findPluginByToken, listSigningKeys } from "@/db/queries/plugins/plugins";
import { INSTALLED } from "@/lib/integrations/installed";
import { open } from "@/lib/merchants/vault";
import { hashToken } from "@/lib/plugins/plugin-key";
import { changePlugin, type PluginOf, rotatePluginKey, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import type { PluginAccess } from "@/sandbox/shop/protocols/order";
import type { PluginAccesses } from "@/sandbox/shop/protocols/protocol";

/** The rules of the demo shop's plugins. Prices in USD are close to token amounts. */
const RULES = { fiat: "USD", settings: { takesKeyInUrl: true } };
const OVERLAP_HOURS = 24;

/**
 * Enables the protocols that the demo shop uses, each with a key that the shop stores. Protocols that a user disabled stay disabled. Safe
 * to repeat.
 */
export async function seedPlugins(
  db: Db,
  appSecret: string,
  owner: { merchantId: string; userId: string },
  stored: Readonly<Record<string, PluginAccess>>,
  now: Date,
): Promise<PluginAccesses> {
  const seed = (integration: keyof PluginAccesses) =>
    seedPlugin(db, appSecret, { ...owner, integration }, stored[integration], now);
  return { epay: await seed("epay"), epusdt: await seed("epusdt"), greenfield: await seed("greenfield") };
}

async function seedPlugin(
  db: Db,
  appSecret: string,
  plugin: PluginOf,
  stored: PluginAccess | undefined,
  now: Date,
): Promise<PluginAccess> {
  const ctx = { appSecret, integrations: INSTALLED };
  const first = await db.transaction(async (tx) => {
    if (await findPlugin(tx, plugin)) return null;
    const issued = await switchOnPlugin(tx, ctx, { ...plugin, fiat: RULES.fiat }, now);
    await changePlugin(tx, ctx, plugin, RULES, now);
    return issued;
  });
  if (first) return first;
  if (stored && (await isLive(db, appSecret, plugin, stored, now))) return stored;
  const issued = await rotatePluginKey(db, ctx, { ...plugin, overlapHours: OVERLAP_HOURS }, now);
  if (!issued) throw new Error("The demo shop's plugin is missing");
  return issued;
}

/** Returns true if the shop's stored key is still valid for its protocol. For a token, only the hash is stored. */
async function isLive(db: Db, appSecret: string, plugin: PluginOf, { key }: PluginAccess, now: Date): Promise<boolean> {
  const opened = await findPluginByToken(db, hashToken(key), now);
  if (opened) return opened.plugin.merchantId === plugin.merchantId && opened.plugin.integration === plugin.integration;
  const keys = await listSigningKeys(db, [plugin], now);
  return keys.some(({ id, keyCipher }) => open(appSecret, `plugin_keys:${id}`, keyCipher) === key);
}
