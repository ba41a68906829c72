import { AsyncLocalStorage } from "node:async_hooks";
import { readEnv } from "@/lib/config/env";
import { INSTALLED } from "@/lib/integrations/installed";
import { createLog, type LogScope } from "@/lib/log";
import { startTracing } from "@/lib/tracing/start-tracing";
import { createWorkerTracing } from "@/lib/tracing/worker-tracing";
import { endWith } from "@/scripts/supervisor/foreground";
import { startWorker } from "@/workers/main";

/**
 * Starts the worker with the settings of this process.
 * @throws Error with a message for the operator
 */
export async function runWorker(): Promise<{ stop(): Promise<void> }> {
  const env = readEnv(process.env);
  const logScope: LogScope = new AsyncLocalStorage();
  const traced = await startTracing(env, "worker", createWorkerTracing);
  const tracing = traced?.tracing ?? null;
  const log = createLog("worker", env.logLevel, { scope: logScope, ...(tracing && { facts: tracing.traceOfLine }) });
  traced?.showIn(log);
  const worker = await startWorker({ env, log, integrations: INSTALLED, logScope, tracing, onRefused: endWith });
  return { stop: () => worker.stop().finally(() => traced?.close()) };
}
