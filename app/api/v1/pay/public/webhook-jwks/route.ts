import { getContext } from "@/app/context";
import { listPublicKeys } from "@/lib/callbacks/signing-keys";
import { problem } from "@/lib/domain/problems/problem";
import { problemResponse } from "@/lib/http/public-problem";

const RETRY_SECONDS = 5;

/**
 * The headers of the response. The cache time of one hour is well below the day between the publication of a key and its first use for
 * signing.
 */
const HEADERS = { "Cache-Control": "public, max-age=3600", "X-Content-Type-Options": "nosniff" };

/** Returns the public keys of this installation, with which clients verify its callbacks. */
export async function GET(request: Request): Promise<Response> {
  const { env, log, now, pool, visitors } = getContext();
  const time = now();
  const wait = visitors.view(request, time);
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  try {
    return Response.json(await listPublicKeys(pool.db, env.appSecret, time), { headers: HEADERS });
  } catch (error) {
    log.error({ err: error }, "the public keys could not be read");
    return problemResponse(problem("public_keys_unreadable", { seconds: RETRY_SECONDS }));
  }
}
