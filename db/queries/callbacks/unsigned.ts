import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { announceCallbacks, type ClaimedCallback } from "@/db/queries/callbacks/callbacks";
import { rowList } from "@/db/queries/many-rows";
import type { UnsignedReason } from "@/lib/domain/callbacks/unsigned";

/** A claimed callback that could not be signed. */
export interface UnsignedCallback {
  claim: Pick<ClaimedCallback, "id" | "merchantId" | "leaseOwner" | "leaseUntil">;
  reason: UnsignedReason;
  at: Date;
  nextAttemptAt: Date;
}

/**
 * Ends claims of callbacks that could not be signed: they are due later, and no attempt is counted.
 * @returns the ids of the written callbacks; callbacks that are not included lost their lease
 */
export async function postponeUnsigned(db: Db, unsigned: readonly UnsignedCallback[]): Promise<Set<string>> {
  if (unsigned.length === 0) return new Set();
  const list = unsigned.map(({ claim: { id, merchantId, leaseOwner, leaseUntil }, reason, at, nextAttemptAt }) => ({
    id,
    merchantId,
    leaseOwner,
    leaseUntil,
    reason,
    at,
    nextAttemptAt,
  }));
  const rows = await db.execute<{ id: string }>(sql`
    update callbacks c set next_attempt_at = u."nextAttemptAt", lease_owner = null, lease_until = null,
      unsigned_reason = u.reason, unsigned_since = coalesce(c.unsigned_since, u.at)
    from jsonb_to_recordset(${rowList(list)}) as u (id text, "merchantId" text, "leaseOwner" text, "leaseUntil" timestamptz,
      reason text, at timestamptz, "nextAttemptAt" timestamptz)
    where c.id = u.id and c.merchant_id = u."merchantId" and c.lease_owner = u."leaseOwner" and c.lease_until = u."leaseUntil"
    returning c.id`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Makes a merchant's unsigned callbacks due, because its keys changed. Callbacks that a sender has currently claimed are due after their
 * delay.
 */
export async function wakeUnsigned(db: Db, merchantId: string, now: Date): Promise<void> {
  const rows = await db.execute(sql`
    update callbacks set next_attempt_at = ${now.toISOString()}::timestamptz
    where merchant_id = ${merchantId} and unsigned_since is not null and status = 'pending' and lease_owner is null
    returning 1`);
  if (rows.length > 0) await announceCallbacks(db);
}

/** Counts the callbacks of a merchant that cannot be signed, up to `limit`. */
export async function countUnsigned(db: Db, merchantId: string, limit: number): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from callbacks where merchant_id = ${merchantId} and unsigned_since is not null and status = 'pending'
      limit ${limit}) counted`);
  return row?.count ?? 0;
}
