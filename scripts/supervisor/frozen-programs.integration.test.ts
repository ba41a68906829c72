import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { cursors } from "@/db/schema";
import { getNetwork } from "@/lib/domain/networks";
import { readHealth } from "@/lib/http/health";
import { createInstallationMetrics } from "@/lib/metrics/installation-metrics";
import { type Program, runProgram } from "@/scripts/supervisor/program";
import { startTestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const PATIENCE = { timeout: 60_000, interval: 50 };
const SOURCES = { web: "testing/web-program.ts", worker: "scripts/roles/worker.ts" };
const testDb = useTestDb();
const entryOf = (name: string) => `${name}-frozen-${process.pid}`;
const running = new Set<Program>();

beforeAll(async () => {
  const target = { platform: "node", format: "esm", target: "node24", jsx: "automatic" } as const;
  for (const [name, source] of Object.entries(SOURCES)) {
    const outfile = path.resolve(".build", `${entryOf(name)}.js`);
    await build({ entryPoints: [path.resolve(source)], outfile, bundle: true, packages: "external", ...target });
  }
});
afterEach(async () => {
  await Promise.all([...running].map((program) => program.stop()));
  running.clear();
  await testDb.pool.db.delete(cursors);
});
afterAll(() =>
  Promise.all(Object.keys(SOURCES).map((name) => rm(path.resolve(".build", `${entryOf(name)}.js`), { force: true }))),
);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** Runs a program as `npm start` does. */
function supervise(name: keyof typeof SOURCES, settings: Record<string, string>) {
  const output: string[] = [];
  const written: string[] = [];
  const env = {
    NODE_ENV: "production" as const,
    APP_SECRET: TEST_APP_SECRET,
    DATABASE_URL: testDb.url,
    PUBLIC_URL: "http://localhost:3000",
    HOST: "127.0.0.1",
    BSC_RPC_URLS: "http://127.0.0.1:9",
    ...settings,
  };
  const keep = (stream: Readable) => void stream.setEncoding("utf8").on("data", (text: string) => written.push(text));
  const release = (why: string) => output.push(`gave up: ${why}`);
  const program = runProgram({
    name,
    entry: entryOf(name),
    env,
    log: { keep },
    print: (text) => output.push(text),
    release,
  });
  running.add(program);
  return { program, output, written: () => written.join("") };
}

const log = pino({ level: "silent" });
const healthNow = () => readHealth(testDb.pool.db, new Map([["bsc", []]]), new Date(), log);

/** Freezes the current process. @returns the seconds until a new process replaced it */
async function freeze(program: Program, isBack: () => unknown): Promise<number> {
  const pid = program.pid() ?? 0;
  const startedAt = performance.now();
  process.kill(pid, "SIGSTOP");
  await vi.waitUntil(() => program.pid() !== pid, PATIENCE);
  await vi.waitUntil(isBack, PATIENCE);
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

test("a frozen worker is reported by health and metrics, is ended and started again, and reads its networks again", {
  timeout: 180_000,
}, async () => {
  const chain = await startTestChain(getNetwork("bsc"));
  await chain.mine(5);
  try {
    const { program, output, written } = supervise("worker", { BSC_RPC_URLS: chain.node.url, IDLE_READING: "always" });
    const scans = () => written().match(/this worker scans the network/g)?.length ?? 0;
    await vi.waitUntil(async () => (await healthNow()).status === "ok", PATIENCE);
    const frozenAt = performance.now();
    const back = freeze(program, () => scans() === 2);
    await vi.waitUntil(async () => (await healthNow()).status === "degraded", PATIENCE);
    const degradedMs = performance.now() - frozenAt;
    const { networks } = await healthNow();
    expect(networks["bsc"]?.problem).toMatch(/^No worker has read BNB Smart Chain since/);
    expect(networks["bsc"]?.behind_blocks).toBeGreaterThan(0);
    const metrics = await createInstallationMetrics(testDb.pool.db, ["bsc"])(new Date());
    expect(metrics).toContain('stablegate_network_problem{network="bsc"} 1');
    expect(metrics).toMatch(/stablegate_network_behind_blocks\{network="bsc"\} [1-9]/);
    const seconds = await back;
    console.log(`frozen worker: degraded after ${Math.round(degradedMs / 100) / 10} s, reads again after ${seconds} s`);
    expect(output[0]).toMatch(/^The worker process \(\d+\) has not reported for 15 s: it is frozen and is stopped\.$/);
    expect(output[1]).toBe("The worker process was stopped by SIGKILL; starting it again.");
    await vi.waitUntil(async () => (await healthNow()).status === "ok", PATIENCE);
  } finally {
    await chain.stop();
  }
});

test.each(["1", "2"])(
  "a frozen web process, of WEB_CONCURRENCY=%s, is ended and started again on its port",
  { timeout: 120_000 },
  async (WEB_CONCURRENCY) => {
    const PORT = String(await freePort());
    const { program, output } = supervise("web", { PORT, WEB_CONCURRENCY });
    const answers = () =>
      fetch(`http://127.0.0.1:${PORT}/api/health/ready`, { headers: { connection: "close" } }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await vi.waitUntil(answers, PATIENCE);
    const statusOf = async (query: string) => (await fetch(`http://127.0.0.1:${PORT}/api/health${query}`)).status;
    expect([await statusOf(""), await statusOf("?strict=1")]).toEqual([200, 503]);
    const seconds = await freeze(program, answers);
    console.log(`frozen web process of ${WEB_CONCURRENCY}: answers again after ${seconds} s`);
    expect(output.join("\n")).toMatch(/The web process \(\d+\) has not reported for 15 s/);
    expect(output.join("\n")).not.toContain("gave up");
  },
);
