import { and, desc, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { RUNS_FORMER_VERSION } from "@/db/queries/merchants/key-hashes";
import { apiKeys, merchants } from "@/db/schema";
import { allowsPlugin, type KeyRules, type Scope } from "@/lib/domain/keys/key-rules";

/** The columns of a live key that a request needs. Times are Unix milliseconds. */
export interface LiveKeyRow {
  id: string;
  merchant_id: string;
  secret_cipher: string;
  must_sign: boolean;
  is_for_agents: boolean;
  scopes: Scope[];
  cidrs: string[];
  ends_ms: number | null;
  last_used_ms: number | null;
}

/** Returns the condition for a live key, as in `db/functions/is-live.sql`. */
export const isLiveAt = (now: Date): SQL => sql`is_live(${apiKeys.endsAt}, ${now.toISOString()}::timestamptz)`;

const FIND_LIVE = `
  select id, merchant_id, secret_cipher, must_sign, is_for_agents, scopes, cidrs, (extract(epoch from ends_at) * 1000)::float8 as ends_ms,
    (extract(epoch from last_used_at) * 1000)::float8 as last_used_ms
  from api_keys where (lookup_mac in ($2, $3) or key_hash = $4 and lookup_mac is null) and is_live(ends_at, $1::timestamptz)`;

/** The values by which a key is looked up. */
export interface KeyLookup {
  /** The HMACs of the key's SHA-256, one under each APP_SECRET in use. */
  macs: readonly string[];
  /** The SHA-256 in hex, for a row that a process of an earlier version created and that no worker has encrypted yet. */
  keyHash: string;
}

/** Returns the key with one of the HMACs; null if there is none, or if the key was revoked or has ended. */
export async function findLiveKey(db: Db, { macs, keyHash }: KeyLookup, now: Date): Promise<LiveKeyRow | null> {
  const [first = null, second = null] = macs;
  const rows = await runPrepared<LiveKeyRow>(db, FIND_LIVE, [now.toISOString(), first, second, keyHash]);
  return rows[0] ?? null;
}

/** Returns true if a key that was found earlier is still valid. */
export async function isLiveKey(db: Db, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isLiveAt(now)));
  return rows.length === 1;
}

/** Records the use of a key, unless one was recorded within the last minute. */
export async function touchKey(db: Db, id: string, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, minuteAgo))));
}

type ApiKeyRow = typeof apiKeys.$inferSelect;

export type NewApiKey = Pick<
  ApiKeyRow,
  "id" | "merchantId" | "name" | "prefix" | "secretCipher" | "firstId" | "isDefault" | "optIns"
> & {
  keyHash: string;
  lookupMac: string;
  hashCipher: string;
} & KeyRules;

/** A key as shown to its owner, without its hash and secret. */
export type ListedApiKey = Omit<ApiKeyRow, "keyHash" | "lookupMac" | "hashCipher" | "secretCipher" | "merchantId">;

const LISTED = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  mustSign: apiKeys.mustSign,
  optIns: apiKeys.optIns,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  endsAt: apiKeys.endsAt,
  rotatedToId: apiKeys.rotatedToId,
  firstId: apiKeys.firstId,
  scopes: apiKeys.scopes,
  cidrs: apiKeys.cidrs,
  callbackFormat: apiKeys.callbackFormat,
  isForPlugin: apiKeys.isForPlugin,
  isForAgents: apiKeys.isForAgents,
  pluginRequestedAt: apiKeys.pluginRequestedAt,
  isDefault: apiKeys.isDefault,
};

const isOf = (merchantId: string, id: string) => and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.id, id));

/**
 * Adds a key. Its unencrypted hash is stored only while a process of an earlier version is connected, because that version looks up keys
 * by it.
 */
export async function insertApiKey(db: Db, { keyHash, ...key }: NewApiKey, now: Date): Promise<void> {
  await db.insert(apiKeys).values({
    ...key,
    keyHash: sql`case when ${RUNS_FORMER_VERSION} then ${keyHash} end`,
    scopes: [...key.scopes],
    cidrs: [...key.cidrs],
    createdAt: now,
  });
}

