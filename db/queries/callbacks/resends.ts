import { and, eq, gt, gte, isNotNull, isNull, lt, lte, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { callbackOrigins, callbacks } from "@/db/schema";

const NEW_SERIES = { status: "pending", seriesAttempts: 0, leaseOwner: null, leaseUntil: null } as const;

/** Makes a callback due now with a new series of attempts. Null: no such callback, or a sender holds it. */
export async function restartCallback(
  db: Db,
  merchantId: string,
  id: string,
  now: Date,
): Promise<{ orderId: string; origin: string } | null> {
  const isFree = or(isNull(callbacks.leaseUntil), lte(callbacks.leaseUntil, now));
  const rows = await db
    .update(callbacks)
    .set({ ...NEW_SERIES, nextAttemptAt: now })
    .where(and(eq(callbacks.id, id), eq(callbacks.merchantId, merchantId), isFree))
    .returning({ orderId: callbacks.orderId, origin: callbacks.origin });
  return rows[0] ?? null;
}

/** Makes a merchant's failed callbacks of a range due now, each with a new series. Returns how many. */
export async function restartFailedCallbacks(
  db: Db,
  range: { merchantId: string; from: Date; until: Date },
  now: Date,
): Promise<number> {
  const result = await db
    .update(callbacks)
    .set({ ...NEW_SERIES, nextAttemptAt: now })
    .where(
      and(
        eq(callbacks.merchantId, range.merchantId),
        eq(callbacks.status, "failed"),
        gte(callbacks.createdAt, range.from),
        lt(callbacks.createdAt, range.until),
      ),
    );
  return result.count;
}

/** Lets the next probe of a paused origin go at once. */
export async function endOriginPause(tx: Db, origin: string, now: Date): Promise<void> {
  await tx
    .update(callbackOrigins)
    .set({ pausedUntil: now })
    .where(
      and(
        eq(callbackOrigins.origin, origin),
        isNotNull(callbackOrigins.pausedUntil),
        gt(callbackOrigins.pausedUntil, now),
      ),
    );
}
