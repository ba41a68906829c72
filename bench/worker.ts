import { usageOf } from "@/bench/bare/usage";
import { benchEnv } from "@/bench/env";
import { INSTALLED } from "@/lib/integrations/installed";
import { createLog } from "@/lib/log";
import { startWorker } from "@/workers/main";

/**
 * Runs a worker of the benchmark that reads the given networks. `bench-worker DATABASE_URL APP_SECRET [id=URL …]` runs until its parent
 * ends, reports when it has started, and reports its resource usage on request.
 */
async function run([databaseUrl = "", appSecret = "", ...networks]: readonly string[]): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  const env = { ...benchEnv(databaseUrl, appSecret), rpcUrls: new Map(networks.map(urlOf)) };
  const worker = await startWorker({ env, log: createLog("worker", env.logLevel), integrations: INSTALLED });
  process.on("message", (asked) => process.send?.(usageOf(asked)));
  process.once("SIGTERM", () => void worker.stop().then(() => process.exit(0)));
  process.send?.("started");
}

function urlOf(named: string): [network: string, urls: string[]] {
  const separator = named.indexOf("=");
  return [named.slice(0, separator), [named.slice(separator + 1)]];
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
