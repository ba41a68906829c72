import { and, eq, gt, isNotNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { callbackOrigins } from "@/db/schema";

export interface OriginHealth {
  /** In a row. */
  failures: number;
  pausedUntil: Date | null;
}

/** How an origin is, held for this transaction. */
export async function lockOrigin(tx: Db, origin: string): Promise<OriginHealth | null> {
  const rows = await tx
    .select({ failures: callbackOrigins.failures, pausedUntil: callbackOrigins.pausedUntil })
    .from(callbackOrigins)
    .where(eq(callbackOrigins.origin, origin))
    .for("update");
  return rows[0] ?? null;
}

/** Notes a failure of an origin that the transaction holds. */
export async function updateOriginHealth(tx: Db, origin: string, health: OriginHealth): Promise<void> {
  await tx.update(callbackOrigins).set(health).where(eq(callbackOrigins.origin, origin));
}

/** An origin that answers has no failures any more; one that had none is not touched. */
export async function clearOriginFailures(tx: Db, origin: string): Promise<void> {
  await tx
    .update(callbackOrigins)
    .set({ failures: 0, pausedUntil: null })
    .where(and(eq(callbackOrigins.origin, origin), gt(callbackOrigins.failures, 0)));
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
