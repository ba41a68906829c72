import type { IncomingMessage, ServerResponse } from "node:http";
import type { Registry } from "prom-client";
import type { DbPool } from "@/db/client";
import type { Env } from "@/lib/config/env";
import type { OrderStreams } from "@/lib/http/order-events";
import { createInstallationMetrics } from "@/lib/metrics/installation-metrics";
import { createProcessMetrics, type ProcessMetrics } from "@/lib/metrics/process-metrics";

/**
 * Merges the metrics of all processes of this kind.
 * @param registry the metrics of this process
 */
export type Gather = (registry: Registry) => Promise<string>;

interface Measured {
  env: Pick<Env, "rpcUrls">;
  pool: DbPool;
  orderStreams: OrderStreams;
}

/** Starts collecting the metrics of a web process. */
export async function startMetrics(
  { env, pool, orderStreams }: Measured,
  gather: Gather = (registry) => registry.metrics(),
): Promise<{ counted: ProcessMetrics; read(now: Date): Promise<string> }> {
  const counted = await createProcessMetrics(orderStreams.count);
  const installation = createInstallationMetrics(pool.db, [...env.rpcUrls.keys()]);
  return {
    counted,
    read: async (now) => (await Promise.all([gather(counted.registry), installation(now)])).join("\n"),
  };
}

/** The routes of event streams, whose responses last as long as a page is open. */
const STREAM = /^\/api\/\w+\/\{\w+\}\/events$/;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns the method of a request and its kind: the route, or a kind of page. Neither contains text that a client sends. */
export function kindOfRequest(route: string | null, incoming: IncomingMessage): { method: string; named: string } {
  const method = METHODS.has(incoming.method ?? "") ? (incoming.method ?? "") : "other";
  return { method, named: route ?? pageOf(incoming.url ?? "") };
}

/** Returns a function that counts a response when it is sent or aborted. */
export function countAnswers(counted: ProcessMetrics) {
  return (route: string | null, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const startedAt = performance.now();
    const { method, named } = kindOfRequest(route, incoming);
    outgoing.once("close", () => {
      const seconds = STREAM.test(named) ? null : (performance.now() - startedAt) / 1_000;
      counted.answered({ method, route: named, status: outgoing.statusCode, seconds });
    });
  };
}

function pageOf(url: string): string {
  const first = /^\/(dashboard|_next|login|register|invite|api)\b/.exec(url)?.[1];
  return first ? `/${first}/…` : "other";
}
