import type { Db } from "@/db/client";
import { type EncryptedKey, listSigningKeys } from "@/db/queries/plugins/plugins";
import { findWebhook } from "@/db/queries/plugins/webhooks";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Integrations, SignedRequest } from "@/lib/domain/integrations/integration";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Log } from "@/lib/log";
import { open } from "@/lib/merchants/vault";

/** The dependencies for decrypting a stored key. */
export interface OpeningContext {
  appSecret: AppSecret;
  log: Log;
}

interface IntegrationAttempt {
  merchantId: string;
  integration: IntegrationId;
  url: string;
  /** The body that the integration wrote; "" if it is not written yet. */
  body: string;
  webhookId: string | null;
}

interface KeyQuery {
  merchantId: string;
  integration: IntegrationId;
  at: Date;
}

/**
 * Creates the function that signs the callbacks of integrations. It uses the secret of the destination webhook. Without
 * a webhook, it uses the key that the shop used last, because a shop refuses callbacks with a key that it does not have
 * yet. Keys of concurrent attempts are queried together.
 */
export function createIntegrationSigner(db: Db, ctx: OpeningContext & { integrations: Integrations }) {
  const findKey = createBatcher<KeyQuery, EncryptedKey | null>({
    async run(queries) {
      const at = new Date(Math.max(...queries.map((one) => one.at.getTime())));
      const keys = await listSigningKeys(db, queries, at);
      return queries.map(
        ({ merchantId, integration }) =>
          keys.find((key) => key.merchantId === merchantId && key.integration === integration) ?? null,
      );
    },
    ownerOf: () => "",
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });

  return async (attempt: IntegrationAttempt, at: Date): Promise<SignedRequest | UnsignedReason> => {
    const { merchantId, integration, webhookId, url, body } = attempt;
    const installed = ctx.integrations.get(integration);
    if (!installed || body === "") return "not_installed";
    const secret =
      webhookId === null
        ? openKey(ctx, await findKey({ merchantId, integration, at }))
        : await openWebhookSecret(db, ctx, { merchantId, id: webhookId });
    return "reason" in secret ? secret.reason : installed.callbacks.sign({ url, body }, secret.text, at);
  };
}

/** A decrypted secret, or the reason why there is none. */
type Secret = { text: string } | { reason: UnsignedReason };

function openKey(ctx: OpeningContext, encrypted: EncryptedKey | null): Secret {
  if (!encrypted) return { reason: "no_key" };
  const text = openPluginKey(ctx, encrypted);
  return text === null ? { reason: "unreadable_key" } : { text };
}

async function openWebhookSecret(
  db: Db,
  { appSecret, log }: OpeningContext,
  webhook: { merchantId: string; id: string },
): Promise<Secret> {
  const found = await findWebhook(db, webhook);
  if (!found) return { reason: "webhook_deleted" };
  if (!found.isEnabled) return { reason: "webhook_off" };
  try {
    return { text: open(appSecret, `plugin_webhooks:${found.id}`, found.secretCipher) };
  } catch (error) {
    log.error({ err: error, webhookId: found.id }, "the secret of a webhook cannot be decrypted: check APP_SECRET");
    return { reason: "unreadable_secret" };
  }
}

/** Returns the key of a plugin in plain text; null if it cannot be decrypted. Logs a failed decryption. */
export function openPluginKey(
  { appSecret, log }: OpeningContext,
  { id, keyCipher }: Pick<EncryptedKey, "id" | "keyCipher">,
): string | null {
  try {
    return open(appSecret, `plugin_keys:${id}`, keyCipher);
  } catch (error) {
    log.error({ err: error, pluginKeyId: id }, "the key of a plugin cannot be decrypted: check APP_SECRET");
    return null;
  }
}
