import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { failedOf } from "@/db/queries/callbacks/callback-list";
import type { ClaimedCallback } from "@/db/queries/callbacks/callbacks";
import { rowList } from "@/db/queries/many-rows";
import { callbacks } from "@/db/schema";
import type { CallbackFilter } from "@/lib/domain/callbacks/filter";

const NEW_SERIES = {
  status: "pending",
  seriesAttempts: 0,
  leaseOwner: null,
  leaseUntil: null,
  unsignedReason: null,
  unsignedSince: null,
} as const;

/** Makes a callback due now with a new series of attempts. Returns null if there is no such callback, or a sender has claimed it. */
export async function restartCallback(
  db: Db,
  merchantId: string,
  id: string,
  now: Date,
): Promise<{ orderId: string | null; origin: string } | null> {
  const isFree = or(isNull(callbacks.leaseUntil), lte(callbacks.leaseUntil, now));
  const rows = await db
    .update(callbacks)
    .set({ ...NEW_SERIES, nextAttemptAt: now })
    .where(and(eq(callbacks.id, id), eq(callbacks.merchantId, merchantId), isFree))
    .returning({ orderId: callbacks.orderId, origin: callbacks.origin });
  return rows[0] ?? null;
}

/**
 * Restarts a merchant's failed callbacks that match a filter, oldest first: they are due now, each with a new series of attempts.
 * @returns the number of restarted callbacks
 */
export async function restartFailedCallbacks(
  db: Db,
  { merchantId, filter, limit }: { merchantId: string; filter: CallbackFilter; limit: number },
  now: Date,
): Promise<number> {
  const result = await db
    .update(callbacks)
    .set({ ...NEW_SERIES, nextAttemptAt: now })
    .where(
      and(
        eq(callbacks.merchantId, merchantId),
        eq(callbacks.status, "failed"),
        sql`${callbacks.id} = any(array(${failedOf(merchantId, filter, limit)} for update))`,
      ),
    );
  return result.count;
}

/**
 * Releases the callbacks that dead workers have claimed, and makes them due. Otherwise these callbacks would count as in flight to their
 * origin until their leases end. A worker is dead if it no longer has a connection.
 * @returns the number of released callbacks
 */
export async function freeLeasesOfDead(db: Db, now: Date): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute(sql`
    with dead as materialized (
      select owner from (select distinct lease_owner as owner from callbacks where lease_until > ${at}) holders
      where not exists (
        select from pg_stat_activity where datname = current_database() and application_name = 'stablegate-worker ' || right(owner, 8)))
    update callbacks set lease_owner = null, lease_until = null, next_attempt_at = ${at}
    from dead where lease_until > ${at} and lease_owner = dead.owner returning 1`);
  return rows.length;
}

/**
 * Releases claimed callbacks that were not attempted. They are due since the same time as before, so that they keep their positions. A
 * callback whose claim is no longer valid is not changed.
 */
export async function releaseClaims(db: Db, claims: readonly ClaimedCallback[]): Promise<void> {
  if (claims.length === 0) return;
  const list = claims.map(({ id, merchantId, leaseOwner, leaseUntil, dueAt }) => ({
    id,
    merchantId,
    leaseOwner,
    leaseUntil,
    dueAt,
  }));
  await db.execute(sql`
    update callbacks c set lease_owner = null, lease_until = null, next_attempt_at = r."dueAt"
    from jsonb_to_recordset(${rowList(list)}) as r (id text, "merchantId" text, "leaseOwner" text, "leaseUntil" timestamptz, "dueAt" timestamptz)
    where c.id = r.id and c.merchant_id = r."merchantId" and c.lease_owner = r."leaseOwner" and c.lease_until = r."leaseUntil"`);
}
