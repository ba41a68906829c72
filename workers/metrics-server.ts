import { createServer } from "node:http";
import type { Env } from "@/lib/config/env";
import { callOfIncoming } from "@/lib/http/api-call";
import type { Log } from "@/lib/log";
import { mayReadMetrics } from "@/lib/metrics/metrics-access";
import type { ProcessMetrics } from "@/lib/metrics/process-metrics";

type Settings = Pick<Env, "host" | "workerMetricsPort" | "metricsToken" | "isMetricsLocal">;

/**
 * Responds to a cluster's probe at /live while this process runs, and serves a worker's own metrics at /metrics; the web process serves
 * those of the whole installation.
 * @param metrics null: no setting permits reading them
 * @returns a handle that closes the server; if the port is in use, this is logged and the worker continues
 */
export function serveMetrics(env: Settings, metrics: ProcessMetrics | null, log: Log): { close(): Promise<void> } {
  const server = createServer(async (request, response) => {
    if (request.url === "/live") return void response.writeHead(200).end("ok\n");
    const isAllowed = mayReadMetrics(env, request.headers.authorization ?? null, callOfIncoming(request, 0).directPeer);
    if (request.url !== "/metrics" || !isAllowed || !metrics) return void response.writeHead(404).end("Not Found\n");
    response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(await metrics.registry.metrics());
  });
  server.once("error", (err) =>
    log.error({ err, port: env.workerMetricsPort }, "the worker's metrics and its /live are not served"),
  );
  server.listen(
    env.workerMetricsPort ?? 0,
    env.isMetricsLocal && env.metricsToken === null ? "127.0.0.1" : env.host,
    () => log.info({ address: server.address() }, "the worker's metrics are at /metrics"),
  );
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
