import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { MOUNTED_ROUTES } from "@/app/mounted-routes";
import { BODY_KINDS } from "@/fuzz/bodies";
import { HEAD_KINDS } from "@/fuzz/heads";
import { runFuzz } from "@/fuzz/run-fuzz";
import { allTargets } from "@/fuzz/targets";
import { createRouter } from "@/lib/http/listener";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const REQUESTS = 4_000;
/** Answers that never end. */
const STREAMS = ["/api/pay/{tradeId}/events"];

test("no public route is left out", () => {
  const router = createRouter(MOUNTED_ROUTES);
  const targets = allTargets({ tradeId: "t", mchOrderId: "m" });
  const reached = targets.map(({ method, path }) => router.find(method, path));
  const handlers = new Set(reached.map((found) => (found && "handler" in found ? found.handler : null)));
  const routes = MOUNTED_ROUTES.filter(([method, path]) => ["GET", "POST"].includes(method) && !STREAMS.includes(path));
  const isRefusal = new Set(MOUNTED_ROUTES.filter(([method]) => method === "*").map(([, path]) => `GET ${path}`));
  const missed = routes.filter(
    ([method, path, handler]) => !handlers.has(handler) && !isRefusal.has(`${method} ${path}`),
  );
  expect(missed.map(([method, path]) => `${method} ${path}`)).toEqual([]);
});

test("whatever is sent, it is answered in the envelope, and never by a failure, a hang or a look inside", async () => {
  await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
  const seed = randomInt(2 ** 31);
  const { port } = new URL(api.origin);
  const report = await runFuzz({ port: Number(port), apiKey: api.merchant.apiKey, seed, requests: REQUESTS });
  expect(report.findings, `seed ${seed}`).toEqual([]);
  expect(report.requests).toBe(REQUESTS);
  for (const status of ["200", "400", "401", "404", "405", "409"])
    expect(report.statuses[status], status).toBeGreaterThan(0);
  const rare = ["body: just too large", "body: ten megabytes"];
  const kinds = [...HEAD_KINDS.map((name) => `head: ${name}`), ...BODY_KINDS.map((name) => `body: ${name}`)];
  expect(kinds.filter((kind) => !(kind in report.kinds) && !rare.includes(kind))).toEqual([]);
}, 300_000);
