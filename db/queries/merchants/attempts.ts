import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { rateLimits } from "@/db/schema";

/** `count` attempts at once, refilled evenly over `windowMs`. */
export interface AttemptRule {
  count: number;
  windowMs: number;
}

/**
 * Takes one attempt from a shared bucket, so that a limit holds over all processes.
 * @returns 0 when there was one, else the milliseconds until there is.
 */
export async function takeAttempt(db: Db, key: string, rule: AttemptRule, now: Date): Promise<number> {
  const intervalMs = rule.windowMs / rule.count;
  const { granted, fullAt } = await takeTokens(db, { key, burst: rule.count, intervalMs }, 1, now);
  if (granted > 0) return 0;
  return Math.max(1, fullAt.getTime() + intervalMs - rule.windowMs - now.getTime());
}

/** Gives one attempt back: it succeeded, and only failures count. */
export async function returnAttempt(db: Db, key: string, rule: AttemptRule): Promise<void> {
  const stepMs = rule.windowMs / rule.count;
  await db
    .update(rateLimits)
    .set({ fullAt: sql`${rateLimits.fullAt} - ${stepMs} * interval '1 millisecond'` })
    .where(eq(rateLimits.key, key));
}
