import { usageOf } from "@/bench/bare/usage";
import { benchEnv } from "@/bench/env";
import { INSTALLED } from "@/lib/integrations/installed";
import { createLog } from "@/lib/log";
import { startWorker } from "@/workers/main";

/**
 * Runs a worker of the benchmark that reads the given networks. `bench-worker DATABASE_URL APP_SECRET [id=URL[,WEBSOCKET_URL] …]` runs until
 * its parent ends, reports when it has started, and reports its resource usage on request.
 */
async function run([databaseUrl = "", appSecret = "", ...networks]: readonly string[]): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  const urls = networks.map(urlsOf);
  const rpcUrls = new Map(urls.map(({ id, url }) => [id, [url]]));
  const socketUrls = new Map(urls.flatMap(({ id, socketUrl }) => (socketUrl ? [[id, [socketUrl]] as const] : [])));
  const env = { ...benchEnv(databaseUrl, appSecret), rpcUrls, socketUrls };
  const worker = await startWorker({ env, log: createLog("worker", env.logLevel), integrations: INSTALLED });
  process.on("message", (asked) => process.send?.(usageOf(asked)));
  process.once("SIGTERM", () => void worker.stop().then(() => process.exit(0)));
  process.send?.("started");
}

function urlsOf(named: string) {
  const separator = named.indexOf("=");
  const [url = "", socketUrl] = named.slice(separator + 1).split(",");
  return { id: named.slice(0, separator), url, socketUrl };
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
