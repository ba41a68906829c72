import { usageOf } from "@/bench/bare/usage";
import { benchEnv } from "@/bench/env";
import type { Route } from "@/lib/http/listener";
import { replyRoute } from "@/lib/http/reply";
import { startWeb } from "@/server";

/** A route that returns a constant response of the given size, which is the limit for other measurements. */
const plain = replyRoute<{ bytes?: string }>(async (_call, { bytes }) => {
  const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": "br", "cache-control": "no-store" };
  return { status: 200, headers, body: plainBody(Number(bytes)) };
});
const bodies = new Map<number, Buffer<ArrayBuffer>>();

function plainBody(bytes: number): Buffer<ArrayBuffer> {
  const body = bodies.get(bytes) ?? Buffer.alloc(bytes, "x");
  bodies.set(bytes, body);
  return body;
}

const ROUTES: readonly Route[] = [
  ["GET", "/plain/{bytes}", Object.assign(() => new Response(), { answer: plain.answer })],
];

/**
 * Runs a web process of the benchmark, without the benchmark in its memory. `bench-web DATABASE_URL APP_SECRET [pages]` serves until its
 * parent ends, reports its port once it listens, and reports its resource usage on request.
 */
async function run([databaseUrl = "", appSecret = "", pages]: readonly string[]): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  const env = benchEnv(databaseUrl, appSecret);
  const web = await startWeb({ env, hasPages: pages === "pages", routes: ROUTES });
  process.send?.(web.port);
  process.on("message", (asked) => process.send?.(usageOf(asked)));
  process.once("SIGTERM", () => void web.close().then(() => process.exit(0)));
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
