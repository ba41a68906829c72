import { sql } from "drizzle-orm";
import { type Db, runPrepared } from "@/db/client";

/** A bucket of `burst` tokens that gains one token every `intervalMs`. */
export interface Bucket {
  key: string;
  burst: number;
  intervalMs: number;
}

export interface Grant {
  granted: number;
  /** The time when the bucket is full again without further requests. */
  fullAt: Date;
}

const TAKE = "select granted, full_ms from take_tokens($1, $2::integer, $3::float8, $4::integer, $5::timestamptz)";

/** Takes up to `wanted` tokens from a bucket that all processes share, limited by the available ones, in one statement. */
export async function takeTokens(db: Db, bucket: Bucket, wanted: number, now: Date): Promise<Grant> {
  const params = [bucket.key, bucket.burst, bucket.intervalMs, wanted, now.toISOString()];
  const [row] = await runPrepared<{ granted: number; full_ms: number }>(db, TAKE, params);
  if (!row) throw new Error("take_tokens returned no row");
  return { granted: row.granted, fullAt: new Date(row.full_ms) };
}

/** Deletes up to 1,000 full buckets. A missing row means a full bucket. */
export async function deleteFullBuckets(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from rate_limits where key in (
      select key from rate_limits where full_at <= ${now.toISOString()}::timestamptz
      order by full_at limit 1000 for update skip locked)`);
}
