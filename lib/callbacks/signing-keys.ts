import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import type { Db } from "@/db/client";
import {
  deleteEndedSigningKeys,
  deleteSigningKeys,
  insertSigningKeys,
  listSigningKeys,
  lockSigningKey,
  type NewSigningKey,
  promoteSigningKey,
  retireSigningKey,
  type SigningKeyRow,
} from "@/db/queries/callbacks/signing-keys";
import { newId } from "@/lib/domain/id";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { InstallationKey } from "@/lib/domain/keys/signature";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { Log } from "@/lib/log";
import { encrypt, open } from "@/lib/merchants/vault";

/** A public key of RFC 8037, with which receivers verify signatures. */
export interface PublicJwk {
  kty: "OKP";
  crv: "Ed25519";
  alg: "EdDSA";
  use: "sig";
  kid: string;
  x: string;
}

const SHOWN_BEFORE_MS = 24 * 3_600_000;
const SHOWN_AFTER_MS = 7 * 24 * 3_600_000;

/** Returns the current Ed25519 key of the installation; null if it cannot be decrypted. Logs a failed decryption. */
export async function findInstallationKey(
  db: Db,
  { appSecret, log }: { appSecret: AppSecret; log: Log },
  now: Date,
): Promise<InstallationKey | null> {
  const row = (await ensureSigningKeys(db, appSecret, now)).find(({ state }) => state === "current");
  if (!row) return null;
  try {
    return openKey(appSecret, row);
  } catch (err) {
    const text = "the installation's signing key cannot be decrypted: check APP_SECRET. See rotate-signing-key";
    log.error({ err, keyId: row.id }, text);
    return null;
  }
}

/**
 * Decrypts a signing key.
 * @throws Error if it was encrypted under another APP_SECRET
 */
function openKey(appSecret: AppSecret, { id, publicKey: x, privateCipher }: SigningKeyRow): InstallationKey {
  const d = open(appSecret, rowName(id), privateCipher);
  return { id, privateKey: createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x, d }, format: "jwk" }) };
}

/** Returns the signing keys. The first call creates them; concurrent first calls create only one pair. */
async function ensureSigningKeys(db: Db, appSecret: AppSecret, now: Date): Promise<SigningKeyRow[]> {
  const rows = await listSigningKeys(db, now);
  const states = new Set(rows.map(({ state }) => state));
  if (states.has("current") && states.has("next")) return rows;
  await insertSigningKeys(db, [newKey(appSecret, "current", now), newKey(appSecret, "next", now)], now);
  return listSigningKeys(db, now);
}

/** Returns the public keys that verify callbacks: the current key, the next key, and recent former keys. */
export async function listPublicKeys(db: Db, appSecret: AppSecret, now: Date): Promise<{ keys: PublicJwk[] }> {
  const rows = await ensureSigningKeys(db, appSecret, now);
  return {
    keys: rows.map(({ id: kid, publicKey: x }) => ({
      kty: "OKP",
      crv: "Ed25519",
      alg: "EdDSA",
      use: "sig",
      kid,
      x,
    })),
  };
}

/**
 * Makes the next key the current one, and creates and publishes a new next key. The former current key stays published for one week.
 * @returns the id of the current key, or the reason why the keys are unchanged
 */
export async function rotateSigningKey(
  db: Db,
  appSecret: AppSecret,
  now: Date,
): Promise<{ current: string } | { problem: Problem }> {
  await ensureSigningKeys(db, appSecret, now);
  return db.transaction(async (tx) => {
    const current = await lockSigningKey(tx, "current");
    const next = await lockSigningKey(tx, "next");
    if (!current || !next) return { problem: problem("signing_keys_changed") };
    const readyAt = new Date(next.createdAt.getTime() + SHOWN_BEFORE_MS);
    if (readyAt > now) {
      const times = { createdAt: next.createdAt.toISOString(), readyAt: readyAt.toISOString() };
      return { problem: problem("signing_key_too_new", times) };
    }
    if (!canOpen(appSecret, next)) return { problem: problem("signing_key_unreadable") };
    await retireSigningKey(tx, current.id, new Date(now.getTime() + SHOWN_AFTER_MS));
    await promoteSigningKey(tx, next.id);
    await insertSigningKeys(tx, [newKey(appSecret, "next", now)], now);
    await deleteEndedSigningKeys(tx, now);
    return { current: next.id };
  });
}

function canOpen(appSecret: AppSecret, row: SigningKeyRow): boolean {
  try {
    return openKey(appSecret, row) !== null;
  } catch {
    return false;
  }
}

/**
 * Replaces all keys immediately, after they leaked or APP_SECRET changed. Receivers that cache the old public keys
 * refuse callbacks until they fetch the new ones; refused callbacks are retried.
 * @returns the id of the current key
 */
export async function replaceSigningKeys(db: Db, appSecret: AppSecret, now: Date): Promise<{ current: string }> {
  const current = newKey(appSecret, "current", now);
  await db.transaction(async (tx) => {
    await deleteSigningKeys(tx);
    await insertSigningKeys(tx, [current, newKey(appSecret, "next", now)], now);
  });
  return { current: current.id };
}

function newKey(appSecret: AppSecret, state: "current" | "next", now: Date): NewSigningKey {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const id = newId(now);
  return { id, state, publicKey: x, privateCipher: encrypt(appSecret, rowName(id), d) };
}

const rowName = (id: string) => `signing_keys:${id}`;
