import { randomBytes } from "node:crypto";
import { validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { type JsonObject, seen } from "@/lib/domain/fields/json-value";
import { JsonText } from "@/lib/domain/orders/order-wire";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import {
  findPluginDelivery,
  listPluginDeliveries,
  type PluginDelivery,
  redeliverPluginCallback,
} from "@/lib/plugins/deliveries";
import type { Plugin } from "@/lib/plugins/plugin-caller";
import {
  changePluginWebhook,
  createPluginWebhook,
  deletePluginWebhook,
  findPluginWebhook,
  listPluginWebhooks,
  type PluginWebhook,
  type WebhookFields,
} from "@/lib/plugins/webhooks";

type WebhookRequest = WebhookFields & { secret: string | null };

const EVENT = /^[A-Za-z]{1,60}$/;
const MAX_EVENTS = 50;
const SECRET = /^[\x21-\x7e]{8,200}$/;

/**
 * Adds a webhook for the events of the store's invoices. The response contains its secret, which is never returned again.
 * @throws AppError 10001 naming the field, 10004 if the store has too many
 */
export async function createWebhook(ctx: ApiContext, plugin: Plugin, body: JsonObject, now: Date): Promise<object> {
  const { secret: given, ...fields } = readWebhook(ctx, body);
  const secret = given ?? randomBytes(24).toString("base64url");
  const webhook = await createPluginWebhook(ctx.pool.db, ctx.env.appSecret, plugin, { ...fields, secret }, now);
  return { ...toWebhook(webhook), secret };
}

/** Lists a store's webhooks, oldest first. */
export async function listStoreWebhooks({ pool }: ApiContext, plugin: Plugin): Promise<object[]> {
  return (await listPluginWebhooks(pool.db, plugin)).map(toWebhook);
}

/** Returns a webhook. @throws AppError 10003 */
export async function showWebhook({ pool }: ApiContext, plugin: Plugin, id: string): Promise<object> {
  const webhook = await findPluginWebhook(pool.db, plugin, id);
  if (!webhook) throw noWebhook();
  return toWebhook(webhook);
}

/**
 * Changes a webhook. Without a new secret, its current secret is retained.
 * @throws AppError 10001 naming the field, 10003
 */
export async function changeWebhook(
  ctx: ApiContext,
  plugin: Plugin,
  { id, body }: { id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  await showWebhook(ctx, plugin, id);
  const change = readWebhook(ctx, body);
  const webhook = await changePluginWebhook(ctx.pool.db, ctx.env.appSecret, { ...plugin, id }, change, now);
  if (!webhook) throw noWebhook();
  return toWebhook(webhook);
}

/** Deletes a webhook. @throws AppError 10003 */
export async function removeWebhook({ pool }: ApiContext, plugin: Plugin, id: string): Promise<object> {
  if (!(await deletePluginWebhook(pool.db, plugin, id))) throw noWebhook();
  return {};
}

const MAX_DELIVERIES = 100;

/**
 * Lists the latest deliveries to a webhook, newest first.
 * @param count the maximum number; null: 100
 * @throws AppError 10001 naming the parameter, 10003
 */
export async function listWebhookDeliveries(
  ctx: ApiContext,
  plugin: Plugin,
  id: string,
  count: string | null,
): Promise<object[]> {
  await showWebhook(ctx, plugin, id);
  if (count && !/^\d{1,10}$/.test(count))
    throw invalidField("count", problem("digits_malformed", { given: seen(count), max: 10 }));
  const limit = Math.min(count ? Number(count) : MAX_DELIVERIES, MAX_DELIVERIES);
  const webhook = { ...plugin, webhookId: id };
  return (await listPluginDeliveries(ctx.pool.db, ctx.integrations, webhook, limit)).map(toDeliveryData);
}

/** Returns a delivery to a webhook. @throws AppError 10003 */
export async function showDelivery(ctx: ApiContext, plugin: Plugin, webhookId: string, id: string): Promise<object> {
  return toDeliveryData(await findDelivery(ctx, plugin, webhookId, id));
}

/** Returns the body of a delivery, byte for byte. @throws AppError 10003 */
export async function showDeliveryRequest(
  ctx: ApiContext,
  plugin: Plugin,
  webhookId: string,
  id: string,
): Promise<object> {
  return new JsonText((await findDelivery(ctx, plugin, webhookId, id)).body);
}

/** Repeats a delivery. @returns the id of the new delivery, as JSON @throws AppError 10003 */
export async function redeliver(
  ctx: ApiContext,
  plugin: Plugin,
  { webhookId, id }: { webhookId: string; id: string },
  now: Date,
): Promise<object> {
  const webhook = { ...plugin, webhookId };
  const renewed = await redeliverPluginCallback(ctx.pool.db, ctx.integrations, webhook, id, now);
  if (renewed === null) throw noDelivery();
  return new JsonText(JSON.stringify(renewed));
}

async function findDelivery(ctx: ApiContext, plugin: Plugin, webhookId: string, id: string): Promise<PluginDelivery> {
  const delivery = await findPluginDelivery(ctx.pool.db, ctx.integrations, { ...plugin, webhookId }, id);
  if (!delivery) throw noDelivery();
  return delivery;
}

function noDelivery(): AppError {
  return new AppError(problem("delivery_not_found"), { data: { name: "webhookdelivery-not-found" } });
}

/** Returns the JSON of a delivery. Source of the statuses and messages: BTCPay Server, WebhookDeliveryStatus and WebhookSender. */
function toDeliveryData({ id, createdAt, sentAt, httpStatus, isAcknowledged, error }: PluginDelivery): object {
  const answered = isAcknowledged ? "HttpSuccess" : "HttpError";
  return {
    id,
    timestamp: unixSeconds(createdAt),
    sentTimestamp: sentAt && unixSeconds(sentAt),
    httpCode: httpStatus,
    errorMessage: error ?? (isAcknowledged || httpStatus === null ? "" : `HTTP Error Code ${httpStatus}`),
    status: httpStatus === null ? "Failed" : answered,
  };
}

const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);

function noWebhook(): AppError {
  return new AppError(problem("webhook_not_found"), { data: { name: "webhook-not-found" } });
}

function toWebhook({ id, url, events, isEnabled, isRedelivered }: PluginWebhook) {
  const authorizedEvents = { everything: events.length === 0, specificEvents: events };
  return { id, enabled: isEnabled, automaticRedelivery: isRedelivered, url, authorizedEvents };
}

function readWebhook({ env }: ApiContext, body: JsonObject): WebhookRequest {
  const { url, secret = null, enabled = true, automaticRedelivery = true } = body;
  if (typeof url !== "string") throw invalidField("url", problem("value_is_missing"));
  const invalid = validateCallbackUrl(url, { allowCidrs: env.callbackAllowCidrs });
  if (invalid) throw invalidField("url", invalid);
  if (typeof enabled !== "boolean") throw invalidField("enabled", problem("flag_malformed"));
  if (typeof automaticRedelivery !== "boolean") throw invalidField("automaticRedelivery", problem("flag_malformed"));
  if (secret !== null && secret !== "" && !(typeof secret === "string" && SECRET.test(secret)))
    throw invalidField("secret", problem("webhook_secret_malformed"));
  const events = readEvents(body["authorizedEvents"]);
  return { url, events, isEnabled: enabled, isRedelivered: automaticRedelivery, secret: secret || null };
}

/** None: everything. */
function readEvents(given: unknown): string[] {
  const { everything = true, specificEvents = [] } = (given ?? {}) as Record<string, unknown>;
  if (everything === true) return [];
  const isList = Array.isArray(specificEvents) && specificEvents.length <= MAX_EVENTS;
  if (
    !isList ||
    specificEvents.length === 0 ||
    !specificEvents.every((one) => typeof one === "string" && EVENT.test(one))
  )
    throw invalidField("authorizedEvents", problem("webhook_events_malformed", { shape: '{"everything": true}' }));
  return [...new Set(specificEvents as string[])];
}
