import type { Db } from "@/db/client";
import { insertCallbacks } from "@/db/queries/callbacks/callbacks";
import { type DeliveryRow, listDeliveries } from "@/db/queries/plugins/deliveries";
import { findWebhook } from "@/db/queries/plugins/webhooks";
import { callbackOrigin } from "@/lib/domain/callbacks/callback";
import { newId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { getIntegration, type Integrations } from "@/lib/domain/integrations/integration";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { readRecordedProblem } from "@/lib/domain/problems/recorded";

/** A webhook of a plugin, and the merchant that it belongs to. */
interface WebhookRef {
  merchantId: string;
  integration: IntegrationId;
  webhookId: string;
}

/** A callback that was sent to a webhook at least once, with the result of its last attempt. */
export interface PluginDelivery {
  id: string;
  createdAt: Date;
  /** The start of the last attempt; null if the record of the attempt was deleted. */
  sentAt: Date | null;
  /** The status of the response; null if there was no response. */
  httpStatus: number | null;
  isAcknowledged: boolean;
  /** The reason why there was no response; null if there was one. */
  error: string | null;
  /** The body of every attempt. */
  body: string;
}

/** Lists the callbacks that were sent to a webhook of a plugin, newest first. */
export async function listPluginDeliveries(
  db: Db,
  integrations: Integrations,
  webhook: WebhookRef,
  limit: number,
): Promise<PluginDelivery[]> {
  return (await listDeliveries(db, webhook, { limit })).map((row) => toDelivery(row, integrations, webhook));
}

/** Finds a callback that was sent to a webhook; null if there is none, or if it was not sent yet. */
export async function findPluginDelivery(
  db: Db,
  integrations: Integrations,
  webhook: WebhookRef,
  id: string,
): Promise<PluginDelivery | null> {
  const [row] = await listDeliveries(db, webhook, { id });
  return row ? toDelivery(row, integrations, webhook) : null;
}

/**
 * Enqueues a new callback with the event of an earlier one, to the webhook's current URL. Every call enqueues one.
 * @returns the id of the new callback; null if there is no such webhook or callback, or the integration cannot repeat it
 */
export async function redeliverPluginCallback(
  db: Db,
  integrations: Integrations,
  webhook: WebhookRef,
  id: string,
  now: Date,
): Promise<string | null> {
  const { merchantId, integration, webhookId } = webhook;
  return db.transaction(async (tx) => {
    const found = await findWebhook(tx, { merchantId, id: webhookId });
    const [before] = found?.integration === integration ? await listDeliveries(tx, webhook, { id }) : [];
    const renewed = `evt_${newId(now)}`;
    const body = before && getIntegration(integrations, integration).callbacks.repeat?.(before.body, renewed);
    if (!found || !before || body === undefined) return null;
    const { target, type } = before;
    const { url } = found;
    const about = { merchantId, target, type, format: integration, webhookId };
    await insertCallbacks(tx, [{ ...about, id: renewed, url, origin: callbackOrigin(url), body }], now);
    return renewed;
  });
}

function toDelivery(row: DeliveryRow, integrations: Integrations, { integration }: WebhookRef): PluginDelivery {
  const { id, body, http_status: httpStatus, sent_ms: sentMs, error } = row;
  const { callbacks } = getIntegration(integrations, integration);
  return {
    id,
    body,
    createdAt: new Date(row.created_ms),
    sentAt: sentMs === null ? null : new Date(sentMs),
    httpStatus,
    // The response of a webhook depends on its status only; its text is not kept in full.
    isAcknowledged: httpStatus !== null && callbacks.isAcknowledged(httpStatus, ""),
    error: error === null ? null : inEnglish(readRecordedProblem(error)),
  };
}
