import { getContext } from "@/app/context";
import { readHealth } from "@/lib/http/health";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";

/** For load balancers and monitors: 200 while the database answers, else 503. */
export async function GET(request: Request): Promise<Response> {
  const { pool, env, now, log, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  const health = await readHealth(pool.db, env.rpcUrls, now(), log);
  return Response.json(health, {
    status: health.database === "ok" ? 200 : 503,
    headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
  });
}
