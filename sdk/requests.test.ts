import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { verifyRequestSignature } from "@/lib/domain/keys/signature";
import { ApiError, ConnectionError, Stablegate, type StablegateSettings, WaitTimeoutError } from "@/sdk/src/stablegate";
import { waitBefore } from "@/sdk/src/transport";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const DETAIL = "/api/v1/pay/order/detail";

interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
type Handler = (response: ServerResponse, sent: Sent, attempt: number) => void;

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server with this handler, and returns a client of it and the requests that it received. */
async function startServer(handle: Handler, settings: Partial<StablegateSettings> = {}) {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? "", headers: request.headers, body: await text(request) };
    sent.push(one);
    handle(response, one, sent.length);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Stablegate({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: "sg_live_x", ...settings });
  return { client, sent };
}

const succeed = (response: ServerResponse, data: object = { trade_id: "01k", status: "paid" }) =>
  response.end(JSON.stringify({ code: 0, message: "success", data, request_id: "r1" }));

function refuse(response: ServerResponse, status: number, code: number, headers: Record<string, string> = {}): void {
  const errors = [{ field: "amount", message: "too small" }];
  response.writeHead(status, headers).end(JSON.stringify({ code, message: `no ${code}`, errors, request_id: "r9" }));
}

test("a request has the key and the JSON body", async () => {
  const { client, sent } = await startServer((response) => succeed(response));
  await client.retrieve("01k");
  await client.retrieve({ mch_order_id: "A-1" });
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    [DETAIL, '{"trade_id":"01k"}'],
    [DETAIL, '{"mch_order_id":"A-1"}'],
  ]);
  expect(sent[0]?.headers).toMatchObject({ "x-api-key": "sg_live_x", "content-type": "application/json" });
  expect(sent[0]?.headers["webhook-signature"]).toBeUndefined();
});

test("network errors, 429 and 5xx are repeated with the same body", async () => {
  const { client, sent } = await startServer((response, _sent, attempt) => {
    if (attempt === 1) return response.destroy();
    if (attempt === 2) return refuse(response, 429, 10005, { "retry-after": "1" });
    if (attempt === 3) return response.writeHead(502).end("<h1>Bad gateway</h1>");
    return succeed(response, { refund_id: "01r" });
  });
  expect(await client.refund({ trade_id: "01k" })).toEqual({ refund_id: "01r" });
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ mch_refund_id: expect.stringMatching(/^sdk-[0-9a-f]{28}$/) });
});

test("errors that a repetition cannot change are thrown at once, with code, message and details", async () => {
  const { client, sent } = await startServer((response) => refuse(response, 400, 10001));
  const error = await client.create({ mch_order_id: "A-1" }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect({ ...error, message: error.message }).toMatchObject({
    name: "ApiError",
    code: 10001,
    message: "no 10001",
    status: 400,
    requestId: "r9",
    data: null,
    errors: [{ field: "amount", message: "too small" }],
  });
  expect(sent).toHaveLength(1);
});

test("the wait before an attempt doubles, and is at least Retry-After", () => {
  const details = { requestId: null, errors: [], data: null };
  const busy = (status: number, retryAfterSeconds: number | null) =>
    new ApiError(10005, "busy", { ...details, status, retryAfterSeconds });
  for (const [attempt, maxMs] of [500, 1_000, 2_000].entries()) {
    const waitMs = waitBefore(attempt, busy(429, null)) ?? 0;
    expect([waitMs >= maxMs / 2, waitMs <= maxMs]).toEqual([true, true]);
  }
  expect(waitBefore(0, busy(503, 7))).toBe(7_000);
  expect(waitBefore(0, busy(503, 61))).toBeNull();
  expect(waitBefore(0, busy(409, 7))).toBeNull();
});

test("a Retry-After of more than a minute is returned and not waited for", async () => {
  const { client, sent } = await startServer((response) => refuse(response, 503, 10006, { "retry-after": "3600" }));
  const error = await client.retrieve("01k").catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 10006, status: 503, retryAfterSeconds: 3_600 });
  expect(sent).toHaveLength(1);
});

test("a server that is not this API is reported with a hint, and not asked again", async () => {
  for (const answer of [
    (response: ServerResponse) => response.end("<h1>Welcome</h1>"),
    (response: ServerResponse) => response.writeHead(301, { location: "/elsewhere" }).end(),
  ]) {
    const { client, sent } = await startServer((response) => void answer(response));
    const error = await client.listMethods().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "invalid_response", message: expect.stringContaining("Check the base URL") });
    expect(sent).toHaveLength(1);
  }
});

test("a server that does not respond is a timeout, and one that is unreachable a network error", async () => {
  let attempts = 0;
  const countAttempts: StablegateSettings["fetch"] = (url, init) => {
    attempts += 1;
    return fetch(url, init);
  };
  const { client } = await startServer(() => {}, { maxRetries: 1, timeoutMs: 50, fetch: countAttempts });
  expect(await client.listMethods().catch((thrown) => thrown)).toMatchObject({ code: "timeout" });
  expect(attempts).toBe(2);
  const away = new Stablegate({ baseUrl: "http://127.0.0.1:1", apiKey: "sg_live_x", maxRetries: 0 });
  expect(await away.listMethods().catch((thrown) => thrown)).toMatchObject({ code: "network" });
});

