import { benchEnv } from "@/bench/env";
import { startWeb } from "@/server";

/** What this program has used so far. */
export interface Usage {
  cpuMs: number;
  rssBytes: number;
}

/**
 * A web process of the benchmark, with nothing of the benchmark in its memory: `bench-web DATABASE_URL APP_SECRET` serves until its
 * parent ends, tells its port once it listens, and what it uses when it is asked.
 */
async function run([databaseUrl = "", appSecret = ""]: readonly string[]): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  const web = await startWeb({ env: benchEnv(databaseUrl, appSecret), hasPages: false });
  process.send?.(web.port);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() };
    process.send?.(usage);
  });
  process.once("SIGTERM", () => void web.close().then(() => process.exit(0)));
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
