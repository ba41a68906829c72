import type { Db } from "@/db/client";
import { announceCallbacks } from "@/db/queries/callbacks/callbacks";
import { endOriginPause } from "@/db/queries/callbacks/origins";
import { restartCallback, restartFailedCallbacks } from "@/db/queries/callbacks/resends";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";

interface OneCallback {
  merchantId: string;
  callbackId: string;
  userId: string;
}

/**
 * Sends a callback again by hand, at once: same body, same id, a new series of attempts. What was delivered can be sent again too.
 * @returns false when the merchant has no such callback, or it is being sent at this moment.
 */
export async function resendCallback(db: Db, callback: OneCallback, now: Date): Promise<boolean> {
  const { merchantId, userId, callbackId } = callback;
  return db.transaction(async (tx) => {
    const restarted = await restartCallback(tx, merchantId, callbackId, now);
    if (!restarted) return false;
    await endOriginPause(tx, restarted.origin, now);
    const { orderId } = restarted;
    await insertAuditEvent(tx, { merchantId, userId, orderId, action: "callback.resent", detail: { callbackId } }, now);
    await announceCallbacks(tx);
    return true;
  });
}

interface FailedRange {
  merchantId: string;
  userId: string;
  /** Callbacks written from here … */
  from: Date;
  /** … to before here. */
  until: Date;
}

/** Sends again every failed callback of a merchant that was written in a range of time. @returns how many. */
export async function resendFailedCallbacks(db: Db, range: FailedRange, now: Date): Promise<number> {
  const { merchantId, userId, from, until } = range;
  return db.transaction(async (tx) => {
    const count = await restartFailedCallbacks(tx, range, now);
    if (count === 0) return 0;
    const detail = { from: from.toISOString(), until: until.toISOString(), count };
    await insertAuditEvent(tx, { merchantId, userId, action: "callbacks.resent", detail }, now);
    await announceCallbacks(tx);
    return count;
  });
}
