import { randomInt } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { BODY_KINDS } from "@/fuzz/bodies";
import { HEAD_KINDS } from "@/fuzz/heads";
import { runFuzz } from "@/fuzz/run-fuzz";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { INSTALLED } from "@/lib/integrations/installed";
import { mountedRoutes } from "@/mounted-routes";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const REQUESTS = 4_000;

test("every request is answered in the envelope, without a crash, a hang or internals", async () => {
  await api.pool.db
    .update(apiKeys)
    .set({ isForAgents: true, scopes: [...SCOPES] })
    .where(eq(apiKeys.id, api.merchant.keyId));
  await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
  const seed = randomInt(2 ** 31);
  const { port } = new URL(api.origin);
  const report = await runFuzz({ port: Number(port), apiKey: api.merchant.apiKey, seed, requests: REQUESTS });
  expect(report.findings, `seed ${seed}`).toEqual([]);
  expect(report.requests).toBe(REQUESTS);
  const statuses = new Set(Object.values(report.outcomes).flatMap((outcomes) => Object.keys(outcomes)));
  expect([...statuses]).toEqual(expect.arrayContaining(["200", "303", "400", "401", "404", "405", "409"]));
  const kinds = [...HEAD_KINDS.map((name) => `head: ${name}`), ...BODY_KINDS.map((name) => `body: ${name}`)];
  expect(kinds.filter((kind) => !(kind in report.kinds))).toEqual([]);
  const routes = mountedRoutes(INSTALLED).filter(
    ([method, , handler]) => handler && (method === "GET" || method === "POST"),
  );
  expect(Object.keys(report.outcomes)).toEqual(
    expect.arrayContaining(routes.map(([method, pattern]) => `${method} ${pattern}`)),
  );
}, 300_000);
