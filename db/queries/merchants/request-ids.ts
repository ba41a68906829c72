import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

const FORGET_BATCH = 100;

/**
 * Records the id of a signed request until `forgetAt`. Returns false if the key has already used the id and that record has not expired.
 */
export async function rememberRequestId(
  db: Db,
  { apiKeyId, requestId }: { apiKeyId: string; requestId: string },
  forgetAt: Date,
  now: Date,
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into request_ids (api_key_id, request_id, forget_at)
    values (${apiKeyId}, ${requestId}, ${forgetAt.toISOString()}::timestamptz)
    on conflict (api_key_id, request_id) do update set forget_at = excluded.forget_at
      where request_ids.forget_at <= ${now.toISOString()}::timestamptz
    returning 1`);
  return rows.length === 1;
}

/** Deletes up to 100 expired ids. Periodic calls keep the table small. */
export async function forgetRequestIds(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from request_ids where (api_key_id, request_id) in (
      select api_key_id, request_id from request_ids where forget_at <= ${now.toISOString()}::timestamptz
      order by forget_at limit ${FORGET_BATCH} for update skip locked)`);
}
