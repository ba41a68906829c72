import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callbacks } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { orderSpanContext } from "@/lib/tracing/spans";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { type CollectedSpan, type Collector, startCollector } from "@/testing/collector";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { useWebs, useWorkers } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const ETHEREUM = getNetwork("ethereum");
const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();
const db = () => testDb.pool.db;
const secret = (name: string) => `${name}-${randomBytes(12).toString("hex")}`;

/** The values that no span may contain. */
const hidden = {
  rpcKey: secret("rpckey"),
  rpcHeader: secret("rpcheader"),
  notifyPath: secret("notify"),
  strangeKey: `sg_live_${randomBytes(24).toString("hex")}`,
  query: secret("query"),
  reason: secret("reason"),
  subject: secret("subject"),
  collectorToken: secret("collectortoken"),
};
let chain: TestChain;
let collector: Collector;
let echo: Server;
let shop: Receiver;
let refusals = 1;

beforeAll(async () => {
  [chain, collector] = await Promise.all([startTestChain(ETHEREUM), startCollector()]);
  await chain.mine(5);
  // An endpoint whose errors contain the requested path, and a shop that rejects the first callbacks.
  echo = createServer((request, response) => {
    response
      .writeHead(401)
      .end(JSON.stringify({ error: { code: -32000, message: `no ${request.url} ${hidden.reason}` } }));
  });
  await once(echo.listen(0, "127.0.0.1"), "listening");
  shop = await startReceiver((response) => {
    refusals -= 1;
    response.writeHead(refusals >= 0 ? 404 : 200).end(refusals >= 0 ? hidden.reason : "success");
  });
});
afterAll(async () => {
  collector.close();
  echo.close();
  await Promise.all([chain.stop(), shop.close()]);
});

