import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList, rowList } from "@/db/queries/many-rows";
import { callbackOrigins } from "@/db/schema";

export interface OriginHealth {
  origin: string;
  /** The number of consecutive failures. */
  failures: number;
  pausedUntil: Date | null;
}

/** Returns the state of origins, locked for this transaction. */
export async function lockOrigins(tx: Db, origins: readonly string[]): Promise<OriginHealth[]> {
  return tx
    .select({
      origin: callbackOrigins.origin,
      failures: callbackOrigins.failures,
      pausedUntil: callbackOrigins.pausedUntil,
    })
    .from(callbackOrigins)
    .where(sql`${callbackOrigins.origin} = any(${idList(origins)})`)
    .orderBy(callbackOrigins.origin)
    .for("update");
}

/** Stores the state of origins that the transaction has locked. */
export async function updateOriginHealth(tx: Db, health: readonly OriginHealth[]): Promise<void> {
  await tx.execute(sql`
    update callback_origins o set failures = h.failures, paused_until = h."pausedUntil"
    from jsonb_to_recordset(${rowList(health)}) as h (origin text, failures integer, "pausedUntil" timestamptz)
    where o.origin = h.origin`);
}

/** Ends the pause of an origin, so that the next probe is sent immediately. */
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
