import { and, asc, eq, inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { plugins, pluginWebhooks } from "@/db/schema";
import type { IntegrationId } from "@/lib/domain/integration-id";

/** A stored webhook of a plugin. */
export type WebhookRow = typeof pluginWebhooks.$inferSelect;

interface WebhookRef {
  merchantId: string;
  id: string;
}

/** The maximum number of webhooks that are listed or notified. */
export const MAX_WEBHOOKS = 20;

/** Inserts a webhook. Call it with the plugin locked, because the number of webhooks is limited. */
export async function insertWebhook(db: Db, row: typeof pluginWebhooks.$inferInsert): Promise<void> {
  await db.insert(pluginWebhooks).values(row);
}

/** Returns a plugin's webhooks, oldest first. */
export async function listWebhooks(db: Db, merchantId: string, integration: IntegrationId): Promise<WebhookRow[]> {
  return db
    .select()
    .from(pluginWebhooks)
    .where(and(eq(pluginWebhooks.merchantId, merchantId), eq(pluginWebhooks.integration, integration)))
    .orderBy(asc(pluginWebhooks.createdAt), asc(pluginWebhooks.id))
    .limit(MAX_WEBHOOKS);
}

/** Returns a webhook; null if the merchant has none with this id. */
export async function findWebhook(db: Db, { merchantId, id }: WebhookRef): Promise<WebhookRow | null> {
  const [row] = await db
    .select()
    .from(pluginWebhooks)
    .where(and(eq(pluginWebhooks.id, id), eq(pluginWebhooks.merchantId, merchantId)));
  return row ?? null;
}

type WebhookChange = Partial<Pick<WebhookRow, "url" | "secretCipher" | "events" | "isEnabled" | "isRedelivered">>;

/**
 * Updates a webhook.
 * @returns the updated webhook; null if there is none
 */
export async function updateWebhook(
  db: Db,
  { merchantId, id }: WebhookRef,
  change: WebhookChange,
  now: Date,
): Promise<WebhookRow | null> {
  const [row] = await db
    .update(pluginWebhooks)
    .set({ ...change, changedAt: now })
    .where(and(eq(pluginWebhooks.id, id), eq(pluginWebhooks.merchantId, merchantId)))
    .returning();
  return row ?? null;
}

/**
 * Deletes a webhook.
 * @returns false if there was none
 */
export async function deleteWebhook(db: Db, { merchantId, id }: WebhookRef): Promise<boolean> {
  const rows = await db
    .delete(pluginWebhooks)
    .where(and(eq(pluginWebhooks.id, id), eq(pluginWebhooks.merchantId, merchantId)))
    .returning({ id: pluginWebhooks.id });
  return rows.length > 0;
}

/** A webhook that receives events of the orders that an integration created for a merchant. */
export type ListeningWebhook = Pick<WebhookRow, "id" | "merchantId" | "integration" | "url" | "events"> & {
  publicId: string;
};

/** Returns the enabled webhooks of the enabled plugins of these merchants. */
export async function listListening(db: Db, merchantIds: readonly string[]): Promise<ListeningWebhook[]> {
  if (merchantIds.length === 0) return [];
  const { id, merchantId, integration, url, events } = pluginWebhooks;
  const isOfPlugin = and(eq(plugins.merchantId, merchantId), eq(plugins.integration, integration));
  return db
    .select({ id, merchantId, integration, url, events, publicId: plugins.publicId })
    .from(pluginWebhooks)
    .innerJoin(plugins, isOfPlugin)
    .where(and(inArray(merchantId, [...merchantIds]), eq(pluginWebhooks.isEnabled, true), eq(plugins.isOn, true)))
    .orderBy(asc(pluginWebhooks.createdAt), asc(pluginWebhooks.id));
}