const settings = (to: string) => ({
  DATABASE_URL: testDb.url,
  HOST: "127.0.0.1",
  PORT: "0",
  CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  ETHEREUM_RPC_URLS: `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v3/${hidden.rpcKey},${chain.node.url},${chain.node.url}/?key=${hidden.rpcKey}`,
  ETHEREUM_RPC_HEADERS: JSON.stringify({ "X-Node-Key": hidden.rpcHeader }),
  OTEL_EXPORTER_OTLP_ENDPOINT: to,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${hidden.collectorToken}`,
});

async function startWeb(env: Record<string, string>) {
  const web = webs.start(env);
  const origin = () => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  return { ...web, origin: origin() ?? "" };
}

const post = (origin: string, path: string, apiKey: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${origin}/api/v1/pay/sdk/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, ...headers },
    body: JSON.stringify(body),
  });

interface Line extends Record<string, unknown> {
  msg: string;
  traceId?: string;
}
const linesOf = (output: string): Line[] =>
  output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
const leadsTo = (from: CollectedSpan | undefined, to: CollectedSpan | undefined) =>
  from?.links.some(({ traceId, spanId }) => traceId === to?.traceId && spanId === to?.spanId) ?? false;

test("an order that is made and paid has one trace over all processes, which leads to the request and the rounds, and no secret is in any", {
  timeout: 180_000,
}, async () => {
  const merchant = await seedMerchant(db(), new Date());
  await seedAddress(
    db(),
    { merchantId: merchant.id, network: ETHEREUM.id, address: `0x${"ab".repeat(20)}` },
    new Date(),
  );
  const web = await startWeb(settings(collector.url));
  const worker = workers.start(settings(collector.url));
  const notify = `${shop.origin}/${hidden.notifyPath}?token=${hidden.notifyPath}`;
  const asked = { mch_order_id: "traced", amount: 12, network: ETHEREUM.id, currency: "USDT", notify_url: notify };
  const shopTrace = "5b8efff798038103d269b633813fc60c";
  const shopSpan = "eee19b7ec3c1b174";
  let id = "";
  await vi.waitUntil(async () => {
    const headers = { traceparent: `00-${shopTrace}-${shopSpan}-01` };
    const answer = await post(web.origin, "order/add", merchant.apiKey, { ...asked, subject: hidden.subject }, headers);
    const { data } = (await answer.json()) as { data?: { trade_id: string } };
    id = data?.trade_id ?? "";
    return id;
  }, PATIENCE);
  // Sends requests whose secret values must not appear in spans.
  await post(web.origin, "order/detail", hidden.strangeKey, { trade_id: hidden.query });
  await post(web.origin, `nothing-${hidden.query}`, merchant.apiKey, asked);
  await fetch(`${web.origin}/pay/${id}?key=${hidden.query}`, {
    headers: { cookie: hidden.query, referer: hidden.query },
  });
  await fetch(`${web.origin}/pay/${hidden.query}`);
  await fetch(`${web.origin}/api/health/ready`);

  const [quote] = await db().execute<{ address: string; units: string }>(sql`
    select a.address, q.base_units::text as units from quotes q
    join receiving_addresses a on a.id = q.receiving_address_id where q.order_id = ${id}`);
  await chain.pay(getToken(ETHEREUM, "USDT").contract, quote?.address ?? "", BigInt(quote?.units ?? 0));
  await chain.mine(20);
  const delivered = async () => (await db().select().from(callbacks)).some(({ status }) => status === "delivered");
  await vi.waitUntil(async () => {
    await db().update(callbacks).set({ nextAttemptAt: new Date() }).where(sql`status = 'pending'`);
    return delivered();
  }, PATIENCE);
  await vi.waitUntil(() => collector.spans().filter(({ name }) => name === "callback attempt").length === 2, PATIENCE);
  expect([await web.end("SIGTERM"), await worker.end("SIGTERM")]).toEqual([0, 0]);

  const spans = collector.spans();
  const spanContext = orderSpanContext(id);
  const ofOrder = spans.filter(({ traceId }) => traceId === spanContext.traceId);
  const made = ofOrder.find(({ name }) => name === "create order");
  expect(made).toMatchObject({ spanId: spanContext.spanId, service: "stablegate-web" });
  expect(made?.parentSpanId).toBeFalsy();
  const others = ofOrder.filter((span) => span !== made);
  expect(others.map(({ name }) => name).toSorted()).toEqual(
    ["callback attempt", "callback attempt", "confirm transfer", "match transfer"].toSorted(),
  );
  for (const one of others) {
    expect(one, one.name).toMatchObject({ parentSpanId: spanContext.spanId, service: "stablegate-worker" });
    expect(one.facts["stablegate.trade_id"]).toBe(id);
    expect(BigInt(one.endTimeUnixNano)).toBeGreaterThan(BigInt(one.startTimeUnixNano) - 1n);
  }
  const attempts = others.filter(({ name }) => name === "callback attempt");
  expect(attempts.map(({ facts }) => facts["http.response.status_code"]).toSorted()).toEqual([200, 404]);
  const confirmed = others.find(({ name }) => name === "confirm transfer");
  expect(confirmed?.facts).toMatchObject({ "stablegate.status": "paid" });

  // The request and the order's trace link to each other. The request links to the shop's own trace, but does not
  // continue it.
  const request = spans.find(({ name, links }) => name.endsWith("/order/add") && links.length === 2);
  expect(request).toMatchObject({ kind: 2, name: "POST /api/v1/pay/sdk/order/add" });
  expect(request?.facts).toMatchObject({ "stablegate.trade_id": id, "http.response.status_code": 200 });
  expect(request?.facts["stablegate.db.statements"]).toBeGreaterThan(0);
  expect([leadsTo(request, made), leadsTo(made, request)]).toEqual([true, true]);
  expect(request?.links).toContainEqual(expect.objectContaining({ traceId: shopTrace, spanId: shopSpan }));
  expect(spans.some(({ traceId }) => traceId === shopTrace)).toBe(false);

  // The span of a change to an order links to the worker round that made the change. The endpoint calls of that round are part of its
  // trace.
  const rounds = spans.filter(({ name }) => name === `watch ${ETHEREUM.id}`);
  for (const name of ["match transfer", "confirm transfer"]) {
    const round = rounds.find((one) =>
      leadsTo(
        others.find((each) => each.name === name),
        one,
      ),
    );
    expect(round?.facts["stablegate.db.statements"], name).toBeGreaterThan(0);
    const calls = spans.filter(
      ({ parentSpanId, traceId }) => parentSpanId === round?.spanId && traceId === round?.traceId,
    );
    expect(calls.length, name).toBeGreaterThan(0);
    for (const { facts } of calls) expect(facts["server.address"]).toMatch(/^127\.0\.0\.1:\d+(?: \(\d\))?$/);
  }
  expect(spans.some(({ name }) => name.includes("health"))).toBe(false);

  // Log lines contain the ids of their traces, and each of these traces exists.
  const lines = [...linesOf(web.output()), ...linesOf(worker.output())];
  const named = lines.flatMap(({ traceId }) => traceId ?? []);
  const reported = new Set(spans.map(({ traceId }) => traceId));
  expect(named.filter((traceId) => !reported.has(traceId))).toEqual([]);
  expect(lines.find(({ msg, tradeId }) => msg === "request" && tradeId === id)?.traceId).toBe(request?.traceId);
  expect(lines.find(({ msg }) => msg === "a callback was delivered")?.traceId).toBe(spanContext.traceId);

  const known = [
    ...Object.values(hidden),
    merchant.apiKey,
    TEST_APP_SECRET,
    new URL(testDb.url).password,
    "ab".repeat(20),
  ];
  const all = collector.bodies.join("\n");
  for (const one of known.filter(Boolean)) expect(all).not.toContain(one);
  expect(collector.headers.every(({ authorization }) => authorization === `Bearer ${hidden.collectorToken}`)).toBe(
    true,
  );
  expect(shop.received.every(({ headers }) => !("traceparent" in headers))).toBe(true);
});

test.each([
  ["is away", async () => ({ url: "http://127.0.0.1:9", close() {} })],
  ["takes batches and never answers", () => startCollector({ isSilent: true })],
])("a collector that %s fails no request, and holds up no stop", async (_name, start) => {
  const merchant = await seedMerchant(db(), new Date());
  const to = await start();
  const web = await startWeb(settings(to.url));
  const worker = workers.start(settings(to.url));
  await vi.waitUntil(() => worker.output().includes("the worker is running"), PATIENCE);
  for (let count = 0; count < 40; count++)
    expect((await post(web.origin, "payment-methods", merchant.apiKey, {})).status).toBe(200);
  await vi.waitUntil(() => web.output().includes("the collector does not accept traces"), PATIENCE);
  const askedAt = performance.now();
  expect(await Promise.all([web.end("SIGTERM"), worker.end("SIGTERM")])).toEqual([0, 0]);
  // A shutdown takes 1.5 s by itself, and sending traces may add two seconds. A supervisor waits for 25 s.
  expect(performance.now() - askedAt).toBeLessThan(25_000);
  expect(web.output()).not.toContain(hidden.collectorToken);
  to.close();
});

test("without an endpoint nothing of OpenTelemetry is loaded", async () => {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith("@opentelemetry/")) process.stderr.write("loads " + name + "\\n");
      return next(name, context);
    } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...off } = settings("");
  const runs = [
    [await startWeb({ ...off, NODE_OPTIONS }), false],
    [await startWeb({ ...settings(collector.url), OTEL_SDK_DISABLED: "true", NODE_OPTIONS }), false],
    [await startWeb({ ...settings(collector.url), NODE_OPTIONS }), true],
  ] as const;
  for (const [web, isOn] of runs) expect(web.output().includes("loads @opentelemetry/api"), String(isOn)).toBe(isOn);
  const worker = workers.start({ ...off, NODE_OPTIONS });
  await vi.waitUntil(() => worker.output().includes("the worker is running"), PATIENCE);
  expect(worker.output()).not.toContain("loads @opentelemetry");
});
