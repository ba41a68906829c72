import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/domain/id";
import { startWeb, type WebServer } from "@/server";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { coreSign } from "@/testing/integrations/epay-client";
import { goSign } from "@/testing/integrations/epusdt-client";
import { seedPlugin } from "@/testing/integrations/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

/** The id of an order that does not exist. */
const UNKNOWN = newId(new Date());
const SUBMIT = "/payments/epay/v1/order/create-transaction/submit.php";
/** The paths of the protocol with their methods. */
const OF_SHOPS = [
  ["POST", "/api/v1/order/create-transaction"],
  ["POST", "/api/v1/order/create-order"],
  ["POST", "/api/v1/order/cancel-transaction"],
  ["POST", "/payments/gmpay/v1/order/create-transaction"],
  ["POST", "/payments/epusdt/v1/order/create-transaction"],
  ["GET", "/payments/gmpay/v1/order/query"],
] as const;
const OF_PAYERS = [
  ["POST", "/api/v1/pay/info"],
  ["POST", "/api/v1/pay/methods"],
  ["POST", "/api/v1/pay/update-order"],
  ["POST", "/pay/switch-network"],
  ["POST", `/pay/submit-tx-hash/${UNKNOWN}`],
  ["GET", `/pay/check-status/${UNKNOWN}`],
  ["GET", `/pay/checkout-counter-resp/${UNKNOWN}`],
] as const;
const ELSEWHERE = ["", "/", "/nowhere", "/pay", "/pay/check-status", "/pay/check-status/", "/api/v1/order", "/%zz/%00"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface Answer {
  status: number;
  body: { status_code: number; message: string; data: unknown; request_id: string };
}

/** Sends a request without any normalization of its path. */
async function send(
  origin: string,
  method: string,
  path: string,
  { body = "", headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}/epusdt`, { method, path: `/epusdt${path}`, headers }, (incoming) => {
      let text = "";
      incoming.on("data", (part: Buffer) => {
        text += part.toString();
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function expectRefusal({ status, body }: Answer, status_code: unknown = expect.any(Number)): void {
  expect({ status, body }).toEqual({
    status: 200,
    body: { status_code, message: expect.stringMatching(/^\S.{5,}/), data: null, request_id: expect.any(String) },
  });
  expect(body.status_code).not.toBe(200);
}

const JSON_TYPE = { "content-type": "application/json" };
const ALL = [...OF_SHOPS, ...OF_PAYERS];

describe("without limits", () => {
  const api = useTestApi({ isSandbox: true });

  test.each(METHODS)("%s on every path answers with HTTP 200 and a number", async (method) => {
    for (const path of [...ALL.map(([, own]) => own), SUBMIT, ...ELSEWHERE])
      expectRefusal(await send(api.origin, method, path));
  });

  test.each(ALL.filter(([method]) => method === "POST"))(
    "%s %s refuses unreadable bodies with HTTP 200",
    async (...at) => {
      const [method, path] = at;
      const bodies = [
        "{",
        "[]",
        "null",
        '"x"',
        "\u0000",
        '{"amount":[1]}',
        '{"a":1,"a":2}',
        `{"x":"${"x".repeat(70_000)}"}`,
      ];
      for (const body of bodies) expectRefusal(await send(api.origin, method, path, { body, headers: JSON_TYPE }));
      const form = { "content-type": "application/x-www-form-urlencoded" };
      for (const body of ["a=1&a=2", "%zz=%", "x=".repeat(40_000), "a=1&".repeat(200)])
        expectRefusal(await send(api.origin, method, path, { body, headers: form }));
    },
  );

  test.each(OF_SHOPS)("%s %s refuses a wrong signature of every form with 401", async (method, path) => {
    for (const signature of ["", "0".repeat(32), "0".repeat(64), "会".repeat(32)])
      for (const pid of ["100000000", ""]) {
        const fields = { order_id: "1", amount: "1", trade_id: "x", signature, ...(pid && { pid }) };
        const sent =
          method === "GET"
            ? await send(api.origin, method, `${path}?${new URLSearchParams(fields)}`)
            : await send(api.origin, method, path, { body: JSON.stringify(fields), headers: JSON_TYPE });
        expectRefusal(sent, 401);
      }
  });
});

describe("with limits", () => {
  const api = useTestApi({ viewsPerMinute: 1, createsPerMinute: 1, readsPerMinute: 1, trustedProxies: 1 });
  let plugin: Awaited<ReturnType<typeof seedPlugin>>;
  beforeAll(async () => {
    const now = new Date();
    const merchantId = api.merchant.id;
    await seedCursor(api.pool.db, "bsc", now);
    await seedAddress(api.pool.db, { merchantId, network: "bsc" }, now);
    plugin = await seedPlugin(api.pool.db, { merchantId, integration: "epusdt" }, now);
  });

  test.each(OF_PAYERS)("%s %s answers too many requests of an address with 429", async (method, path) => {
    const from = `192.0.2.${OF_PAYERS.findIndex(([, own]) => own === path) + 1}`;
    const more = { body: method === "POST" ? "{}" : "", headers: { ...JSON_TYPE, "x-forwarded-for": from } };
    let last = await send(api.origin, method, path, more);
    for (let count = 0; count < 4; count++) last = await send(api.origin, method, path, more);
    expectRefusal(last, 429);
  });

  test.each(OF_SHOPS)("%s %s answers too many requests of a shop with 429", async (method, path) => {
    const fields = { pid: plugin.publicId, order_id: "L-1", trade_id: "x", amount: "0" };
    const all = { ...fields, signature: goSign(fields, plugin.key) };
    const ask = () =>
      method === "GET"
        ? send(api.origin, method, `${path}?${new URLSearchParams(all)}`)
        : send(api.origin, method, path, { body: JSON.stringify(all), headers: JSON_TYPE });
    let last = await ask();
    for (let count = 0; count < 4; count++) last = await ask();
    expectRefusal(last, 429);
  });

  test("a payer's browser whose shop sends it too often gets a page with HTTP 200", async () => {
    const fields = { pid: plugin.publicId, out_trade_no: "1", money: "0" };
    const query = new URLSearchParams({ ...fields, sign: coreSign(fields, plugin.key) });
    const headers = { accept: "text/html", "x-forwarded-for": "192.0.2.99" };
    const texts: string[] = [];
    for (const method of ["GET", "GET", "GET", "POST"]) {
      const init = { method, headers, redirect: "manual", ...(method === "POST" && { body: query }) } as const;
      const answer = await fetch(`${api.origin}/epusdt${SUBMIT}?${query}`, init);
      expect(answer.status).toBe(200);
      texts.push(await answer.text());
    }
    expect(texts.slice(1, 3).join()).toContain("Too many");
    expect(texts.at(-1)).toContain("Payments cannot be started right now");
  });
});

describe("while the database is unavailable", () => {
  let web: WebServer | undefined;
  let own: typeof globalThis.stablegateContext;
  beforeAll(async () => {
    own = globalThis.stablegateContext;
    const databaseUrl = "postgres://test@127.0.0.1:1/none";
    web = await startWeb({ env: { ...TEST_ENV, databaseUrl }, hasPages: false, onRefused: () => undefined });
  });
  afterAll(async () => {
    await web?.close();
    globalThis.stablegateContext = own;
  });
  const origin = () => web?.url ?? "";

  test.each(OF_SHOPS)("%s %s answers a shop with 503", async (method, path) => {
    const fields = { pid: "100000000", order_id: "1", signature: "0".repeat(32) };
    const sent =
      method === "GET"
        ? await send(origin(), method, `${path}?${new URLSearchParams(fields)}`)
        : await send(origin(), method, path, { body: JSON.stringify(fields), headers: JSON_TYPE });
    expectRefusal(sent, 503);
    expect(sent.body.message).toContain("database");
  });

  test.each(OF_PAYERS)("%s %s answers a payer with 503 and a sentence for payers", async (method, path) => {
    const body = JSON.stringify({ trade_id: UNKNOWN, block_transaction_id: "x", token: "USDT", network: "bsc" });
    const sent = await send(origin(), method, path, method === "POST" ? { body, headers: JSON_TYPE } : {});
    expectRefusal(sent, 503);
    expect(sent.body.message).toBe("This payment service does not respond at the moment; try again in a minute");
  });

  test("a payer's browser gets a page with HTTP 200 that reloads", async () => {
    const query = new URLSearchParams({ pid: "100000000", sign: "0".repeat(32) });
    const answer = await fetch(`${origin()}/epusdt${SUBMIT}?${query}`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('http-equiv="refresh"');
  });
});
