import type { Db } from "@/db/client";
import { merchants } from "@/db/schema";

/** Adds a merchant with the default settings. */
export async function insertMerchant(db: Db, merchant: { id: string; name: string }, now: Date): Promise<void> {
  await db.insert(merchants).values({ ...merchant, createdAt: now });
}
