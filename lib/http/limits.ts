import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-context";
import type { RatePolicy, RateVerdict } from "@/lib/http/rate-limit";

/** What a request asks for, as limits see it. */
export type Work = "creates" | "reads";

/**
 * Counts a request of a key against its limit.
 * @returns the headers that tell the caller where it stands; none where there is no limit
 * @throws AppError 10005 with the same headers and Retry-After
 */
export async function countRequest(
  context: ApiContext,
  work: Work,
  apiKeyId: string,
  now: Date,
): Promise<Record<string, string>> {
  const perMinute = work === "creates" ? context.env.createsPerMinute : context.env.readsPerMinute;
  if (perMinute === null) return {};
  const policy = { name: work, perMinute, burst: perMinute * 2 };
  const verdict = await context.rateLimiter.take(policy, apiKeyId, now);
  const headers = limitHeaders(policy, verdict);
  if (verdict.isAllowed) return headers;
  const wait = verdict.retryAfterSeconds;
  throw new AppError(
    10005,
    `This API key may make ${perMinute} ${work === "creates" ? "orders" : "queries"} per minute, and twice as many at once; try again in ${wait} s`,
    { headers: { ...headers, "Retry-After": String(wait) } },
  );
}

/** The fields of draft-ietf-httpapi-ratelimit-headers: q requests per w seconds; r are left, all are back in t seconds. */
function limitHeaders({ name, perMinute, burst }: RatePolicy, verdict: RateVerdict): Record<string, string> {
  return {
    "RateLimit-Policy": `"${name}";q=${burst};w=${Math.ceil((burst * 60) / perMinute)}`,
    RateLimit: `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
}
