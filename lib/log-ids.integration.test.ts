import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { startReceiver } from "@/testing/callbacks/receiver";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant } from "@/testing/database/seed";
import { useWebs, useWorkers, type WorkerProcess } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const OWN_ID = /^[0-9a-z]{28}$/;
const testDb = useTestDb();
const webs = useWebs();
const workers = useWorkers();
const UNUSED_ADDRESS = "http://127.0.0.1:9";
const settings = () => ({ DATABASE_URL: testDb.url, HOST: "127.0.0.1", PORT: "0", ETHEREUM_RPC_URLS: UNUSED_ADDRESS });

const linesOf = (process: WorkerProcess): Record<string, unknown>[] =>
  process
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

async function startWeb(more: Record<string, string> = {}) {
  const web = webs.start({ ...settings(), ...more });
  const origin = () => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  return { ...web, origin: origin() ?? "" };
}
type Web = Awaited<ReturnType<typeof startWeb>>;

const lineOf = (web: Web, requestId: string) =>
  vi.waitUntil(() => linesOf(web).find((line) => line["requestId"] === requestId), PATIENCE);

test("every response has its own id, which finds its log lines; they contain the route's pattern instead of the path", async () => {
  const web = await startWeb();
  const paths = { "/pay/nothing": "/pay/{tradeId}", "/api/health/live": "/api/health/live", "/reset/a-secret": "page" };
  for (const [path, route] of Object.entries(paths)) {
    const { headers } = await fetch(web.origin + path, { headers: { "x-request-id": "of-a-stranger" } });
    const id = headers.get("x-request-id") ?? "";
    expect(id, path).toMatch(OWN_ID);
    const line = await lineOf(web, id);
    expect(Object.values(line).join(" "), path).not.toContain("secret");
    expect(line).toMatchObject({ msg: "request", route, method: "GET" });
  }
  const socket = connect(Number(new URL(web.origin).port), "127.0.0.1");
  socket.end("nothing of the kind\r\n\r\n");
  const [, id = ""] = /X-Request-Id: (\S+)/.exec(await text(socket)) ?? [];
  expect(await lineOf(web, id)).toMatchObject({ status: 400 });
  expect(web.output()).not.toContain("of-a-stranger");
});

test("the id of a trusted proxy is kept, where it is one", async () => {
  const web = await startWeb({ TRUSTED_PROXIES: "1" });
  const idFor = async (id: string) =>
    (await fetch(`${web.origin}/api/health/live`, { headers: { "x-request-id": id } })).headers.get("x-request-id");
  expect(await idFor("from.the-proxy:1")).toBe("from.the-proxy:1");
  expect(await idFor('a "b" <c>')).toMatch(OWN_ID);
  expect(await idFor("x".repeat(129))).toMatch(OWN_ID);
  expect(await lineOf(web, "from.the-proxy:1")).toMatchObject({ msg: "request" });
});

test("the log line of a request about an order names it, also of one that fails; never an unverified id", async () => {
  const merchant = await seedMerchant(testDb.pool.db, new Date());
  await seedAddress(testDb.pool.db, { merchantId: merchant.id }, new Date());
  const web = await startWeb();
  const post = async (path: string, body: object) => {
    const headers = { "x-api-key": merchant.apiKey, "content-type": "application/json" };
    const url = `${web.origin}/api/v1/pay/sdk/order/${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const { data, request_id } = (await answer.json()) as { data?: Record<string, unknown>; request_id: string };
    return { tradeId: String(data?.["trade_id"]), line: await lineOf(web, request_id) };
  };
  const order = { currency: "USDT", network: "ethereum", amount: 3, mch_order_id: "first" };
  const { tradeId, line } = await post("add", order);
  expect(line).toMatchObject({ tradeId, status: 200, merchantId: merchant.id });
  expect((await post("detail", { mch_order_id: "first" })).line).toMatchObject({ tradeId, status: 200 });
  const other = "0".repeat(28);
  expect((await post("cancel", { trade_id: other })).line).toMatchObject({ tradeId: other, status: 404 });
  const secret = "a key that was put there";
  const { line: invalid } = await post("detail", { trade_id: secret });
  expect(invalid).not.toHaveProperty("tradeId");
  expect(web.output()).not.toContain(secret);
});

test("a worker's log lines name their network, and those of callbacks the order", async () => {
  const { db } = testDb.pool;
  const merchantId = (await seedMerchant(db, new Date())).id;
  const shop = await startReceiver(
    (response, _, count) => void response.writeHead(count === 1 ? 500 : 200).end("success"),
  );
  await seedCallbacks(db, { merchantId, url: `${shop.origin}/paid?token=of-the-shop`, count: 2 }, new Date());
  const worker = workers.start({ ...settings(), CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" });
  const lines = (msg: string) => linesOf(worker).filter((line) => line["msg"] === msg);
  await vi.waitUntil(() => lines("a loop failed and continues").length > 0, PATIENCE);
  await vi.waitUntil(() => lines("a callback was delivered").length > 0, PATIENCE);
  await vi.waitUntil(() => lines("a callback was not acknowledged").length > 0, PATIENCE);
  for (const line of lines("a loop failed and continues")) expect(line).toMatchObject({ network: "ethereum" });
  for (const line of lines("an endpoint gave an invalid response")) expect(line).toMatchObject({ network: "ethereum" });
  const named = { tradeId: expect.stringMatching(/^order/), callbackId: expect.stringMatching(/^evt_/), attempt: 1 };
  expect(lines("a callback was delivered")[0]).toMatchObject({ ...named, httpStatus: 200 });
  expect(lines("a callback was not acknowledged")[0]).toMatchObject({ ...named, httpStatus: 500 });
  expect(worker.output()).not.toContain("of-the-shop");
  await shop.close();
});
