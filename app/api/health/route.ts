import { getContext } from "@/app/context";
import { readHealth } from "@/lib/http/health";

/** For load balancers and monitors: 200 while the database answers, else 503. */
export async function GET(): Promise<Response> {
  const { pool, env, now, log } = getContext();
  const health = await readHealth(pool.db, [...env.rpcUrls.keys()], now(), log);
  return Response.json(health, {
    status: health.database === "ok" ? 200 : 503,
    headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
  });
}
