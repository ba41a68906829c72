import { getContext } from "@/app/context";
import { replyRoute, textReply } from "@/lib/http/reply";
import { mayReadMetrics } from "@/lib/metrics/metrics-access";

/** Returns metrics in Prometheus' text format. Clients that may not read them get 404, as if the path did not exist. */
export const GET = replyRoute(async (call) => {
  const { env, metrics, now } = getContext();
  if (!metrics || !mayReadMetrics(env, call.header("authorization"), call.directPeer))
    return textReply(404, "Not Found\n");
  return textReply(200, await metrics.read(now()), {
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    "Cache-Control": "no-store",
  });
});