/**
 * Returns a merchant's keys, newest first, including invalid ones. The default key is the oldest valid key unless a user chose a different
 * one.
 */
export async function listApiKeys(
  db: Db,
  merchantId: string,
  now: Date,
): Promise<(ListedApiKey & { isLive: boolean })[]> {
  const keys = await db
    .select({ ...LISTED, isLive: sql<boolean>`${isLiveAt(now)}` })
    .from(apiKeys)
    .where(eq(apiKeys.merchantId, merchantId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  const live = keys.filter(({ isLive }) => isLive);
  const lineOf = (key: ListedApiKey) => key.firstId ?? key.id;
  const speaking =
    live.find(({ isDefault }) => isDefault) ?? live.toSorted((a, b) => lineOf(a).localeCompare(lineOf(b)))[0];
  return keys.map((key) => ({ ...key, isDefault: key.id === speaking?.id }));
}

/** Returns a merchant's valid key, locked for this transaction, or null. */
export async function lockLiveApiKey(tx: Db, merchantId: string, id: string, now: Date): Promise<ListedApiKey | null> {
  const rows = await tx
    .select(LISTED)
    .from(apiKeys)
    .where(and(isOf(merchantId, id), isLiveAt(now)))
    .for("update");
  return rows[0] ?? null;
}

/** The settings that a key shares with the keys that it replaced and that replaced it. */
export type SharedRules = Pick<KeyRules, "callbackFormat" | "isForPlugin">;

/** Changes the name, rules, events or plugin request of a valid key. Returns false if there is no such valid key. */
export async function updateApiKey(
  db: Db,
  key: { merchantId: string; id: string },
  {
    scopes,
    cidrs,
    ...change
  }: Partial<Pick<ApiKeyRow, "name" | "optIns" | "pluginRequestedAt"> & Omit<KeyRules, keyof SharedRules>>,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set({ ...change, ...(scopes && { scopes: [...scopes] }), ...(cidrs && { cidrs: [...cidrs] }) })
    .where(and(isOf(key.merchantId, key.id), isLiveAt(now)))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/**
 * Sets the callback format of a key, of the keys that it replaced, and of the keys that replaced it. Rules that allow a plugin also answer
 * the requests of plugins for these keys.
 */
export async function updateSharedRules(
  db: Db,
  { merchantId, id }: { merchantId: string; id: string },
  rules: SharedRules,
): Promise<void> {
  const first = sql`(select coalesce(k.first_id, k.id) from api_keys k where k.merchant_id = ${merchantId} and k.id = ${id})`;
  await db
    .update(apiKeys)
    .set(allowsPlugin(rules) ? { ...rules, pluginRequestedAt: null } : rules)
    .where(and(eq(apiKeys.merchantId, merchantId), eq(sql`coalesce(${apiKeys.firstId}, ${apiKeys.id})`, first)));
}

/**
 * Makes a key the merchant's default in place of the previous one. Locks the merchant until the transaction ends, so that concurrent
 * changes are serialized.
 */
export async function moveDefaultKey(tx: Db, merchantId: string, id: string): Promise<void> {
  await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("update");
  const isDefaultOf = and(eq(apiKeys.merchantId, merchantId), apiKeys.isDefault);
  await tx.update(apiKeys).set({ isDefault: false }).where(isDefaultOf);
  await tx.update(apiKeys).set({ isDefault: true }).where(isOf(merchantId, id));
}

/** Ends a live key at `endsAt`. Returns false if there is no such live key. */
export async function endApiKey(
  db: Db,
  key: { merchantId: string; id: string; endsAt: Date },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set({ endsAt: key.endsAt })
    .where(and(isOf(key.merchantId, key.id), isLiveAt(now)))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/** Links a key that the caller has locked to its successor, and ends it at `endsAt`. */
export async function supersedeApiKey(
  tx: Db,
  key: { merchantId: string; id: string; rotatedToId: string; endsAt: Date },
): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ rotatedToId: key.rotatedToId, endsAt: key.endsAt })
    .where(isOf(key.merchantId, key.id));
}
