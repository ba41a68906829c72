import { and, desc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import { apiKeys } from "@/db/schema";

type ApiKeyRow = typeof apiKeys.$inferSelect;

export type NewApiKey = Pick<
  ApiKeyRow,
  "id" | "merchantId" | "name" | "prefix" | "keyHash" | "secretCipher" | "mustSign"
>;

/** A key as its owner sees it: never the hash, never the secret. */
export type ListedApiKey = Omit<ApiKeyRow, "keyHash" | "secretCipher" | "merchantId">;

const LISTED = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  mustSign: apiKeys.mustSign,
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

/** A merchant's keys, newest first, dead ones included. */
export async function listApiKeys(db: Db, merchantId: string): Promise<ListedApiKey[]> {
  return db
    .select(LISTED)
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

/** Names a live key. False: no such live key. */
export async function updateApiKeyName(
  db: Db,
  key: { merchantId: string; id: string; name: string },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set({ name: key.name })
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
