import type { Db } from "@/db/client";
import { wakeUnsigned } from "@/db/queries/callbacks/unsigned";
import {
  endApiKey,
  insertApiKey,
  lockLiveApiKey,
  moveDefaultKey,
  supersedeApiKey,
  updateApiKey,
  updateSharedRules,
} from "@/db/queries/merchants/api-keys";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findMerchantByKey } from "@/db/queries/merchants/merchants";
import type { AuditAction } from "@/lib/domain/audit/audit";
import { newId } from "@/lib/domain/id";
import { generateApiKey, generateSecret, hashApiKey } from "@/lib/domain/keys/api-key";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { OVERLAP_HOURS } from "@/lib/domain/keys/key-forms";
import { DEFAULT_RULES, type KeyRules, OPT_IN_TYPES, type OptInType } from "@/lib/domain/keys/key-rules";
import { problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { AppError } from "@/lib/errors";
import { protectKeyHash } from "@/lib/merchants/key-hashes";
import { encrypt } from "@/lib/merchants/vault";

/** A new key and its secret, which are shown only once. */
export interface IssuedApiKey {
  id: string;
  apiKey: string;
  secret: string;
}

export interface KeyContext {
  appSecret: AppSecret;
  mode: "live" | "test";
}

/** A new key; absent rules have their defaults. */
export interface NewKey extends Partial<KeyRules> {
  merchantId: string;
  name: string;
  /** The events that the key subscribes to in addition to confirmed payments. */
  optIns?: OptInType[];
  userId: string;
  from?: RequestOrigin | undefined;
}

interface OneKey {
  merchantId: string;
  id: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

const PREFIX_LENGTH = "sg_live_".length + 6;
const HOUR_MS = 3_600_000;

/** Issues an API key and its secret together. The key is found by an HMAC; its hash and the secret are stored encrypted, bound to the row. */
export async function createApiKey(db: Db, context: KeyContext, key: NewKey, now: Date): Promise<IssuedApiKey> {
  return db.transaction(async (tx) => {
    const rules = rulesOf(key);
    const issued = await issue(tx, context, { ...key, ...rules, firstId: null }, now);
    await record(tx, { ...key, id: issued.id }, "api_key.created", { name: key.name.trim(), ...rules }, now);
    return issued;
  });
}

/**
 * Issues a successor with the same name and rules; the old key remains valid for `overlapHours` (0–168).
 * @returns null if the old key is not live or was already rotated
 */
export async function rotateApiKey(
  db: Db,
  context: KeyContext,
  key: OneKey & { overlapHours: number },
  now: Date,
): Promise<IssuedApiKey | null> {
  if (!(key.overlapHours >= OVERLAP_HOURS.min && key.overlapHours <= OVERLAP_HOURS.max))
    throw new RangeError(`The overlap must be 0 to ${OVERLAP_HOURS.max} hours; got ${key.overlapHours}`);
  return db.transaction(async (tx) => {
    const old = await lockLiveApiKey(tx, key.merchantId, key.id, now);
    if (!old || old.rotatedToId) return null;
    const issued = await issue(tx, context, { ...key, ...old, firstId: old.firstId ?? old.id }, now);
    const endsAt = new Date(now.getTime() + key.overlapHours * HOUR_MS);
    await supersedeApiKey(tx, { ...key, rotatedToId: issued.id, endsAt });
    if (old.isDefault) await moveDefaultKey(tx, key.merchantId, issued.id);
    await record(tx, key, "api_key.rotated", { to: issued.id, overlapHours: key.overlapHours }, now);
    return issued;
  });
}

/** Revokes a key immediately. Returns false if there is no such live key. */
export async function revokeApiKey(db: Db, key: OneKey, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await endApiKey(tx, { ...key, endsAt: now }, now))) return false;
    // From now on, the default key signs the callbacks that only this key could sign before.
    await wakeUnsigned(tx, key.merchantId, now);
    await record(tx, key, "api_key.revoked", {}, now);
    return true;
  });
}

