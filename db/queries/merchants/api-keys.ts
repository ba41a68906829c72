import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { runPrepared } from "@/db/prepared";
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

const FIND_LIVE = `
  select id, merchant_id, secret_cipher, must_sign, (extract(epoch from ends_at) * 1000)::float8 as ends_ms,
    (extract(epoch from last_used_at) * 1000)::float8 as last_used_ms
  from api_keys where key_hash = $1 and (ends_at is null or ends_at > $2::timestamptz)`;

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
    .where(
      and(eq(apiKeys.id, id), or(isNull(apiKeys.endsAt), sql`${apiKeys.endsAt} > ${now.toISOString()}::timestamptz`)),
    );
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
