import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { rateLimits } from "@/db/schema";
import { countedNetworks } from "@/lib/domain/users/request-origin";

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

/**
 * Takes one attempt for each network of a visitor: of IPv6 the /64 and the /48 around it, which may have four times as many.
 * @param name of what is limited
 * @returns 0 when all had one, else the milliseconds until the first that had none has one
 */
export async function takeAttemptOf(db: Db, name: string, ip: string, rule: AttemptRule, now: Date): Promise<number> {
  for (const bucket of networkBuckets(name, ip, rule)) {
    const retryAfterMs = await takeAttempt(db, bucket.key, bucket.rule, now);
    if (retryAfterMs > 0) return retryAfterMs;
  }
  return 0;
}

/** Returns the attempts that `takeAttemptOf` took. */
export async function returnAttemptOf(db: Db, name: string, ip: string, rule: AttemptRule): Promise<void> {
  for (const bucket of networkBuckets(name, ip, rule)) await returnAttempt(db, bucket.key, bucket.rule);
}

function networkBuckets(name: string, ip: string, rule: AttemptRule): { key: string; rule: AttemptRule }[] {
  return countedNetworks(ip).map(({ network, times }) => ({
    key: `${name}:${network}`,
    rule: { ...rule, count: rule.count * times },
  }));
}

/** Makes a bucket full again. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}
