import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rateLimits } from "@/db/schema";

/** `count` attempts at once, refilled evenly over `windowMs`. */
export interface AttemptRule {
  count: number;
  windowMs: number;
}

/**
 * Takes one attempt from a shared bucket (GCRA), so that a limit holds over all processes.
 * @returns 0 when there was one, else the milliseconds until there is.
 */
export async function takeAttempt(db: Db, key: string, rule: AttemptRule, now: Date): Promise<number> {
  const stepMs = rule.windowMs / rule.count;
  const latest = new Date(now.getTime() + rule.windowMs - stepMs);
  const taken = await db
    .insert(rateLimits)
    .values({ key, fullAt: new Date(now.getTime() + stepMs) })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { fullAt: sql`greatest(${rateLimits.fullAt}, ${iso(now)}) + ${stepMs} * interval '1 millisecond'` },
      setWhere: sql`${rateLimits.fullAt} <= ${iso(latest)}`,
    })
    .returning({ key: rateLimits.key });
  if (taken.length > 0) return 0;
  const rows = await db.select({ fullAt: rateLimits.fullAt }).from(rateLimits).where(eq(rateLimits.key, key));
  return Math.max(1, (rows[0]?.fullAt.getTime() ?? 0) - latest.getTime());
}

/** Gives one attempt back: it succeeded, and only failures count. */
export async function returnAttempt(db: Db, key: string, rule: AttemptRule): Promise<void> {
  const stepMs = rule.windowMs / rule.count;
  await db
    .update(rateLimits)
    .set({ fullAt: sql`${rateLimits.fullAt} - ${stepMs} * interval '1 millisecond'` })
    .where(eq(rateLimits.key, key));
}

const iso = (time: Date) => sql`${time.toISOString()}::timestamptz`;
