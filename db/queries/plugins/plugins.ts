import { and, eq, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { pluginKeys, plugins } from "@/db/schema";
import type { IntegrationId } from "@/lib/domain/integration-id";

/** A shop's settings for an integration. */
export type Plugin = Omit<typeof plugins.$inferSelect, "takesKeyInUrl" | "expiration">;

/** An encrypted key of a plugin. */
export interface EncryptedKey extends Record<string, unknown> {
  id: string;
  merchantId: string;
  integration: IntegrationId;
  keyCipher: string;
}

const IS_LIVE = "is_live(k.ends_at, $2::timestamptz)";
const COLUMNS = `k.id, k.merchant_id as "merchantId", k.dialect as integration, k.key_cipher as "keyCipher"`;
const MAX_KEYS = 10;

const LIST_OF_PLUGINS = `
  select ${COLUMNS} from (select distinct * from jsonb_to_recordset($1::text::jsonb) as a (merchant_id text, dialect text)) asked
  cross join lateral (
    select * from plugin_keys k where k.merchant_id = asked.merchant_id and k.dialect = asked.dialect and k.key_cipher is not null
      and ${IS_LIVE}
    order by (k.last_used_at is not null) desc, k.created_at desc, k.id desc limit ${MAX_KEYS}) k`;

/**
 * Returns the live keys of plugins for integrations in which both sides sign with the same key. Keys that their shops have used come
 * first, then the newest. Requests to a shop are thus signed with a new key only once the shop has used it or the old key has ended.
 */
export async function listSigningKeys(
  db: Db,
  asked: readonly { merchantId: string; integration: IntegrationId }[],
  now: Date,
): Promise<EncryptedKey[]> {
  const list = asked.map(({ merchantId, integration }) => ({ merchant_id: merchantId, dialect: integration }));
  return runPrepared<EncryptedKey>(db, LIST_OF_PLUGINS, [JSON.stringify(list), now.toISOString()]);
}

const LIST_OF_INTEGRATION = `
  select ${COLUMNS} from plugin_keys k join plugins p on p.merchant_id = k.merchant_id and p.dialect = k.dialect
  where k.dialect = $1 and p.is_on and k.key_cipher is not null and ${IS_LIVE}
  order by k.last_used_at desc nulls last, k.created_at desc limit $3`;

/** Returns the live keys of all shops that enabled an integration, last used first, for requests that do not identify a shop. */
export async function listKeysOfIntegration(
  db: Db,
  integration: IntegrationId,
  limit: number,
  now: Date,
): Promise<EncryptedKey[]> {
  return runPrepared<EncryptedKey>(db, LIST_OF_INTEGRATION, [integration, now.toISOString(), String(limit)]);
}

/** Returns the plugin with a public id; null if there is none. */
export async function findPluginByPublicId(
  db: Db,
  integration: IntegrationId,
  publicId: string,
): Promise<Plugin | null> {
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.publicId, publicId), eq(plugins.integration, integration)));
  return row ?? null;
}

/** Returns the plugin that a token belongs to, the token's own id and its permissions; null if no live token has this hash. */
export async function findPluginByToken(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<{ plugin: Plugin; id: string; label: string; permissions: string[] } | null> {
  const { id, label, permissions } = pluginKeys;
  const [row] = await db
    .select({ plugin: plugins, id, label, permissions })
    .from(pluginKeys)
    .innerJoin(
      plugins,
      and(eq(plugins.merchantId, pluginKeys.merchantId), eq(plugins.integration, pluginKeys.integration)),
    )
    .where(
      and(eq(pluginKeys.tokenHash, tokenHash), sql`is_live(${pluginKeys.endsAt}, ${now.toISOString()}::timestamptz)`),
    );
  return row ?? null;
}

/** Returns a shop's plugin for an integration; null if it never had one. */
export async function findPlugin(
  db: Db,
  { merchantId, integration }: { merchantId: string; integration: IntegrationId },
): Promise<Plugin | null> {
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.merchantId, merchantId), eq(plugins.integration, integration)));
  return row ?? null;
}

/** Returns a shop's plugin for an integration, locked until the transaction ends; null if it never had one. */
export async function lockPlugin(
  db: Db,
  { merchantId, integration }: { merchantId: string; integration: IntegrationId },
): Promise<Plugin | null> {
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.merchantId, merchantId), eq(plugins.integration, integration)))
    .for("update");
  return row ?? null;
}

