import type { EncryptedKey } from "@/db/queries/plugins/plugins";
import { type OpeningContext, openPluginKey } from "@/lib/callbacks/sign-for-integration";

/** A function that returns the key of a plugin in plain text; null if it cannot be decrypted. */
export type OpenKey = (encrypted: Pick<EncryptedKey, "id" | "keyCipher">) => string | null;

const MAX_OPENED = 2_000;

/**
 * Creates a function that decrypts the keys of plugins and caches the results. A cache entry belongs to a row and its
 * ciphertext, so that a replaced key is decrypted again. Callers list the live keys in the database for every request,
 * so that a revoked key is never used, in any process.
 */
export function createPluginKeyOpener(ctx: OpeningContext): OpenKey {
  /** The cached keys, least recently used first. */
  const opened = new Map<string, string | null>();
  return ({ id, keyCipher }) => {
    const name = `${id} ${keyCipher}`;
    const known = opened.get(name);
    const key = known === undefined ? openPluginKey(ctx, { id, keyCipher }) : known;
    opened.delete(name);
    opened.set(name, key);
    const [oldest] = opened.keys();
    if (opened.size > MAX_OPENED && oldest !== undefined) opened.delete(oldest);
    return key;
  };
}
