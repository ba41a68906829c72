import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { rateLimits } from "@/db/schema";
import { countedNetworks } from "@/lib/domain/users/request-origin";

/** A limit of `count` attempts, refilled evenly over `windowMs`. */
export interface AttemptRule {
  count: number;
  windowMs: number;
}

/**
 * Takes one attempt from a shared bucket, so that a limit applies across all processes.
 * @returns 0 if an attempt was available, otherwise the milliseconds until the next one is available
 */
export async function takeAttempt(db: Db, key: string, rule: AttemptRule, now: Date): Promise<number> {
  const intervalMs = rule.windowMs / rule.count;
  const { granted, fullAt } = await takeTokens(db, { key, burst: rule.count, intervalMs }, 1, now);
  if (granted > 0) return 0;
  return Math.max(1, fullAt.getTime() + intervalMs - rule.windowMs - now.getTime());
}

/** Returns one attempt to its bucket after a success, because only failures count. */
export async function returnAttempt(db: Db, key: string, rule: AttemptRule): Promise<void> {
  const stepMs = rule.windowMs / rule.count;
  await db
    .update(rateLimits)
    .set({ fullAt: sql`${rateLimits.fullAt} - ${stepMs} * interval '1 millisecond'` })
    .where(eq(rateLimits.key, key));
}

/**
 * Takes one attempt for each network of a visitor. For IPv6, these are the /64 and the /48 around it, which has a limit four times as
 * high.
 * @param name the name of the limited action
 * @returns 0 if an attempt was available for each network, otherwise the milliseconds until one is available for the first network that
 * had none
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

/** Refills a bucket completely. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}
