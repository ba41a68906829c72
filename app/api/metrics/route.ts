import { getContext } from "@/app/context";
import { clientAddress } from "@/lib/http/visitors";
import { mayReadMetrics } from "@/lib/metrics/metrics-access";

/** Numbers in Prometheus' text format. Whoever may not read them is told nothing, not even that there are any. */
export async function GET(request: Request): Promise<Response> {
  const { env, metrics, now } = getContext();
  const address = clientAddress(request.headers.get("x-forwarded-for"), env.trustedProxies);
  if (!metrics || !mayReadMetrics(env, request.headers.get("authorization"), address))
    return new Response("Not Found\n", { status: 404 });
  const headers = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(await metrics.read(now()), { headers });
}
