import { createHmac } from "node:crypto";
import type { Db } from "@/db/client";
import {
  type ClearHash,
  type KeyHashRow,
  listClearHashes,
  removeClearHashes,
  replaceKeyHashes,
  runsFormerVersion,
} from "@/db/queries/merchants/key-hashes";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Log } from "@/lib/log";
import { deriveKey, deriveKeys, encrypt, open } from "@/lib/merchants/vault";

/** Returns the additional authenticated data for an encrypted key hash. */
export const keyHashName = (id: string) => `api_key_hashes:${id}`;

const PAGE = 500;
const CHECK_EVERY_MS = 30_000;
const CLEAR_EVERY_MS = 10 * 60_000;

/**
 * The time after the last connection of an earlier version until the hashes required by that version are removed. Until then, a downgrade
 * is possible.
 */
const FORMER_GONE_MS = 60 * 60_000;

function macOf(key: Buffer, keyHash: string): string {
  return createHmac("sha256", key).update(Buffer.from(keyHash, "hex")).digest("base64url");
}

/**
 * Returns a function that computes the HMACs by which a key may be found from its SHA-256 (hex). There is one HMAC for each secret while
 * APP_SECRET is rotated.
 */
export function keyLookups(appSecret: AppSecret): (keyHash: string) => string[] {
  const keys = deriveKeys(appSecret, "api-key-lookup");
  return (keyHash) => keys.map((key) => macOf(key, keyHash));
}

/** Returns the values that the database stores for a key's SHA-256 (hex). */
export function protectKeyHash(
  appSecret: AppSecret,
  id: string,
  keyHash: string,
): { lookupMac: string; hashCipher: string } {
  return {
    lookupMac: macOf(deriveKey(appSecret, "api-key-lookup"), keyHash),
    hashCipher: encrypt(appSecret, keyHashName(id), keyHash),
  };
}

/**
 * Returns a key's SHA-256 in hex.
 * @throws Error if APP_SECRET does not decrypt it
 */
export function openKeyHash(
  appSecret: AppSecret,
  { id, hashCipher, keyHash }: Pick<KeyHashRow, "id" | "hashCipher" | "keyHash">,
): string {
  if (hashCipher !== null) return open(appSecret, keyHashName(id), hashCipher);
  if (keyHash !== null) return keyHash;
  throw new Error(`The API key ${id} has no hash`);
}

/**
 * Encrypts the unencrypted hashes of all API keys and computes their HMACs, a bounded number at a time. Safe to repeat and to interrupt: a
 * row changes in one statement, and keeps its unencrypted hash, which processes of an earlier version need.
 * @param secret the installation's secret, as verified by `requireAppSecret`
 * @returns the number of keys changed
 */
export async function encryptKeyHashes(db: Db, secret: AppSecret, pageSize = PAGE): Promise<number> {
  const lookups = keyLookups(secret);
  let changed = 0;
  for await (const rows of clearHashes(db, pageSize)) {
    const missing = rows.filter((row) => !isEncrypted(secret, lookups, row));
    const replaced = missing.map(({ id, keyHash, hashCipher }) => ({
      id,
      ...protectKeyHash(secret, id, keyHash),
      was: hashCipher,
    }));
    changed += await replaceKeyHashes(db, replaced);
  }
  return changed;
}

/**
 * Removes the unencrypted hash of every API key whose encrypted hash was computed from it, unless a process of an earlier version is
 * connected.
 */
async function removeHashes(db: Db, secret: AppSecret): Promise<number> {
  const lookups = keyLookups(secret);
  let removed = 0;
  for await (const rows of clearHashes(db, PAGE)) {
    const encrypted = rows.filter((row) => isEncrypted(secret, lookups, row)).map(({ id }) => id);
    removed += await removeClearHashes(db, encrypted);
  }
  return removed;
}

async function* clearHashes(db: Db, pageSize: number): AsyncGenerator<ClearHash[]> {
  for (let rows = await listClearHashes(db, "", pageSize); rows.length > 0; ) {
    yield rows;
    rows = await listClearHashes(db, rows.at(-1)?.id ?? "", pageSize);
  }
}

/** Returns true if the encrypted hash and the HMAC of a row were computed from its unencrypted hash. */
function isEncrypted(
  secret: AppSecret,
  lookups: (keyHash: string) => string[],
  { id, keyHash, hashCipher, lookupMac }: ClearHash,
): boolean {
  if (hashCipher === null || lookupMac === null || !lookups(keyHash).includes(lookupMac)) return false;
  try {
    return open(secret, keyHashName(id), hashCipher) === keyHash;
  } catch {
    return false;
  }
}

/**
 * Creates the worker's task for the unencrypted hashes that an earlier version stores. It encrypts those of new keys immediately, and
 * removes all of them once no process of that version has been connected for an hour.
 * @returns a function that runs one round and returns the milliseconds until the next
 */
export function createHashRemover(
  db: Db,
  { appSecret, log }: { appSecret: AppSecret; log: Log },
): (now: Date) => Promise<number> {
  let goneSince: Date | null = null;
  return async (now) => {
    if ((await listClearHashes(db, "", 1)).length === 0) return CLEAR_EVERY_MS;
    await encryptKeyHashes(db, appSecret);
    if (await runsFormerVersion(db)) goneSince = null;
    else goneSince ??= now;
    if (goneSince === null || now.getTime() - goneSince.getTime() < FORMER_GONE_MS) return CHECK_EVERY_MS;
    const removed = await removeHashes(db, appSecret);
    if (removed > 0) log.info({ count: removed }, "hashes of API keys in the form of an earlier version were removed");
    return CHECK_EVERY_MS;
  };
}
