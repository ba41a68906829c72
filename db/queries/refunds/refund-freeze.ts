import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { refundRequests } from "@/db/schema";
import { LOOKUP_ASKED } from "@/lib/domain/channels";
import type { FreezeState } from "@/lib/domain/refunds/freeze";

/** Notifies the worker of a network that the address of a refund is to be checked. */
export async function announceFreezeCheck(db: Db, network: string): Promise<void> {
  await db.execute(sql`select pg_notify(${LOOKUP_ASKED}, ${network})`);
}

/** Returns the claimed and approved refunds on a network whose address is due for a check, at most `limit`; new claims come first. */
export async function listDueFreezeChecks(db: Db, network: string, now: Date, limit: number) {
  const { id, merchantId, currency, address, claimedAt, approvedAt, freezeLookAt } = refundRequests;
  return db
    .select({ id, merchantId, currency, address, claimedAt, approvedAt, freezeLookAt })
    .from(refundRequests)
    .where(
      and(
        eq(refundRequests.network, network),
        sql`${refundRequests.status} in ('claimed', 'approved')`,
        sql`(${freezeLookAt} is null or ${freezeLookAt} <= ${now.toISOString()}::timestamptz)`,
      ),
    )
    .orderBy(sql`${freezeLookAt} nulls first`)
    .limit(limit);
}

type DueCheck = Awaited<ReturnType<typeof listDueFreezeChecks>>[number];

/**
 * Stores the result of a check, unless the refund was claimed again, approved or checked in the meantime.
 * A failed check does not replace the result that the address is listed.
 */
export async function writeFreezeState(
  db: Db,
  read: DueCheck,
  { state, lookAt }: { state: FreezeState; lookAt: Date },
  now: Date,
): Promise<boolean> {
  const isKept = sql`${state} = 'unchecked' and ${refundRequests.freezeState} = 'listed'`;
  const rows = await db
    .update(refundRequests)
    .set({
      freezeState: sql`case when ${isKept} then ${refundRequests.freezeState} else ${state} end`,
      freezeCheckedAt: sql`case when ${isKept} then ${refundRequests.freezeCheckedAt} else ${now.toISOString()}::timestamptz end`,
      freezeLookAt: lookAt,
    })
    .where(
      and(
        eq(refundRequests.id, read.id),
        eq(refundRequests.merchantId, read.merchantId),
        read.claimedAt ? eq(refundRequests.claimedAt, read.claimedAt) : isNull(refundRequests.claimedAt),
        read.approvedAt ? eq(refundRequests.approvedAt, read.approvedAt) : isNull(refundRequests.approvedAt),
        read.freezeLookAt ? eq(refundRequests.freezeLookAt, read.freezeLookAt) : isNull(refundRequests.freezeLookAt),
      ),
    )
    .returning({ id: refundRequests.id });
  return rows.length > 0;
}
