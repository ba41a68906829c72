import { globSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { cursors } from "@/db/schema";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant } from "@/testing/database/seed";
import { useWebs, useWorkers } from "@/testing/watch/worker";

const TOKEN = "a-token-that-only-prometheus-knows";
const PATIENCE = { timeout: 60_000, interval: 50 };
const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();

const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: testDb.url,
  HOST: "127.0.0.1",
  PORT: "0",
  ETHEREUM_RPC_URLS: "http://127.0.0.1:9",
  ...more,
});

async function startWeb(more: Record<string, string>): Promise<string> {
  const web = webs.start(settings(more));
  const origin = () => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  return origin() ?? "";
}
const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
const read = async (url: string) => (await fetch(url, bearer)).text();
const namesIn = (text: string) => new Set(text.match(/\b(?:stablegate|nodejs|process)_[a-z0-9_]+/g));

test("without a token there is no response, unless this machine is permitted; without a setting there is none at all", async () => {
  const [closed, byToken] = await Promise.all([startWeb({}), startWeb({ METRICS_TOKEN: TOKEN })]);
  const status = async (origin: string, headers: Record<string, string> = {}) =>
    (await fetch(`${origin}/api/metrics`, { headers })).status;
  expect(await status(closed, bearer.headers)).toBe(404);
  expect(await status(byToken)).toBe(404);
  expect(await status(byToken, { authorization: `Bearer ${TOKEN}x` })).toBe(404);
  expect(await status(byToken, bearer.headers)).toBe(200);
});

test.each(["0", "1", "2"])(
  "METRICS_ACCESS=loopback with TRUSTED_PROXIES=%s: only direct connections of this machine read metrics, with any headers",
  async (trustedProxies) => {
    const access = { METRICS_ACCESS: "loopback", METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: trustedProxies };
    const origin = await startWeb({ ...access, HOST: "0.0.0.0" });
    const metrics = new URL("/api/metrics", origin);
    const status = async (headers: Record<string, string> = {}, hostname = "127.0.0.1") =>
      (await fetch(Object.assign(new URL(metrics), { hostname }), { headers })).status;
    expect(await status()).toBe(200);
    for (const forged of [
      "127.0.0.1",
      "127.0.0.1, 127.0.0.1",
      "203.0.113.7, 127.0.0.1",
      "::1",
      "127.0.0.1, 203.0.113.7",
    ])
      for (const name of ["x-forwarded-for", "forwarded", "x-real-ip"])
        expect(await status({ [name]: forged }), `${name}: ${forged}`).toBe(404);
    expect(await status({ "x-forwarded-for": "203.0.113.7", ...bearer.headers })).toBe(200);
    for (const { address } of otherAddresses()) {
      for (const headers of [{}, { "x-forwarded-for": "127.0.0.1" }, { "x-forwarded-for": "127.0.0.1, 127.0.0.1" }])
        expect(await status(headers as Record<string, string>, address), address).toBe(404);
      expect(await status(bearer.headers, address)).toBe(200);
    }
  },
);

/**
 * Returns this machine's IPv4 addresses other than loopback. A connection to one of them has that address as its source, as if it came
 * from another machine.
 */
function otherAddresses() {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4");
}

test("two web processes on one port count together, and every number that dashboard and alerts name is there", async () => {
  const origin = await startWeb({ METRICS_TOKEN: TOKEN, WEB_CONCURRENCY: "2" });
  const worker = workers.start(settings({ METRICS_TOKEN: TOKEN, WORKER_METRICS_PORT: "0" }));
  const { db } = testDb.pool;
  await vi.waitUntil(async () => (await db.select().from(cursors)).some(({ leaseOwner }) => leaseOwner), PATIENCE);
  const port = () => /"port":(\d+)\},"msg":"the worker's metrics/.exec(worker.output())?.[1];
  await vi.waitUntil(port, PATIENCE);
  expect((await fetch(`http://127.0.0.1:${port()}/live`)).status).toBe(200);
  await db.execute(sql`update cursors set block_time = now(), height = 5, head_height = 7,
    endpoints = '[{"name": "127.0.0.1:9", "hours": [], "last": null}]'::jsonb`);
  const merchantId = (await seedMerchant(db, new Date())).id;
  await seedCallbacks(db, { merchantId, url: "http://127.0.0.1:9/", count: 1 }, new Date());

  const before = 40;
  for (let count = 0; count < before; count++)
    await fetch(`${origin}/pay/nothing-${count}`, { headers: { connection: "close" } });
  const counted = (text: string) =>
    [...text.matchAll(/^stablegate_http_requests_total\{[^}]*route="\/pay\/\{tradeId\}"[^}]*\} (\d+)$/gm)]
      .map(([, value]) => Number(value))
      .reduce((sum, value) => sum + value, 0);
  let text = "";
  await vi.waitFor(async () => {
    text = await read(`${origin}/api/metrics`);
    expect(counted(text)).toBe(before);
  }, PATIENCE);
  expect(text).not.toContain("nothing-1");

  let there = namesIn(text);
  await vi.waitFor(async () => {
    there = namesIn((await read(`${origin}/api/metrics`)) + (await read(`http://127.0.0.1:${port()}/metrics`)));
    expect(there).toContain("stablegate_network_behind_blocks");
    expect(there).toContain("stablegate_endpoint_calls_today");
    expect(there).toContain("stablegate_callback_attempt_duration_seconds_count");
  }, PATIENCE);
  const files = globSync(["deploy/grafana/*.json", "deploy/prometheus/*.yml"]);
  expect(files).toHaveLength(3);
  for (const file of files) {
    const named = namesIn(readFileSync(file, "utf8").replace(/"uid": "stablegate"/, ""));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !there.has(name))).toEqual([]);
  }
});
