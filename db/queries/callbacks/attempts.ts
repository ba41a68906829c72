import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { ClaimedCallback } from "@/db/queries/callbacks/claims";
import { callbackAttempts, callbacks } from "@/db/schema";
import type { CallbackStatus } from "@/lib/domain/callbacks/callback";

/** One try, as it is kept. */
export interface AttemptRecord {
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  /** Why there is no HTTP status, in words. */
  error: string | null;
  answer: string | null;
  peer: string | null;
}

export interface CallbackMove {
  status: CallbackStatus;
  /** Set exactly while the status is pending. */
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/**
 * Ends an attempt: what happened and what follows, and the lease is given back. Call it in a transaction.
 * @returns false when the lease was lost: another sender took over, and nothing was written.
 */
export async function recordAttempt(
  tx: Db,
  claim: ClaimedCallback,
  attempt: AttemptRecord,
  move: CallbackMove,
): Promise<boolean> {
  const [updated] = await tx
    .update(callbacks)
    .set({
      status: move.status,
      attempts: sql`${callbacks.attempts} + 1`,
      seriesAttempts: sql`${callbacks.seriesAttempts} + 1`,
      nextAttemptAt: move.nextAttemptAt,
      lastHttpStatus: attempt.httpStatus,
      leaseOwner: null,
      leaseUntil: null,
      ...(move.deliveredAt && { deliveredAt: move.deliveredAt }),
    })
    .where(
      and(
        eq(callbacks.id, claim.id),
        eq(callbacks.merchantId, claim.merchantId),
        eq(callbacks.leaseOwner, claim.leaseOwner),
        eq(callbacks.leaseUntil, claim.leaseUntil),
      ),
    )
    .returning({ attempts: callbacks.attempts });
  if (!updated) return false;
  const { id: callbackId, merchantId } = claim;
  await tx.insert(callbackAttempts).values({ callbackId, merchantId, number: updated.attempts, ...attempt });
  return true;
}
