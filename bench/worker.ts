import { benchEnv } from "@/bench/env";
import type { Usage } from "@/bench/web";
import { createLog } from "@/lib/log";
import { startWorker } from "@/workers/main";

/**
 * A worker of the benchmark that reads no network: `bench-worker DATABASE_URL APP_SECRET` runs until its parent ends, says when
 * it began, and what it uses when it is asked.
 */
async function run([databaseUrl = "", appSecret = ""]: readonly string[]): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  const env = { ...benchEnv(databaseUrl, appSecret), rpcUrls: new Map() };
  const worker = await startWorker({ env, log: createLog("worker", env.logLevel) });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() };
    process.send?.(usage);
  });
  process.once("SIGTERM", () => void worker.stop().then(() => process.exit(0)));
  process.send?.("begun");
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
