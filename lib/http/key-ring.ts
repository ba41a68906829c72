import type { Db } from "@/db/client";
import { findLiveKey, touchKey } from "@/db/queries/merchants/api-keys";
import { hashApiKey, isApiKey } from "@/lib/domain/keys/api-key";
import type { Log } from "@/lib/log";
import { open } from "@/lib/merchants/vault";

/** A key that was live when it was last looked up. */
export interface KnownKey {
  id: string;
  merchantId: string;
  mustSign: boolean;
  /** The secret that signs its requests, `whsec_` + base64. */
  secret(): string;
}

/** Keys that this process saw lately, so that most requests need no look-up of their own. */
export interface KeyRing {
  /** The live key behind a text, or null. A revoked one may be found up to 5 s longer: statements ask again. */
  find(text: string, now: Date): Promise<KnownKey | null>;
  /** Forgets a key that turned out to be dead. */
  forget(text: string): void;
}

const KEEP_MS = 5_000;
const TOUCH_MS = 60_000;
const MAX_KEYS = 10_000;

/** Makes the key ring of a process. */
export function createKeyRing(db: Db, { appSecret, log }: { appSecret: string; log: Log }): KeyRing {
  const known = new Map<string, { key: KnownKey; until: number }>();

  async function look(text: string, now: Date): Promise<KnownKey | null> {
    const row = await findLiveKey(db, hashApiKey(text), now);
    if (!row) return null;
    if (row.last_used_ms === null || row.last_used_ms <= now.getTime() - TOUCH_MS) {
      touchKey(db, row.id, now).catch((error) => log.warn({ err: error, apiKeyId: row.id }, "last use was not noted"));
    }
    let secret: string | null = null;
    const key: KnownKey = {
      id: row.id,
      merchantId: row.merchant_id,
      mustSign: row.must_sign,
      secret() {
        secret ??= open(appSecret, `api_keys:${row.id}`, row.secret_cipher);
        return secret;
      },
    };
    const until = Math.min(now.getTime() + KEEP_MS, row.ends_ms ?? Number.POSITIVE_INFINITY);
    if (known.size >= MAX_KEYS) known.clear();
    known.set(text, { key, until });
    return key;
  }

  return {
    async find(text, now) {
      const entry = known.get(text);
      if (entry && entry.until > now.getTime()) return entry.key;
      known.delete(text);
      return isApiKey(text) ? look(text, now) : null;
    },
    forget(text) {
      known.delete(text);
    },
  };
}
