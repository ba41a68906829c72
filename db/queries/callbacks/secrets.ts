import { and, desc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isLiveAt } from "@/db/queries/merchants/api-keys";
import { apiKeys } from "@/db/schema";

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
