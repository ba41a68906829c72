import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList, rowList } from "@/db/queries/many-rows";
import { callbackOrigins } from "@/db/schema";

export interface OriginHealth {
  origin: string;
  /** In a row. */
  failures: number;
  pausedUntil: Date | null;
}

/** How origins are, held for this transaction. */
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

/** Notes how origins are that the transaction holds. */
export async function updateOriginHealth(tx: Db, health: readonly OriginHealth[]): Promise<void> {
  await tx.execute(sql`
    update callback_origins o set failures = h.failures, paused_until = h."pausedUntil"
    from jsonb_to_recordset(${rowList(health)}) as h (origin text, failures integer, "pausedUntil" timestamptz)
    where o.origin = h.origin`);
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
