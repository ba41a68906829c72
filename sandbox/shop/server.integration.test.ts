import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { getNetwork } from "@/lib/domain/networks";
import { startShop } from "@/sandbox/shop/server";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const networks = ["ethereum", "bsc", "tron"].map(getNetwork);
const created = { trade_id: "01trade", actual_amount: 24.5001, payment_url: "http://gateway.example/pay/01trade" };
let folder: string;
let gateway: Server;
let requests: { headers: NodeJS.Dict<string | string[]>; body: string }[];
let answer: object;
let shop: Awaited<ReturnType<typeof startShop>>;

const start = () =>
  startShop({
    baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    ...{ apiKey: "sg_test_key", apiSecret: secret, networks, dashboardUrl: "http://gateway.example/dashboard" },
    journalFile: path.join(folder, "shop.jsonl"),
  });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate shop "));
  requests = [];
  answer = { code: 0, message: "success", data: created };
  gateway = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ headers: request.headers, body });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  shop = await start();
});

afterEach(async () => {
  await shop.close();
  gateway.close();
  await rm(folder, { recursive: true });
});

const body = JSON.stringify({
  type: "payment.confirmed",
  data: { trade_id: "01trade", status: "paid", mch_order_id: "m" },
});

function callBack(sent = body, signed = body): Promise<Response> {
  const at = new Date();
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, signed),
  };
  return fetch(`${shop.url}/callbacks`, { method: "POST", headers, body: sent });
}

function buy(fields: Record<string, string>): Promise<Response> {
  const form = new URLSearchParams({ network: "bsc", currency: "USDT", ...fields });
  return fetch(`${shop.url}/buy`, { method: "POST", body: form, redirect: "manual" });
}

test("200: a callback whose signature fits is believed and listed", async () => {
  expect((await callBack()).status).toBe(200);
  const [callback] = await (await fetch(`${shop.url}/callbacks`)).json();
  expect(callback).toMatchObject({ verified: true, body, event: "payment.confirmed" });
  expect(callback.headers["webhook-id"]).toBe("evt_1");
  expect(Date.parse(callback.received_at)).not.toBeNaN();
});

test("401: a callback whose body was changed is listed as refused", async () => {
  expect((await callBack(body.replace("paid", "void"))).status).toBe(401);
  expect(await (await fetch(`${shop.url}/callbacks`)).json()).toMatchObject([{ verified: false, event: null }]);
});

test("buying creates a signed order by the public API and sends the buyer to its payment page", async () => {
  const response = await buy({ product: "beans" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe(created.payment_url);
  const [request] = requests;
  const order = { network: "bsc", currency: "USDT", amount: "24.50", notify_url: `${shop.url}/callbacks` };
  expect(JSON.parse(request?.body ?? "")).toMatchObject({ ...order, redirect_url: `${shop.url}/thanks` });
  expect(request?.headers).toMatchObject({ "x-api-key": "sg_test_key" });
  const signed = `POST /api/v1/pay/sdk/order/add\n${request?.body}`;
  new Webhook(secret).verify(signed, request?.headers as Record<string, string>, { jsonParse: false });
});

test("what is paid over the shop's own page is the same order, answered in JSON, as is a refusal", async () => {
  const pay = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ network: "bsc", currency: "USDT", ...fields });
    return fetch(`${shop.url}/buy`, { method: "POST", body, headers: { accept: "application/json" } });
  };
  expect(await (await pay({ product: "beans" })).json()).toEqual({ paymentUrl: created.payment_url });
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ amount: "24.50", network: "bsc" });
  const refused = await pay({ amount: "ten" });
  expect([refused.status, await refused.json()]).toEqual([400, { problem: expect.stringContaining("such as 12.50") }]);
});

test("an order is paid in the shop's eyes when its callback was verified, and still after a restart", async () => {
  await buy({ product: "", amount: "3,50" });
  expect(await (await fetch(`${shop.url}/feed`)).text()).toContain("Not paid");
  await callBack();
  await shop.close();
  shop = await start();
  const feed = await (await fetch(`${shop.url}/feed`)).text();
  expect(feed).not.toContain("Not paid");
  expect(feed).toContain("Gift card");
});

test("what the service refuses is shown to the buyer, and no amount is an amount asked for again", async () => {
  answer = { code: 10006, message: "No free amount <now>" };
  const refused = await buy({ product: "lamp" });
  expect(refused.status).toBe(502);
  expect(await refused.text()).toContain("No free amount &lt;now&gt;");
  expect((await buy({ amount: "ten" })).status).toBe(400);
});
