import { and, desc, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
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

const MAX_SECRETS = 10;

export interface SealedSecret {
  apiKeyId: string;
  secretCipher: string;
}

/** The sealed secrets of a merchant's live keys, newest first, ten at most. */
export async function listLiveSecrets(db: Db, merchantId: string, now: Date): Promise<SealedSecret[]> {
  return db
    .select({ apiKeyId: apiKeys.id, secretCipher: apiKeys.secretCipher })
    .from(apiKeys)
    .where(and(eq(apiKeys.merchantId, merchantId), isLiveAt(now)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(MAX_SECRETS);
}

/**
 * What the merchants of orders want to hear besides confirmed payments, by order; those who want nothing are left out, and where
 * nobody wants anything no order is looked at. It is the key that made the order that says, or the last of its successors by
 * rotation; where none of them lives, or a person made the order, the newest live key of the merchant.
 */
export async function listOptIns(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, ReadonlySet<string>>> {
  if (orderIds.length === 0) return new Map();
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<{ id: string; optIns: string[] }>(sql`
    with recursive asked as materialized (
      select o.id, o.merchant_id, o.api_key_id from orders o
      where o.id = any(${idList(orderIds)}) and exists (select from api_keys where opt_ins <> '{}')
        and exists (select from api_keys k where k.merchant_id = o.merchant_id and k.opt_ins <> '{}')
    ), makers as (
      select distinct merchant_id, api_key_id from asked
    ), line as (
      select k.id as maker, k.id, k.rotated_to_id, k.ends_at, k.opt_ins, 1 as place
      from makers join api_keys k on k.id = makers.api_key_id
      union all
      select line.maker, k.id, k.rotated_to_id, k.ends_at, k.opt_ins, line.place + 1
      from line join api_keys k on k.id = line.rotated_to_id
    ), told as (
      select makers.*, coalesce(
        (select opt_ins from line where line.maker = makers.api_key_id and (line.ends_at is null or line.ends_at > ${at}) order by place desc limit 1),
        (select opt_ins from api_keys k where k.merchant_id = makers.merchant_id and (k.ends_at is null or k.ends_at > ${at})
          order by k.created_at desc, k.id desc limit 1)) as opt_ins
      from makers
    )
    select asked.id, told.opt_ins as "optIns" from asked join told
      on told.merchant_id = asked.merchant_id and told.api_key_id is not distinct from asked.api_key_id
    where told.opt_ins <> '{}'`);
  return new Map(rows.map(({ id, optIns }) => [id, new Set(optIns)]));
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
