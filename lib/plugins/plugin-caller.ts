import type { DbPool } from "@/db/client";
import {
  findPlugin,
  findPluginByPublicId,
  findPluginByToken,
  listKeysOfIntegration,
  listSigningKeys,
  noteKeyUse,
  type Plugin,
} from "@/db/queries/plugins/plugins";
import type { OpenKey } from "@/lib/callbacks/plugin-key-opener";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { hashToken } from "@/lib/plugins/plugin-key";

export type { Plugin };

/** The dependencies for authenticating requests from plugins. */
export interface PluginContext {
  pool: Pick<DbPool, "db">;
  openPluginKey: OpenKey;
}

/** An authenticated plugin of a shop, and its key. */
export interface PluginCaller {
  plugin: Plugin;
  key: string;
}

/**
 * Returns the plugin that a request names if one of its live keys made the request.
 * @param fits returns true if the request was made with the given key
 * @throws AppError 10002, with the same message for an unknown public id and for a wrong key
 */
export async function authenticatePlugin(
  { pool, openPluginKey }: PluginContext,
  { integration, publicId }: { integration: IntegrationId; publicId: string },
  fits: (key: string, plugin: Plugin) => boolean,
  now: Date,
): Promise<PluginCaller> {
  const plugin = publicId === "" ? null : await findPluginByPublicId(pool.db, integration, publicId);
  if (!plugin) throw refused();
  for (const encrypted of await listSigningKeys(pool.db, [plugin], now)) {
    const key = openPluginKey(encrypted);
    if (key === null || !fits(key, plugin)) continue;
    if (!plugin.isOn) throw new AppError(problem("integration_off"));
    await noteKeyUse(pool.db, encrypted, now);
    return { plugin, key };
  }
  throw refused();
}

/** A plugin that was authenticated by a token, with the token's label for users and its permissions. */
export type TokenPlugin = Plugin & { label: string; permissions: string[] };

/**
 * Returns the plugin whose live token a request carries, with the label and the permissions of the token.
 * @throws AppError 10002 if the token is unknown or the integration is off
 */
export async function authenticateToken(
  { pool }: Pick<PluginContext, "pool">,
  { integration, token }: { integration: IntegrationId; token: string },
  now: Date,
): Promise<TokenPlugin> {
  const found = await findPluginByToken(pool.db, hashToken(token), now);
  if (found?.plugin.integration !== integration) throw new AppError(problem("token_unknown"));
  if (!found.plugin.isOn) throw new AppError(problem("integration_off"));
  await noteKeyUse(pool.db, { id: found.id, merchantId: found.plugin.merchantId }, now);
  return { ...found.plugin, label: found.label, permissions: found.permissions };
}

/** Finds a shop's plugin of an integration; null if it never had one. */
export async function findShopPlugin(
  { pool }: Pick<PluginContext, "pool">,
  plugin: { merchantId: string; integration: IntegrationId },
): Promise<Plugin | null> {
  return findPlugin(pool.db, plugin);
}

/** The largest number of keys with which the signature of a request without a public id is compared. */
const MAX_KEYS = 500;

/**
 * Returns the plugin of a request without a public id: the enabled one whose live key created its signature. This compares many keys, so
 * callers limit failures by address before they call it.
 * @throws AppError 10002
 */
export async function authenticateUnnamed(
  { pool, openPluginKey }: PluginContext,
  integration: IntegrationId,
  fits: (key: string) => boolean,
  now: Date,
): Promise<PluginCaller> {
  for (const encrypted of await listKeysOfIntegration(pool.db, integration, MAX_KEYS, now)) {
    const key = openPluginKey(encrypted);
    const plugin = key !== null && fits(key) ? await findPlugin(pool.db, encrypted) : null;
    if (key === null || !plugin?.isOn) continue;
    await noteKeyUse(pool.db, encrypted, now);
    return { plugin, key };
  }
  throw new AppError(problem("plugin_signature_mismatch"));
}

/**
 * Returns the enabled plugin with a public id. Without a public id, returns the plugin of the only shop that enabled the integration. Null
 * if there is none, or several.
 */
export async function findOnlyPlugin(
  { pool }: Pick<PluginContext, "pool">,
  { integration, publicId }: { integration: IntegrationId; publicId: string | null },
  now: Date,
): Promise<Plugin | null> {
  if (publicId !== null) {
    const named = await findPluginByPublicId(pool.db, integration, publicId);
    return named?.isOn ? named : null;
  }
  const keys = await listKeysOfIntegration(pool.db, integration, MAX_KEYS, now);
  const [merchantId, ...others] = new Set(keys.map((key) => key.merchantId));
  if (merchantId === undefined || others.length > 0) return null;
  return findPlugin(pool.db, { merchantId, integration });
}

const refused = () => new AppError(problem("plugin_sign_mismatch"));
