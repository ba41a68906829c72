import { AsyncLocalStorage } from "node:async_hooks";
import { readEnv } from "@/lib/config/env";
import { INSTALLED } from "@/lib/integrations/installed";
import { createLog, type LogScope, openOutput } from "@/lib/log";
import { startTracing } from "@/lib/tracing/start-tracing";
import { createWorkerTracing } from "@/lib/tracing/worker-tracing";
import { announceReady } from "@/scripts/supervisor/service-manager";
import { startWorker } from "@/workers/main";

openOutput("worker", process.env, Date.now);

/** `npm run worker`: runs the worker in the foreground until SIGTERM or SIGINT. */
async function run(): Promise<void> {
  const env = readEnv(process.env);
  const logScope: LogScope = new AsyncLocalStorage();
  const traced = await startTracing(env, "worker", createWorkerTracing);
  const tracing = traced?.tracing ?? null;
  const log = createLog("worker", env.logLevel, { scope: logScope, ...(tracing && { facts: tracing.traceOfLine }) });
  traced?.showIn(log);
  const worker = await startWorker({ env, log, integrations: INSTALLED, logScope, tracing, onRefused: endWith });
  announceReady();
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      const ended = worker.stop().finally(() => traced?.close());
      void ended.finally(() => process.exit(0));
    });
  }
}

function endWith(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

run().catch(endWith);
