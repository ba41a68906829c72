import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import { apiKeys, merchants } from "@/db/schema";

/** Adds a merchant with the default settings. */
export async function insertMerchant(db: Db, merchant: { id: string; name: string }, now: Date): Promise<void> {
  await db.insert(merchants).values({ ...merchant, createdAt: now });
}

/** The merchant that a key belongs to; null where the key does not live. */
export async function findMerchantByKey(
  db: Db,
  apiKeyId: string,
  now: Date,
): Promise<{ id: string; name: string } | null> {
  const [row] = await db
    .select({ id: merchants.id, name: merchants.name })
    .from(apiKeys)
    .innerJoin(merchants, eq(merchants.id, apiKeys.merchantId))
    .where(and(eq(apiKeys.id, apiKeyId), isLiveAt(now)));
  return row ?? null;
}
