import { randomBytes } from "node:crypto";
import { wakeUnsigned } from "@/db/queries/callbacks/unsigned";
import { lockPlugin, type Plugin } from "@/db/queries/plugins/plugins";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  MOST_WEBHOOKS,
  updateWebhook,
  type WebhookRow,
} from "@/db/queries/plugins/webhooks";
import { validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { newId } from "@/lib/domain/id";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { seal } from "@/lib/merchants/vault";

type Asked = Pick<WebhookRow, "url" | "events" | "isEnabled" | "isRedelivered"> & { secret: string | null };

const EVENT = /^[A-Za-z]{1,60}$/;
const MOST_EVENTS = 50;
const SECRET = /^[\x21-\x7e]{8,200}$/;

/**
 * Keeps an address to which news of the store's invoices are sent, and shows its secret, which is never shown again.
 * @throws AppError 10001 naming the field, 10004 the store has too many
 */
export async function createWebhook(ctx: ApiContext, plugin: Plugin, body: JsonObject, now: Date): Promise<object> {
  const { secret: given, ...asked } = readWebhook(ctx, body);
  const { merchantId } = plugin;
  const id = newId(now);
  const secret = given ?? randomBytes(24).toString("base64url");
  const secretCipher = seal(ctx.env.appSecret, `plugin_webhooks:${id}`, secret);
  const row = {
    ...asked,
    id,
    merchantId,
    integration: "greenfield" as const,
    secretCipher,
    createdAt: now,
    changedAt: now,
  };
  await ctx.pool.db.transaction(async (tx) => {
    await lockPlugin(tx, plugin);
    const { length } = await listWebhooks(tx, merchantId, "greenfield");
    if (length >= MOST_WEBHOOKS) throw new AppError(problem("too_many_webhooks", { max: MOST_WEBHOOKS }));
    await insertWebhook(tx, row);
  });
  return { ...toWebhook(row), secret };
}

/** A store's webhooks, oldest first. */
export async function listStoreWebhooks({ pool }: ApiContext, { merchantId }: Plugin): Promise<object[]> {
  return (await listWebhooks(pool.db, merchantId, "greenfield")).map(toWebhook);
}

/** @throws AppError 10003 */
export async function showWebhook({ pool }: ApiContext, { merchantId }: Plugin, id: string): Promise<object> {
  const row = await findWebhook(pool.db, { merchantId, id });
  if (row?.integration !== "greenfield") throw noWebhook();
  return toWebhook(row);
}

/** Changes a webhook; without a new secret it keeps its own. @throws AppError 10001 naming the field, 10003 */
export async function changeWebhook(
  ctx: ApiContext,
  plugin: Plugin,
  { id, body }: { id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  await showWebhook(ctx, plugin, id);
  const { secret, ...asked } = readWebhook(ctx, body);
  const sealed = secret === null ? {} : { secretCipher: seal(ctx.env.appSecret, `plugin_webhooks:${id}`, secret) };
  return ctx.pool.db.transaction(async (tx) => {
    const row = await updateWebhook(tx, { ...plugin, id }, { ...asked, ...sealed }, now);
    if (!row) throw noWebhook();
    await wakeUnsigned(tx, plugin.merchantId, now);
    return toWebhook(row);
  });
}

/** @throws AppError 10003 */
export async function removeWebhook(ctx: ApiContext, plugin: Plugin, id: string): Promise<object> {
  await showWebhook(ctx, plugin, id);
  if (!(await deleteWebhook(ctx.pool.db, { ...plugin, id }))) throw noWebhook();
  return {};
}

function noWebhook(): AppError {
  return new AppError(problem("webhook_not_found"), { data: { name: "webhook-not-found" } });
}

function toWebhook({ id, url, events, isEnabled, isRedelivered }: Omit<Asked, "secret"> & { id: string }) {
  const authorizedEvents = { everything: events.length === 0, specificEvents: events };
  return { id, enabled: isEnabled, automaticRedelivery: isRedelivered, url, authorizedEvents };
}

function readWebhook({ env }: ApiContext, body: JsonObject): Asked {
  const { url, secret = null, enabled = true, automaticRedelivery = true } = body;
  if (typeof url !== "string") throw invalidField("url", problem("value_is_missing"));
  const wrong = validateCallbackUrl(url, { allowCidrs: env.callbackAllowCidrs });
  if (wrong) throw invalidField("url", wrong);
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
  const isList = Array.isArray(specificEvents) && specificEvents.length <= MOST_EVENTS;
  if (
    !isList ||
    specificEvents.length === 0 ||
    !specificEvents.every((one) => typeof one === "string" && EVENT.test(one))
  )
    throw invalidField("authorizedEvents", problem("webhook_events_malformed", { shape: '{"everything": true}' }));
  return [...new Set(specificEvents as string[])];
}
