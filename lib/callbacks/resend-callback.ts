import type { Db } from "@/db/client";
import { announceCallbacks } from "@/db/queries/callbacks/callbacks";
import { endOriginPause } from "@/db/queries/callbacks/origins";
import { restartCallback, restartFailedCallbacks } from "@/db/queries/callbacks/resends";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import type { CallbackFilter } from "@/lib/domain/callbacks/filter";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

interface OneCallback {
  merchantId: string;
  callbackId: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

/**
 * Resends a callback manually and immediately, with the same body and id, and a new series of attempts. Delivered callbacks can be resent
 * too.
 * @returns false if the merchant has no such callback, or it is being sent now
 */
export async function resendCallback(db: Db, callback: OneCallback, now: Date): Promise<boolean> {
  const { merchantId, userId, callbackId, from } = callback;
  return db.transaction(async (tx) => {
    const restarted = await restartCallback(tx, merchantId, callbackId, now);
    if (!restarted) return false;
    await endOriginPause(tx, restarted.origin, now);
    const { orderId } = restarted;
    await insertAuditEvent(
      tx,
      { merchantId, userId, from, orderId, action: "callback.resent", detail: { callbackId } },
      now,
    );
    await announceCallbacks(tx);
    return true;
  });
}

interface FailedOfFilter {
  merchantId: string;
  userId: string;
  from?: RequestOrigin | undefined;
  /** The filter of failed callbacks; its status is ignored. */
  filter: CallbackFilter;
}

/** The maximum number of callbacks that one call resends. A repeated call resends the next ones. */
export const MAX_RESENT = 5_000;

/**
 * Resends a merchant's failed callbacks that match a filter, oldest first, with the same bodies and ids, and a new series of attempts.
 * Safe to repeat, because a resent callback no longer counts as failed.
 * @returns the number of resent callbacks, at most MAX_RESENT
 */
export async function resendFailedCallbacks(db: Db, failed: FailedOfFilter, now: Date): Promise<number> {
  const { merchantId, userId, filter, from } = failed;
  return db.transaction(async (tx) => {
    const count = await restartFailedCallbacks(tx, { merchantId, filter, limit: MAX_RESENT }, now);
    if (count === 0) return 0;
    const { status: _any, ...only } = filter;
    await insertAuditEvent(
      tx,
      { merchantId, userId, from, action: "callbacks.resent", detail: { ...only, count } },
      now,
    );
    await announceCallbacks(tx);
    return count;
  });
}
