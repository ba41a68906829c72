import type { Db } from "@/db/client";
import { wakeUnsigned } from "@/db/queries/callbacks/unsigned";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import {
  endPluginKeys,
  findPlugin,
  insertPlugin,
  insertPluginKey,
  listPlugins,
  lockPlugin,
  type Plugin,
  updatePlugin,
} from "@/db/queries/plugins/plugins";
import { notePriceUsed } from "@/db/queries/rates/rates";
import type { AuditAction } from "@/lib/domain/audit/audit";
import { newId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { getIntegration, type Integrations } from "@/lib/domain/integrations/integration";
import { type SettingValues, settingValues } from "@/lib/domain/integrations/settings";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Actor } from "@/lib/domain/keys/role";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { encrypt } from "@/lib/merchants/vault";
import { generateCredential, generatePublicId, type NewCredential } from "@/lib/plugins/plugin-key";

/** A user of a shop, and the integration of the plugin to change. */
export type PluginOf = Pick<Actor, "merchantId" | "userId" | "from"> & { integration: IntegrationId };

/** The dependencies for changing plugins. */
export interface PluginSettingsContext {
  appSecret: AppSecret;
  integrations: Integrations;
}

/** The rules that a shop sets for requests from its plugins. Omitted settings are unchanged. */
export interface PluginRules {
  fiat: string | null;
  settings: SettingValues;
}

/** The values to enter in a plugin. The key is never shown again. */
export interface IssuedPluginKey {
  publicId: string;
  key: string;
  /** The public key with which the shop verifies signatures of this service; only for a key pair. */
  platformKey?: string;
}

/** A token for an application: its label for users, the host that receives the token, and the names of its permissions. */
export interface Grant {
  label: string;
  host: string;
  /**
   * The origin whose pages may show payment pages of the plugin's orders in a frame while the token is live; null if the token is not sent
   * to a site.
   */
  site: string | null;
  permissions: readonly string[];
}

const HOUR_MS = 3_600_000;
const PUBLIC_ID_TRIES = 20;

/**
 * Returns the reason why no plugin of a shop can be enabled, or null. Each enabling is checked, but an enabled plugin stays enabled when the
 * last address is paused or removed.
 */
export async function whyNotEnabled(db: Db, merchantId: string, now: Date): Promise<Problem | null> {
  const addressed = await listAddressedNetworks(db, merchantId, now);
  return addressed.length > 0 ? null : problem("protocol_without_address");
}

/**
 * Enables an integration for a shop, with a new public id the first time. Issues a key or token if none is live, and starts fetching the
 * rate for its price currency.
 * @param plugin `fiat`: the ISO 4217 code of the currency for prices that specify none; null if such prices are amounts of tokens, or if all
 * prices specify a currency
 * @returns the issued key, or null
 */
export async function switchOnPlugin(
  db: Db,
  ctx: PluginSettingsContext,
  plugin: PluginOf & Pick<PluginRules, "fiat">,
  now: Date,
): Promise<IssuedPluginKey | null> {
  const credential = await newCredential(ctx, plugin);
  return db.transaction(async (tx) => {
    const { fiat } = plugin;
    const { publicId } = await makePlugin(tx, ctx, plugin, now);
    const { hasPriceCurrency } = getIntegration(ctx.integrations, plugin.integration).description;
    await updatePlugin(tx, plugin, hasPriceCurrency ? { isOn: true, fiat } : { isOn: true }, now);
    await readMarket(tx, ctx, plugin, fiat, now);
    await record(tx, plugin, "plugin.switched_on", { publicId, fiat }, now);
    if (await hasLiveKey(tx, plugin, now)) return null;
    const pluginKeyId = await issue(tx, ctx, { plugin, credential }, now);
    await record(tx, plugin, "plugin_key.issued", { pluginKeyId }, now);
    return toIssued(publicId, credential);
  });
}

/**
 * Issues a token for an application in addition to all live ones, and enables the integration if it is off.
 * @returns the token and the public id of its shop
 */
export async function grantPluginKey(
  db: Db,
  ctx: PluginSettingsContext,
  plugin: PluginOf & Grant,
  now: Date,
): Promise<IssuedPluginKey> {
  const credential = await newCredential(ctx, plugin);
  return db.transaction(async (tx) => {
    const before = await lockPlugin(tx, plugin);
    const { publicId } = await makePlugin(tx, ctx, { ...plugin, fiat: null }, now);
    await updatePlugin(tx, plugin, { isOn: true }, now);
    if (!before?.isOn) await record(tx, plugin, "plugin.switched_on", { publicId }, now);
    const { label, host, site, permissions } = plugin;
    const more = { label, site, permissions: [...permissions] };
    const pluginKeyId = await issue(tx, ctx, { plugin, credential }, now, more);
    await record(tx, plugin, "plugin_key.granted", { pluginKeyId, label, host, scopes: permissions }, now);
    return toIssued(publicId, credential);
  });
}

/**
 * Disables an integration for a shop. Requests are refused; callbacks of its orders are still delivered.
 * @returns false if it is already off
 */
export async function switchOffPlugin(db: Db, plugin: PluginOf, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockPlugin(tx, plugin))?.isOn) return false;
    await updatePlugin(tx, plugin, { isOn: false }, now);
    await record(tx, plugin, "plugin.switched_off", {}, now);
    return true;
  });
}

