import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { signRequest } from "@/lib/domain/keys/signature";
import { INSTALLED } from "@/lib/integrations/installed";
import { API_ALIAS, mountedRoutes } from "@/mounted-routes";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const OPERATIONS = mountedRoutes(INSTALLED)
  .filter(([method, pattern]) => method === "POST" && pattern.startsWith(API_ALIAS.canonical))
  .map(([, pattern]) => pattern.slice(API_ALIAS.canonical.length));

beforeAll(async () => {
  const scopes = [...SCOPES];
  await api.pool.db.update(apiKeys).set({ scopes }).where(eq(apiKeys.id, api.merchant.keyId));
  await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
  await api.pool.db.update(apiKeys).set({ scopes: [...SCOPES] });
});

/** Sends a request with the merchant's key and with a target that the client does not normalize. */
async function send(method: string, target: string, body = "", headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(api.origin);
  const sent = request({
    hostname,
    port,
    method,
    path: target,
    headers: { "x-api-key": api.merchant.apiKey, "content-length": Buffer.byteLength(body), ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

const envelope = (answer: Awaited<ReturnType<typeof send>>) => ({
  status: answer.status,
  ...(JSON.parse(answer.text) as { code: number; message: string; request_id: string }),
});

test("every operation of the API answers with and without /sdk in its path", async () => {
  expect(OPERATIONS).toEqual(expect.arrayContaining(["order/add", "order/checkout", "order/detail", "order/cancel"]));
  for (const operation of OPERATIONS) {
    const [short, long] = await Promise.all(
      [API_ALIAS.prefix, API_ALIAS.canonical].map(async (base) =>
        envelope(await send("POST", base + operation, "[5]")),
      ),
    );
    expect([operation, short?.status, short?.code]).toEqual([operation, 400, 10001]);
    expect(short?.message).toMatch(/^The request body is/);
    expect({ ...short, request_id: "" }).toEqual({ ...long, request_id: "" });
    const invalid = await send("GET", `${API_ALIAS.prefix}${operation}?a=1`);
    expect([invalid.status, invalid.headers.allow, envelope(invalid).code]).toEqual([405, "POST", 10001]);
  }
});

test("200: an order that was created by one path is found by the other", async () => {
  const terms = { currency: "USDT", network: "bsc", amount: 5, mch_order_id: "short-1" };
  const created = await send("POST", "/api/v1/pay/order/add", JSON.stringify(terms));
  expect(created.status, created.text).toBe(200);
  const found = await send("POST", "/api/v1/pay/sdk/order/detail", '{"mch_order_id":"short-1"}');
  expect([found.status, JSON.parse(found.text).data.trade_id]).toEqual([200, JSON.parse(created.text).data.trade_id]);
  const repeated = await send("POST", "/api/v1/pay/order/%61dd", JSON.stringify(terms));
  expect([repeated.status, repeated.headers["idempotent-replayed"]]).toEqual([200, "true"]);
});

test("a signature covers the path that was requested", async () => {
  let count = 0;
  const signed = (pathAndQuery: string) => {
    const id = `path-${++count}`;
    const content = { method: "POST", pathAndQuery, rawBody: "[]" };
    const { timestamp, signature } = signRequest(api.merchant.secret, id, new Date(), content);
    return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  };
  const short = "/api/v1/pay/payment-methods";
  const long = "/api/v1/pay/sdk/payment-methods";
  for (const path of [short, long, `${short}?a=1`])
    expect((await send("POST", path, "[]", signed(path))).status, path).toBe(200);
  for (const [path, other] of [
    [short, long],
    [long, short],
  ] as const)
    expect((await send("POST", path, "[]", signed(other))).status, path).toBe(401);
});

test.each([
  ...["/api", "/api/", "/api?x=1", "/api/nothing", "/api/v1", "/api/v1/pay", "/api/v1/pay/", "/api/v1/pay/sdk"],
  ...["/api/v1/pay/sdk/", "/api/v1/pay/nothing", "/api/v1/pay/order/add/", "/api/v1/pay/sdk/sdk/order/add"],
  ...[
    "/api/v1/pay/public/nothing",
    "/api/v1/pay/public/webhook-jwks/x",
    "/api/pay/unknown",
    "/api/pay/unknown/nothing",
  ],
  ...["/api/health/nothing", "/api/openapi.json/x", "/api/auth", `/api${"/deep".repeat(200)}`],
  ...["/api/%", "/api/%ff%00", "/api/v1/pay/sdk%2Forder%2Fadd", "/%61pi/nothing", "/api//x"],
  ...["http://other.example/api/nothing"],
])("404: %s does not exist, for any method", async (target) => {
  for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"]) {
    const answer = await send(method, target, method === "POST" ? "{ no JSON" : "");
    expect([method, envelope(answer)]).toMatchObject([method, { status: 404, code: 10001 }]);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(envelope(answer).request_id).toBe(answer.headers["x-request-id"]);
  }
  expect(await send("HEAD", target)).toMatchObject({ status: 404, text: "" });
});

test.each(["/api/..", "/api/%2e%2e/docs", "/api/./v1"])("400: %s is refused in the envelope", async (target) => {
  expect(envelope(await send("GET", target))).toMatchObject({ status: 400, code: 10001 });
});

test.each([
  ["/api/health", "GET, HEAD"],
  ["/api/health/ready", "GET, HEAD"],
  ["/api/openapi.json", "GET, HEAD"],
  ["/api/pay/unknown/status", "GET, HEAD"],
  ["/api/deposit/unknown/events", "GET, HEAD"],
  ["/api/v1/pay/public/webhook-jwks", "GET, HEAD"],
])("405: %s is only read", async (path, allowed) => {
  for (const method of ["DELETE", "OPTIONS", "PATCH"]) {
    const answer = await send(method, path);
    expect([answer.status, answer.headers.allow, envelope(answer).code]).toEqual([405, allowed, 10001]);
  }
});

test("405: signing in is only read and posted to", async () => {
  const answer = await send("DELETE", "/api/auth/csrf");
  expect([answer.status, answer.headers.allow, envelope(answer).code]).toEqual([405, "GET, HEAD, POST", 10001]);
});

test("paths beside the API keep their own answers", async () => {
  expect(JSON.parse((await send("GET", "/api/v1/pay/public/webhook-jwks")).text)).toEqual({ keys: expect.any(Array) });
  const status = await send("GET", "/api/pay/unknown/status");
  expect([status.status, JSON.parse(status.text)]).toEqual([404, { message: expect.any(String) }]);
  expect(await send("GET", "/api/health/live")).toMatchObject({ status: 200 });
  // Next.js serves these paths, but this web process runs without pages.
  expect(await send("GET", "/api/auth/csrf")).toMatchObject({ status: 404, text: "Not Found\n" });
  expect(await send("GET", "/apis/nothing")).toMatchObject({ status: 404, text: "Not Found\n" });
});
