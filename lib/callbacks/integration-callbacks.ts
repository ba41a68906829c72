import type { Db } from "@/db/client";
import type { NewCallback } from "@/db/queries/callbacks/callbacks";
import { listSigningKeys, type SealedKey } from "@/db/queries/plugins/plugins";
import { findWebhook, listListening } from "@/db/queries/plugins/webhooks";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { type CallbackType, callbackOrigin } from "@/lib/domain/callbacks/callback";
import { btcpaySignature, invoiceNews, webhookOf, writeDelivery } from "@/lib/domain/callbacks/greenfield-news";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";
import { newId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration";
import { type EpayFields, withEpayFields } from "@/lib/domain/integrations/epay";
import { withEpusdtSignature } from "@/lib/domain/integrations/epusdt";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { DetailData } from "@/lib/domain/orders/order-wire";
import type { Log } from "@/lib/log";
import { open } from "@/lib/merchants/vault";
import type { Post } from "@/lib/outbound/guarded-post";

/** What leaves: with what proves where it comes from in its headers, its URL or its body, as the format has it. */
export type SignedCallback = Required<Pick<Post, "method" | "url" | "headers" | "body">>;

/** What it takes to open a sealed key. */
export interface OpeningContext {
  appSecret: AppSecret;
  log: Log;
}

interface IntegrationAttempt {
  merchantId: string;
  integration: IntegrationId;
  url: string;
  /** As the integration's news were written, without a signature. */
  body: string;
}

interface Asked {
  merchantId: string;
  integration: IntegrationId;
  at: Date;
}

/**
 * Makes what signs the callbacks of integrations, each with the key of its plugin: the one that the shop has used last of those that it was
 * given, for one that it does not know yet would have everything refused. What is signed together is looked up together.
 */
export function createIntegrationSigner(db: Db, ctx: OpeningContext) {
  const findKey = createBatcher<Asked, SealedKey | null>({
    async run(asked) {
      const at = new Date(Math.max(...asked.map((one) => one.at.getTime())));
      const keys = await listSigningKeys(db, asked, at);
      return asked.map(
        ({ merchantId, integration }) =>
          keys.find((key) => key.merchantId === merchantId && key.integration === integration) ?? null,
      );
    },
    ownerOf: () => "",
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });

  return async (attempt: IntegrationAttempt, at: Date): Promise<SignedCallback | UnsignedReason> => {
    const { merchantId, integration } = attempt;
    if (integration === "greenfield") return signForWebhook(db, ctx, attempt);
    const sealed = await findKey({ merchantId, integration, at });
    if (!sealed) return "no_key";
    const key = openPluginKey(ctx, sealed);
    return key === null ? "unreadable_key" : toRequest({ ...attempt, integration }, key);
  };
}

/** The key itself; null, and told, where it cannot be opened. */
export function openPluginKey(
  { appSecret, log }: OpeningContext,
  { id, keyCipher }: Pick<SealedKey, "id" | "keyCipher">,
): string | null {
  try {
    return open(appSecret, `plugin_keys:${id}`, keyCipher);
  } catch (error) {
    log.error({ err: error, pluginKeyId: id }, "the key of a plugin cannot be opened: is APP_SECRET another one?");
    return null;
  }
}

/** News of an order whose integration has webhooks. */
interface WebhookNews {
  merchantId: string;
  orderId: string;
  type: CallbackType;
  at: Date;
  data: DetailData;
}

/** What a plugin's webhooks are owed for news of its orders: each a delivery of its own for each event that it wants. */
export async function deliveriesOf(db: Db, news: readonly WebhookNews[]): Promise<NewCallback[]> {
  const hooks = await listListening(db, [...new Set(news.map(({ merchantId }) => merchantId))]);
  return news.flatMap(({ merchantId, orderId, type, at, data }) =>
    hooks
      .filter((hook) => hook.merchantId === merchantId && hook.integration === "greenfield")
      .flatMap(({ id: webhookId, publicId: storeId, url, events }) =>
        invoiceNews(type, data, at)
          .filter((one) => events.length === 0 || events.includes(one.type))
          .map((one) => {
            const id = `evt_${newId(at)}`;
            const body = writeDelivery({ id, webhookId, storeId, news: one, data, at });
            const to = { url, origin: callbackOrigin(url), format: "greenfield" as const, webhookId };
            return { id, merchantId, target: { kind: "order" as const, id: orderId }, type, body, ...to };
          }),
      ),
  );
}

/** Signs with the secret of the webhook. */
async function signForWebhook(
  db: Db,
  { appSecret, log }: OpeningContext,
  { merchantId, url, body }: IntegrationAttempt,
): Promise<SignedCallback | UnsignedReason> {
  const hook = await findWebhook(db, { merchantId, id: webhookOf(body) });
  if (!hook) return "webhook_deleted";
  if (!hook.isEnabled) return "webhook_off";
  try {
    const secret = open(appSecret, `plugin_webhooks:${hook.id}`, hook.secretCipher);
    const headers = { "content-type": "application/json", "btcpay-sig": btcpaySignature(body, secret) };
    return { method: "POST", url, headers, body };
  } catch (error) {
    log.error(
      { err: error, webhookId: hook.id },
      "the secret of a webhook cannot be opened: is APP_SECRET another one?",
    );
    return "unreadable_key";
  }
}

function toRequest(
  { integration, url, body }: IntegrationAttempt & { integration: Exclude<IntegrationId, "greenfield"> },
  key: string,
): SignedCallback {
  switch (integration) {
    case "epay":
      return { method: "GET", url: withEpayFields(url, JSON.parse(body) as EpayFields, key), headers: {}, body: "" };
    case "epusdt": {
      const headers = { "content-type": "application/json" };
      return { method: "POST", url, headers, body: withEpusdtSignature(body, key) };
    }
  }
}