/**
 * Inserts a plugin unless the shop already has one for this integration.
 * @returns false if it was not inserted, which is also the case if the public id is in use
 */
export async function insertPlugin(
  db: Db,
  plugin: Pick<Plugin, "merchantId" | "integration" | "publicId" | "isOn" | "fiat">,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .insert(plugins)
    .values({ ...plugin, createdAt: now, changedAt: now })
    .onConflictDoNothing()
    .returning({ id: plugins.publicId });
  return rows.length > 0;
}

/** Changes a plugin. Call it with the plugin locked. */
export async function updatePlugin(
  db: Db,
  { merchantId, integration }: { merchantId: string; integration: IntegrationId },
  change: Partial<Pick<Plugin, "isOn" | "settings" | "fiat">>,
  now: Date,
): Promise<void> {
  await db
    .update(plugins)
    .set({ ...change, changedAt: now })
    .where(and(eq(plugins.merchantId, merchantId), eq(plugins.integration, integration)));
}

/** A key of a plugin, for display. */
export type PluginKeyRow = Pick<
  typeof pluginKeys.$inferSelect,
  "id" | "integration" | "label" | "shown" | "permissions" | "createdAt" | "lastUsedAt" | "endsAt"
>;

/** Returns a shop's plugins with their live keys, newest first. */
export async function listPlugins(
  db: Db,
  merchantId: string,
  now: Date,
): Promise<(Plugin & { keys: PluginKeyRow[] })[]> {
  const found = await db.select().from(plugins).where(eq(plugins.merchantId, merchantId));
  const { id, integration, label, shown, permissions, createdAt, lastUsedAt, endsAt } = pluginKeys;
  const keys = await db
    .select({ id, integration, label, shown, permissions, createdAt, lastUsedAt, endsAt })
    .from(pluginKeys)
    .where(
      and(eq(pluginKeys.merchantId, merchantId), sql`is_live(${pluginKeys.endsAt}, ${now.toISOString()}::timestamptz)`),
    )
    .orderBy(sql`${pluginKeys.createdAt} desc, ${pluginKeys.id} desc`)
    .limit(100);
  return found.map((plugin) => ({ ...plugin, keys: keys.filter((key) => key.integration === plugin.integration) }));
}

/** Inserts a key. */
export async function insertPluginKey(
  db: Db,
  key: Omit<typeof pluginKeys.$inferInsert, "createdAt">,
  now: Date,
): Promise<void> {
  await db.insert(pluginKeys).values({ ...key, createdAt: now });
}

/**
 * Ends the live keys of a plugin at a given time, unless they end earlier: all keys, the one with a given id, or those with a given label.
 * @returns the number of ended keys
 */
export async function endPluginKeys(
  db: Db,
  key: { merchantId: string; integration: IntegrationId; id?: string; label?: string; endsAt: Date },
  now: Date,
): Promise<number> {
  const rows = await db
    .update(pluginKeys)
    .set({ endsAt: sql`least(${pluginKeys.endsAt}, ${key.endsAt.toISOString()}::timestamptz)` })
    .where(
      and(
        eq(pluginKeys.merchantId, key.merchantId),
        eq(pluginKeys.integration, key.integration),
        key.id === undefined ? undefined : eq(pluginKeys.id, key.id),
        key.label === undefined ? undefined : eq(pluginKeys.label, key.label),
        sql`is_live(${pluginKeys.endsAt}, ${now.toISOString()}::timestamptz)`,
      ),
    )
    .returning({ id: pluginKeys.id });
  return rows.length;
}

/** Records that a request used a key. The first use is recorded immediately, later ones at most once a minute. */
export async function noteKeyUse(
  db: Db,
  { id, merchantId }: Pick<EncryptedKey, "id" | "merchantId">,
  now: Date,
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await db
    .update(pluginKeys)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(pluginKeys.id, id),
        eq(pluginKeys.merchantId, merchantId),
        sql`(${pluginKeys.lastUsedAt} is null or ${pluginKeys.lastUsedAt} < ${at} - interval '1 minute')`,
      ),
    );
}