test("a signal ends a call, its retries and its waits with its reason", async () => {
  const reason = new Error("the visitor left");
  const aborted = AbortSignal.abort(reason);
  const { client, sent } = await startServer((response) => succeed(response, { status: "pending" }));
  await expect(client.listMethods({ signal: aborted })).rejects.toBe(reason);
  expect(sent).toHaveLength(0);
  const controller = new AbortController();
  const waiting = client.waitForPayment("01k", { signal: controller.signal });
  await expect.poll(() => sent.length).toBe(1);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test("waiting ends when the order is final, or with an error", async () => {
  const { client } = await startServer((response, _sent, attempt) =>
    succeed(response, { trade_id: "01k", status: attempt < 3 ? "pending" : "expired" }),
  );
  expect(await client.waitForPayment("01k", { intervalMs: 5 })).toMatchObject({ status: "expired" });
  const stuck = await startServer((response) => succeed(response, { trade_id: "01k", status: "confirming" }));
  const error = await stuck.client.waitForPayment("01k", { intervalMs: 5, maxWaitMs: 20 }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(WaitTimeoutError);
  expect(error.message).toBe("The order 01k is still confirming after 20 ms.");
});

test("each attempt has its own signature over its path and body", async () => {
  const handle: Handler = (response, _sent, attempt) =>
    attempt === 1 ? void response.writeHead(500).end() : succeed(response);
  const { client, sent } = await startServer(handle, { secret: [SECRET, "whsec_AAAA"] });
  await client.retrieve("01k");
  for (const { headers, body } of sent) {
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
    const given = { id: String(id), timestamp: String(timestamp), signature: String(signature) };
    const content = { method: "POST", pathAndQuery: DETAIL, rawBody: body };
    expect(verifyRequestSignature(SECRET, given, content, new Date())).toBeNull();
  }
  expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  const unsigned = await startServer((response) => succeed(response), { secret: SECRET, signRequests: false });
  await unsigned.client.retrieve("01k");
  expect(unsigned.sent[0]?.headers["webhook-signature"]).toBeUndefined();
});

test("a refused signature is repeated with the server's time if the clocks differ, and only then", async () => {
  const serverTime = Date.now() + 3_600_000;
  const handle: Handler = (response, { headers }) => {
    response.setHeader("date", new Date(serverTime).toUTCString());
    const ageMs = Math.abs(serverTime - Number(headers["webhook-timestamp"]) * 1_000);
    return ageMs > 300_000 ? refuse(response, 401, 10002) : succeed(response);
  };
  const { client, sent } = await startServer(handle, { secret: SECRET });
  await client.retrieve("01k");
  await client.retrieve("01k");
  expect(sent).toHaveLength(3);
  const { client: stranger, sent: attempts } = await startServer((response) => refuse(response, 401, 10002), {
    secret: SECRET,
  });
  await expect(stranger.retrieve("01k")).rejects.toMatchObject({ code: 10002 });
  expect(attempts).toHaveLength(1);
});

test("a page of orders can be awaited, and iterated to the last page", async () => {
  const { client, sent } = await startServer((response, { body }) =>
    succeed(
      response,
      JSON.parse(body).cursor === "c1"
        ? { orders: [{ trade_id: "3" }], next_cursor: null }
        : { orders: [{ trade_id: "1" }, { trade_id: "2" }], next_cursor: "c1" },
    ),
  );
  expect(await client.list({ status: "paid" })).toMatchObject({ next_cursor: "c1" });
  expect(sent).toHaveLength(1);
  const found: string[] = [];
  for await (const { trade_id } of client.list({ status: "paid" })) found.push(trade_id);
  expect(found).toEqual(["1", "2", "3"]);
  expect(sent.at(-1)?.body).toBe('{"status":"paid","cursor":"c1"}');
});

test("missing and malformed settings are named", () => {
  expect(() => new Stablegate({ baseUrl: undefined, apiKey: "sg_live_x" })).toThrow(/baseUrl must be a URL/);
  expect(() => new Stablegate({ baseUrl: "pay.example.com", apiKey: "sg_live_x" })).toThrow(/baseUrl must be a URL/);
  const baseUrl = "https://pay.example.com";
  expect(() => new Stablegate({ baseUrl, apiKey: "" })).toThrow(/apiKey is missing/);
  expect(() => new Stablegate({ baseUrl, apiKey: "sg_live_x", secret: "whpk_AAAA" })).toThrow(/must be whsec_/);
});

test("callbacks without a secret are refused", async () => {
  const client = new Stablegate({ baseUrl: "https://pay.example.com", apiKey: "sg_live_x", secret: undefined });
  await expect(client.verifyCallback("{}", {})).rejects.toMatchObject({ code: "secret_missing" });
});
