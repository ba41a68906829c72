import type { Db } from "@/db/client";
import { listSigningKeys, type SealedKey } from "@/db/queries/plugins/plugins";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import type { PluginDialect } from "@/lib/domain/dialect";
import { type EpayFields, withEpayFields } from "@/lib/domain/dialects/epay";
import { withEpusdtSignature } from "@/lib/domain/dialects/epusdt";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
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

interface DialectAttempt {
  merchantId: string;
  dialect: PluginDialect;
  url: string;
  /** As the dialect's news were written, without a signature. */
  body: string;
}

interface Asked {
  merchantId: string;
  dialect: PluginDialect;
  at: Date;
}

/**
 * Makes what signs the callbacks of dialects, each with the key of its plugin: the one that the shop has used last of those that it was
 * given, for one that it does not know yet would have everything refused. What is signed together is looked up together.
 */
export function createDialectSigner(db: Db, ctx: OpeningContext) {
  const findKey = createBatcher<Asked, SealedKey | null>({
    async run(asked) {
      const at = new Date(Math.max(...asked.map((one) => one.at.getTime())));
      const keys = await listSigningKeys(db, asked, at);
      return asked.map(
        ({ merchantId, dialect }) =>
          keys.find((key) => key.merchantId === merchantId && key.dialect === dialect) ?? null,
      );
    },
    ownerOf: () => "",
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });

  return async (attempt: DialectAttempt, at: Date): Promise<SignedCallback | string> => {
    const { merchantId, dialect } = attempt;
    const sealed = await findKey({ merchantId, dialect, at });
    if (!sealed) return "the plugin has no live key to sign with; issue one under Settings → Plugins";
    const key = openPluginKey(ctx, sealed);
    return key === null
      ? "the plugin's key cannot be opened; issue a new one under Settings → Plugins"
      : toRequest(attempt, key);
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

function toRequest({ dialect, url, body }: DialectAttempt, key: string): SignedCallback | string {
  switch (dialect) {
    case "epay":
      return { method: "GET", url: withEpayFields(url, JSON.parse(body) as EpayFields, key), headers: {}, body: "" };
    case "epusdt": {
      const headers = { "content-type": "application/json" };
      return { method: "POST", url, headers, body: withEpusdtSignature(body, key) };
    }
    case "greenfield":
      return "deliveries of this dialect are signed with the secret of their webhook";
  }
}