/** Renames a key. Returns false if there is no such valid key. */
export async function renameApiKey(db: Db, key: OneKey & { name: string }, now: Date): Promise<boolean> {
  const name = key.name.trim();
  return db.transaction(async (tx) => {
    if (!(await updateApiKey(tx, key, { name }, now))) return false;
    await record(tx, key, "api_key.renamed", { name }, now);
    return true;
  });
}

/** Sets the events that a key subscribes to in addition to confirmed payments, from now on. Returns false if there is no such valid key. */
export async function chooseEvents(db: Db, key: OneKey & { types: readonly string[] }, now: Date): Promise<boolean> {
  const optIns = OPT_IN_TYPES.filter((type) => key.types.includes(type));
  return db.transaction(async (tx) => {
    if (!(await updateApiKey(tx, key, { optIns }, now))) return false;
    await record(tx, key, "api_key.events_chosen", { optIns }, now);
    return true;
  });
}

/** Sets the permissions of a key and the rules for the format of its callbacks. Returns false if there is no such live key. */
export async function changeKeyRules(db: Db, key: OneKey & KeyRules, now: Date): Promise<boolean> {
  const rules = rulesOf(key);
  const { callbackFormat, isForPlugin, ...own } = rules;
  return db.transaction(async (tx) => {
    if (!(await updateApiKey(tx, key, own, now))) return false;
    await updateSharedRules(tx, key, { callbackFormat, isForPlugin });
    await record(tx, key, "api_key.changed", { ...rules }, now);
    return true;
  });
}

/**
 * Makes a key the default for orders whose own key is no longer live, or that a user created. Returns false if there is no such live key.
 */
export async function makeKeyDefault(db: Db, key: OneKey, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockLiveApiKey(tx, key.merchantId, key.id, now))) return false;
    await moveDefaultKey(tx, key.merchantId, key.id);
    await wakeUnsigned(tx, key.merchantId, now);
    await record(tx, key, "api_key.made_default", {}, now);
    return true;
  });
}

function rulesOf(key: Partial<KeyRules>): KeyRules {
  const { mustSign, scopes, cidrs, callbackFormat, isForPlugin, isForAgents } = { ...DEFAULT_RULES, ...key };
  return { mustSign, scopes, cidrs, callbackFormat, isForPlugin, isForAgents };
}

type WholeKey = Omit<OneKey, "id"> & KeyRules & { name: string; firstId: string | null; optIns?: OptInType[] };

async function issue(tx: Db, { appSecret, mode }: KeyContext, key: WholeKey, now: Date): Promise<IssuedApiKey> {
  const issued = { id: newId(now), apiKey: generateApiKey(mode), secret: generateSecret() };
  const keyHash = hashApiKey(issued.apiKey);
  const row = {
    id: issued.id,
    merchantId: key.merchantId,
    name: key.name.trim(),
    prefix: issued.apiKey.slice(0, PREFIX_LENGTH),
    keyHash,
    ...protectKeyHash(appSecret, issued.id, keyHash),
    secretCipher: encrypt(appSecret, `api_keys:${issued.id}`, issued.secret),
    firstId: key.firstId,
    isDefault: false,
    optIns: key.optIns ?? [],
    ...rulesOf(key),
  };
  await insertApiKey(tx, row, now);
  await wakeUnsigned(tx, key.merchantId, now);
  return issued;
}

async function record(tx: Db, key: OneKey, action: AuditAction, detail: Record<string, unknown>, now: Date) {
  const { merchantId, userId, from } = key;
  await insertAuditEvent(tx, { merchantId, userId, from, action, detail: { apiKeyId: key.id, ...detail } }, now);
}

/**
 * Returns the merchant of a key.
 * @throws AppError 10002 if the key was revoked after its request was received
 */
export async function findKeyOwner(db: Db, apiKeyId: string, now: Date): Promise<{ id: string; name: string }> {
  const merchant = await findMerchantByKey(db, apiKeyId, now);
  if (!merchant) throw deadKey();
  return merchant;
}

/** Returns the error for a key that was revoked during its request. */
export function deadKey(): AppError {
  return new AppError(problem("api_key_dead"));
}