/** Changes the rules for a plugin's requests. @returns the problem of the rules; null if they are stored */
export async function changePlugin(
  db: Db,
  ctx: Pick<PluginSettingsContext, "integrations">,
  plugin: PluginOf,
  rules: PluginRules,
  now: Date,
): Promise<Problem | null> {
  if (rules.fiat !== null && !findFiat(rules.fiat))
    return problem("currency_unknown", { given: rules.fiat.slice(0, 10) });
  return db.transaction(async (tx) => {
    const before = await lockPlugin(tx, plugin);
    if (!before) return problem("protocol_never_on");
    const declared = getIntegration(ctx.integrations, plugin.integration).description.settings;
    const settingsBefore = settingValues(declared, before.settings);
    const settings = settingValues(declared, { ...settingsBefore, ...rules.settings });
    await updatePlugin(tx, plugin, { fiat: rules.fiat, settings }, now);
    await readMarket(tx, ctx, plugin, rules.fiat, now);
    const detail = { before: { ...settingsBefore, fiat: before.fiat }, after: { ...settings, fiat: rules.fiat } };
    await record(tx, plugin, "plugin.changed", detail, now);
    return null;
  });
}

/**
 * Issues a new key. The other keys stay live for `overlapHours` and sign callbacks until a request arrives with the new one. Application
 * tokens stay live, because the applications would not receive the new one.
 * @returns null if the plugin was never switched on
 */
export async function rotatePluginKey(
  db: Db,
  ctx: PluginSettingsContext,
  plugin: PluginOf & { overlapHours: number },
  now: Date,
): Promise<IssuedPluginKey | null> {
  const credential = await newCredential(ctx, plugin);
  return db.transaction(async (tx) => {
    const found = await lockPlugin(tx, plugin);
    if (!found) return null;
    const { overlapHours } = plugin;
    await endPluginKeys(tx, { ...plugin, label: "", endsAt: new Date(now.getTime() + overlapHours * HOUR_MS) }, now);
    const pluginKeyId = await issue(tx, ctx, { plugin, credential }, now);
    await record(tx, plugin, "plugin_key.rotated", { pluginKeyId, overlapHours }, now);
    return toIssued(found.publicId, credential);
  });
}

/**
 * Revokes a key immediately.
 * @returns false if there is no such live key
 */
export async function revokePluginKey(db: Db, plugin: PluginOf & { id: string }, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { merchantId, integration, id } = plugin;
    if ((await endPluginKeys(tx, { merchantId, integration, id, endsAt: now }, now)) === 0) return false;
    await record(tx, plugin, "plugin_key.revoked", { pluginKeyId: id }, now);
    return true;
  });
}

/** Starts fetching the rate of a plugin's currency. Otherwise the first order would be refused, because no rate is available yet. */
async function readMarket(
  tx: Db,
  { integrations }: Pick<PluginSettingsContext, "integrations">,
  { merchantId, integration }: PluginOf,
  fiat: string | null,
  now: Date,
): Promise<void> {
  if (fiat !== null && getIntegration(integrations, integration).description.hasPriceCurrency)
    await notePriceUsed(tx, merchantId, fiat, now);
}

async function hasLiveKey(tx: Db, { merchantId, integration }: PluginOf, now: Date): Promise<boolean> {
  const found = await listPlugins(tx, merchantId, now);
  return found.some((plugin) => plugin.integration === integration && plugin.keys.length > 0);
}

/** Locks the plugin, and creates it if the shop has none. */
async function makePlugin(
  tx: Db,
  { integrations }: PluginSettingsContext,
  plugin: PluginOf & Pick<PluginRules, "fiat">,
  now: Date,
): Promise<Plugin> {
  const { merchantId, integration, fiat } = plugin;
  const form = getIntegration(integrations, integration).credentials.publicId;
  for (let tries = 0; tries < PUBLIC_ID_TRIES; tries++) {
    if (!(await findPlugin(tx, plugin)))
      await insertPlugin(tx, { merchantId, integration, publicId: generatePublicId(form), isOn: true, fiat }, now);
    const made = await lockPlugin(tx, plugin);
    if (made) return made;
  }
  throw new Error("No unused public id was found for a plugin");
}

function newCredential({ integrations }: PluginSettingsContext, { integration }: PluginOf): Promise<NewCredential> {
  return generateCredential(getIntegration(integrations, integration).credentials.key);
}

function toIssued(publicId: string, { key, platformKey }: NewCredential): IssuedPluginKey {
  return platformKey === undefined ? { publicId, key } : { publicId, key, platformKey };
}

/** Stores a credential. @returns the id of its row */
async function issue(
  tx: Db,
  { appSecret }: PluginSettingsContext,
  { plugin, credential }: { plugin: PluginOf; credential: NewCredential },
  now: Date,
  more: { label?: string; site?: string | null; permissions?: string[] } = {},
): Promise<string> {
  const id = newId(now);
  const { merchantId, integration } = plugin;
  const { shown, stored } = credential;
  const kept = "secret" in stored ? { keyCipher: encrypt(appSecret, `plugin_keys:${id}`, stored.secret) } : stored;
  await insertPluginKey(tx, { id, merchantId, integration, shown, ...kept, ...more }, now);
  await wakeUnsigned(tx, merchantId, now);
  return id;
}

async function record(
  tx: Db,
  { merchantId, userId, from, integration }: PluginOf,
  action: AuditAction,
  detail: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await insertAuditEvent(tx, { merchantId, userId, from, action, detail: { name: integration, ...detail } }, now);
}
