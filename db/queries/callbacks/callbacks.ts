import { and, eq, gte, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { callbacks } from "@/db/schema";
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import { CALLBACK_DUE } from "@/lib/domain/channels";

/** A callback when it is written: due at once. */
export interface NewCallback {
  id: string;
  merchantId: string;
  orderId: string;
  type: CallbackType;
  url: string;
  origin: string;
  body: string;
}

/** Writes callbacks that are due now and wakes the senders at commit. One per order and type: a repeat changes nothing. */
export async function insertCallbacks(db: Db, owed: readonly NewCallback[], now: Date): Promise<void> {
  if (owed.length === 0) return;
  await db
    .insert(callbacks)
    .values(owed.map((callback) => ({ ...callback, status: "pending" as const, nextAttemptAt: now, createdAt: now })))
    .onConflictDoNothing({ target: [callbacks.orderId, callbacks.type, callbacks.merchantId] });
  await announceCallbacks(db);
}

/** Wakes the senders when the transaction commits. */
export async function announceCallbacks(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${CALLBACK_DUE}, '')`);
}

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
