import { and, desc, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { apiKeys } from "@/db/schema";

/** A live key, as a request needs it. Times are Unix milliseconds. */
export interface LiveKeyRow {
  id: string;
  merchant_id: string;
  secret_cipher: string;
  must_sign: boolean;
  ends_ms: number | null;
  last_used_ms: number | null;
}

/** The rule of a live key, for a query: `db/functions/is-live.sql`. */
export const isLiveAt = (now: Date): SQL => sql`is_live(${apiKeys.endsAt}, ${now.toISOString()}::timestamptz)`;

const FIND_LIVE = `
  select id, merchant_id, secret_cipher, must_sign, (extract(epoch from ends_at) * 1000)::float8 as ends_ms,
    (extract(epoch from last_used_at) * 1000)::float8 as last_used_ms
  from api_keys where key_hash = $1 and is_live(ends_at, $2::timestamptz)`;

/** The live key with this SHA-256 (hex), or null when there is none, or it was revoked or has ended. */
export async function findLiveKey(db: Db, keyHash: string, now: Date): Promise<LiveKeyRow | null> {
  const rows = await runPrepared<LiveKeyRow>(db, FIND_LIVE, [keyHash, now.toISOString()]);
  return rows[0] ?? null;
}

/** Whether a key that was found before still lives. */
export async function isLiveKey(db: Db, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isLiveAt(now)));
  return rows.length === 1;
}

/** Notes that a key is in use, unless that was noted within the last minute. */
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
  "id" | "merchantId" | "name" | "prefix" | "keyHash" | "secretCipher" | "mustSign" | "optIns"
>;

/** A key as its owner sees it: never the hash, never the secret. */
export type ListedApiKey = Omit<ApiKeyRow, "keyHash" | "secretCipher" | "merchantId">;

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
};

const isOf = (merchantId: string, id: string) => and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.id, id));

/** Adds a key. */
export async function insertApiKey(db: Db, key: NewApiKey, now: Date): Promise<void> {
  await db.insert(apiKeys).values({ ...key, createdAt: now });
}

/** A merchant's keys, newest first, with those that live no more. */
export async function listApiKeys(
  db: Db,
  merchantId: string,
  now: Date,
): Promise<(ListedApiKey & { isLive: boolean })[]> {
  return db
    .select({ ...LISTED, isLive: sql<boolean>`${isLiveAt(now)}` })
    .from(apiKeys)
    .where(eq(apiKeys.merchantId, merchantId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** A merchant's key that still works, held for this transaction, or null. */
export async function lockLiveApiKey(tx: Db, merchantId: string, id: string, now: Date): Promise<ListedApiKey | null> {
  const rows = await tx
    .select(LISTED)
    .from(apiKeys)
    .where(and(isOf(merchantId, id), isLiveAt(now)))
    .for("update");
  return rows[0] ?? null;
}

/** Changes a live key's name, or what its merchant hears of. False: no such live key. */
export async function updateApiKey(
  db: Db,
  key: { merchantId: string; id: string },
  change: Partial<Pick<ApiKeyRow, "name" | "optIns">>,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set(change)
    .where(and(isOf(key.merchantId, key.id), isLiveAt(now)))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/** Ends a live key at `endsAt`. False: no such live key, it is dead already. */
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

/** Points a key that the caller holds at its successor and ends it at `endsAt`. */
export async function supersedeApiKey(
  tx: Db,
  key: { merchantId: string; id: string; rotatedToId: string; endsAt: Date },
): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ rotatedToId: key.rotatedToId, endsAt: key.endsAt })
    .where(isOf(key.merchantId, key.id));
}
