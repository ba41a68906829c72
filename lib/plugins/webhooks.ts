import type { Db } from "@/db/client";
import { wakeUnsigned } from "@/db/queries/callbacks/unsigned";
import { lockPlugin, type Plugin } from "@/db/queries/plugins/plugins";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
  updateWebhook,
  type WebhookRow,
} from "@/db/queries/plugins/webhooks";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { encrypt } from "@/lib/merchants/vault";

/** The plugin that the webhooks belong to. */
type PluginRef = Pick<Plugin, "merchantId" | "integration">;

/** The fields of a webhook that its shop chooses. */
export type WebhookFields = Pick<WebhookRow, "url" | "events" | "isEnabled" | "isRedelivered">;

/** A webhook without its secret. */
export type PluginWebhook = WebhookFields & Pick<WebhookRow, "id">;

/** Adds a webhook, whose secret signs its callbacks. @throws AppError 10004 if the plugin has too many */
export async function createPluginWebhook(
  db: Db,
  appSecret: AppSecret,
  plugin: PluginRef,
  { secret, ...fields }: WebhookFields & { secret: string },
  now: Date,
): Promise<PluginWebhook> {
  const { merchantId, integration } = plugin;
  const id = newId(now);
  const secretCipher = encryptSecret(appSecret, id, secret);
  const row = { ...fields, id, merchantId, integration, secretCipher, createdAt: now, changedAt: now };
  await db.transaction(async (tx) => {
    await lockPlugin(tx, plugin);
    const { length } = await listWebhooks(tx, merchantId, integration);
    if (length >= MAX_WEBHOOKS) throw new AppError(problem("too_many_webhooks", { max: MAX_WEBHOOKS }));
    await insertWebhook(tx, row);
  });
  return row;
}

/** Lists the webhooks of a plugin, oldest first. */
export async function listPluginWebhooks(db: Db, { merchantId, integration }: PluginRef): Promise<PluginWebhook[]> {
  return listWebhooks(db, merchantId, integration);
}

/** Finds a webhook of a plugin; null if it has none with this id. */
export async function findPluginWebhook(
  db: Db,
  { merchantId, integration }: PluginRef,
  id: string,
): Promise<PluginWebhook | null> {
  const row = await findWebhook(db, { merchantId, id });
  return row?.integration === integration ? row : null;
}

/**
 * Changes a webhook.
 * @param change the new values; if its `secret` is null, the secret of the webhook does not change
 * @returns null if the plugin has no webhook with this id
 */
export async function changePluginWebhook(
  db: Db,
  appSecret: AppSecret,
  plugin: PluginRef & { id: string },
  { secret, ...fields }: WebhookFields & { secret: string | null },
  now: Date,
): Promise<PluginWebhook | null> {
  const { id, merchantId } = plugin;
  if (!(await findPluginWebhook(db, plugin, id))) return null;
  const encrypted = secret === null ? {} : { secretCipher: encryptSecret(appSecret, id, secret) };
  return db.transaction(async (tx) => {
    const row = await updateWebhook(tx, { merchantId, id }, { ...fields, ...encrypted }, now);
    if (row) await wakeUnsigned(tx, merchantId, now);
    return row;
  });
}

/** Deletes a webhook. @returns false if the plugin has none with this id */
export async function deletePluginWebhook(db: Db, plugin: PluginRef, id: string): Promise<boolean> {
  if (!(await findPluginWebhook(db, plugin, id))) return false;
  return deleteWebhook(db, { merchantId: plugin.merchantId, id });
}

function encryptSecret(appSecret: AppSecret, id: string, secret: string): string {
  return encrypt(appSecret, `plugin_webhooks:${id}`, secret);
}
