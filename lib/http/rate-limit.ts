import type { Db } from "@/db/client";
import { type Bucket, deleteFullBuckets, takeTokens } from "@/db/queries/merchants/rate-limits";
import type { Env } from "@/lib/config/env";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";

/** A rate limit: the average number of requests per minute, and the maximum number of requests at once (`burst`). */
export interface RatePolicy {
  name: string;
  perMinute: number;
  burst: number;
}

export interface RateVerdict {
  isAllowed: boolean;
  /** The remaining tokens, as far as this process can determine. */
  remaining: number;
  /** The time until the bucket is full again. */
  resetSeconds: number;
  /** The time until a refused caller may retry; 0 if allowed. */
  retryAfterSeconds: number;
}

/** The kind of a request, which determines its rate limit. */
export type Work = "creates" | "reads";

interface LimitContext {
  env: Pick<Env, "createsPerMinute" | "readsPerMinute">;
  rateLimiter: RateLimiter;
}

/** Limits that apply across all web processes. */
export interface RateLimiter {
  /** Takes one token from the bucket of `who` under a policy. */
  take(policy: RatePolicy, who: string, now: Date): Promise<RateVerdict>;
  /** Returns the number of seconds for which this process refuses `who`, without querying the database; 0 if it does not. */
  refusedSeconds(policy: RatePolicy, who: string, now: Date): number;
}

/** The tokens that this process took from the shared bucket and has not spent yet, or its refusal. Times are Unix milliseconds. */
interface Lease {
  tokens: number;
  isRefused: boolean;
  /** The tokens that were left in the shared bucket. */
  shared: number;
  fullAt: number;
  /** The time when the tokens are released, or the refusal ends. */
  endsAt: number;
  renewal: Promise<void> | null;
}

const LEASE_MS = 10_000;
const LEASE_SHARE = 0.05;
const MAX_LEASES = 10_000;
const CLEAN_EVERY_MS = 60_000;

/**
 * Creates the limiter of a process. It takes tokens from the database in batches of up to 5% of the burst, so most requests need no query.
 * A refusal is cached until it ends.
 */
export function createRateLimiter(db: Db): RateLimiter {
  const leases = new Map<string, Lease>();
  let cleanAt = 0;

  async function renew(lease: Lease, bucket: Bucket, now: Date): Promise<void> {
    const wanted = Math.max(1, Math.floor(bucket.burst * LEASE_SHARE));
    const { granted, fullAt } = await takeTokens(db, bucket, wanted, now);
    const freeMs = now.getTime() + bucket.burst * bucket.intervalMs - fullAt.getTime();
    lease.tokens = granted;
    lease.isRefused = granted === 0;
    lease.shared = Math.max(0, Math.floor(freeMs / bucket.intervalMs));
    lease.fullAt = fullAt.getTime();
    lease.endsAt = now.getTime() + (granted > 0 ? LEASE_MS : Math.max(1, bucket.intervalMs - freeMs));
    if (now.getTime() < cleanAt) return;
    cleanAt = now.getTime() + CLEAN_EVERY_MS;
    await deleteFullBuckets(db, now);
  }

  return {
    async take(policy, who, now) {
      const bucket = { key: bucketName(policy, who), burst: policy.burst, intervalMs: 60_000 / policy.perMinute };
      const lease = leaseOf(leases, bucket.key);
      while (lease.endsAt <= now.getTime() || (lease.tokens === 0 && !lease.isRefused)) {
        lease.renewal ??= renew(lease, bucket, now).finally(() => {
          lease.renewal = null;
        });
        await lease.renewal;
      }
      if (!lease.isRefused) lease.tokens -= 1;
      return verdictOf(lease, now);
    },
    refusedSeconds(policy, who, now) {
      const lease = leases.get(bucketName(policy, who));
      return lease && lease.endsAt > now.getTime() ? verdictOf(lease, now).retryAfterSeconds : 0;
    },
  };
}

const bucketName = (policy: RatePolicy, who: string) => `${policy.name}:${who}`;

/** Returns the lease of a bucket. If there are too many leases, the least recently used one is removed. */
function leaseOf(leases: Map<string, Lease>, key: string): Lease {
  const lease = leases.get(key) ?? { tokens: 0, isRefused: false, shared: 0, fullAt: 0, endsAt: 0, renewal: null };
  leases.delete(key);
  leases.set(key, lease);
  const [oldest] = leases.keys();
  if (leases.size > MAX_LEASES && oldest !== undefined) leases.delete(oldest);
  return lease;
}

function verdictOf(lease: Lease, now: Date): RateVerdict {
  const seconds = (until: number) => Math.max(0, Math.ceil((until - now.getTime()) / 1_000));
  return {
    isAllowed: !lease.isRefused,
    remaining: lease.tokens + lease.shared,
    resetSeconds: seconds(lease.fullAt),
    retryAfterSeconds: lease.isRefused ? Math.max(1, seconds(lease.endsAt)) : 0,
  };
}

/**
 * Counts a request against the limit of its key.
 * @returns the headers with the state of the limit; none without a limit
 * @throws AppError 10005 with the same headers and Retry-After
 */
export async function countRequest(
  { env, rateLimiter }: LimitContext,
  work: Work,
  apiKeyId: string,
  now: Date,
): Promise<Record<string, string>> {
  const perMinute = work === "creates" ? env.createsPerMinute : env.readsPerMinute;
  if (perMinute === null) return {};
  const policy = { name: work, perMinute, burst: perMinute * 2 };
  const verdict = await rateLimiter.take(policy, apiKeyId, now);
  const headers = limitHeaders(policy, verdict);
  if (verdict.isAllowed) return headers;
  const wait = verdict.retryAfterSeconds;
  const params = { perMinute, seconds: wait };
  const refused = work === "creates" ? problem("too_many_creates", params) : problem("too_many_reads", params);
  throw new AppError(refused, { headers, retryAfterSeconds: wait });
}

/**
 * Returns the fields of draft-ietf-httpapi-ratelimit-headers: q requests per w seconds; r remain, and all are available again in t
 * seconds.
 */
function limitHeaders({ name, perMinute, burst }: RatePolicy, verdict: RateVerdict): Record<string, string> {
  return {
    "RateLimit-Policy": `"${name}";q=${burst};w=${Math.ceil((burst * 60) / perMinute)}`,
    RateLimit: `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
}
