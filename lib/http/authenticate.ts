import { isDatabaseAway } from "@/db/unavailable";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-context";
import { addressNetwork, clientAddress } from "@/lib/http/client-address";
import type { KnownKey } from "@/lib/http/key-ring";
import type { RateVerdict } from "@/lib/http/rate-limit";

const FAILURES = { name: "failures", perMinute: 20, burst: 20 };
const MAX_KEY_CHARACTERS = 200;

/**
 * The live key that a request carries.
 * @throws AppError 10002
 */
export async function authenticate(context: ApiContext, request: Request, now: Date): Promise<KnownKey> {
  const text = request.headers.get("x-api-key") ?? "";
  if (!text) {
    throw new AppError(
      10002,
      "The X-API-Key header is missing; make a key in the back office under Settings → API keys",
    );
  }
  const key = text.length <= MAX_KEY_CHARACTERS ? await context.keyRing.find(text, now) : null;
  if (key) return key;
  throw new AppError(
    10002,
    "The key in X-API-Key is unknown, was revoked or has ended; see Settings → API keys in the back office",
  );
}

/** Counts a failed authentication: 10002 stays 10002 until its address has had 20 within a minute. */
export async function countFailure(
  context: ApiContext,
  request: Request,
  failure: AppError,
  now: Date,
): Promise<AppError> {
  context.keyRing.forget(request.headers.get("x-api-key") ?? "");
  if (context.env.isSandbox) return failure;
  const from = clientAddress(request.headers.get("x-forwarded-for"), context.env.trustedProxies);
  const verdict = await takeFailure(context, addressNetwork(from), now);
  if (!verdict || verdict.isAllowed) return failure;
  const wait = verdict.retryAfterSeconds;
  const message = `Too many requests from this address failed to authenticate; try again in ${wait} s`;
  return new AppError(10005, message, { headers: { "Retry-After": String(wait) } });
}

/** Null while the database is away: a wrong key is wrong all the same. */
async function takeFailure(context: ApiContext, network: string, now: Date): Promise<RateVerdict | null> {
  try {
    return await context.rateLimiter.take(FAILURES, network, now);
  } catch (error) {
    if (isDatabaseAway(error)) return null;
    throw error;
  }
}
