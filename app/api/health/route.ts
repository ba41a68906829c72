import { getContext } from "@/app/context";
import { seen } from "@/lib/domain/fields/json-value";
import { problem } from "@/lib/domain/problems/problem";
import { readHealth } from "@/lib/http/health";
import { problemResponse } from "@/lib/http/public-problem";

/**
 * Reports the health of the installation. For load balancers: 200 while the database responds, otherwise 503. For monitors, with
 * `strict=1`: 200 only while the status is "ok". Other values of `strict` are refused, so that a typing error does not report "ok".
 */
export async function GET(request: Request): Promise<Response> {
  const { pool, env, now, log, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  const strict = new URL(request.url).searchParams.getAll("strict");
  const isStrict = strict.join() === "1";
  if (strict.length > 0 && !isStrict)
    return problemResponse(problem("strict_malformed", { given: seen(strict.join()) }));
  const health = await readHealth(pool.db, env.rpcUrls, now(), log);
  const isWell = isStrict ? health.status === "ok" : health.database === "ok";
  return Response.json(health, {
    status: isWell ? 200 : 503,
    headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
  });
}
