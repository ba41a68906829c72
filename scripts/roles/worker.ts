import { AsyncLocalStorage } from "node:async_hooks";
import { EnvError, readEnv } from "@/lib/env";
import { createLog, type LogScope } from "@/lib/log";
import { startWorkers } from "@/workers/every-cell";

/** `npm run worker`: the worker in the foreground, until SIGTERM or SIGINT. */
async function run(): Promise<void> {
  const env = readEnv(process.env);
  const logScope: LogScope = new AsyncLocalStorage();
  const log = createLog("worker", env.logLevel, { scope: logScope });
  const worker = await startWorkers({ env, log, logScope });
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void worker.stop().finally(() => process.exit(0));
    });
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof EnvError ? error.message : String(error)}\n`);
  process.exit(1);
});
