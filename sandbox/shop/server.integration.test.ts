import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { getNetwork } from "@/lib/domain/networks";
import { startShop } from "@/sandbox/shop/server";
import { coreSign, signed } from "@/testing/integrations/epay-client";
import { goSign } from "@/testing/integrations/epusdt-client";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const plugins = {
  epay: { publicId: "123456789", key: "epay-key" },
  epusdt: { publicId: "987654321", key: "epusdt-token" },
  greenfield: { publicId: "store", key: "greenfieldtoken" },
};
const networks = ["ethereum", "bsc", "tron"].map(getNetwork);
const created = { trade_id: "01trade", actual_amount: 24.5001, payment_url: "http://gateway.example/pay/01trade" };
let folder: string;
let gateway: Server;
let requests: { url: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
let answer: object;
let shop: Awaited<ReturnType<typeof startShop>>;

const start = () =>
  startShop({
    baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    apiKey: "sg_test_key",
    apiSecret: secret,
    plugins,
    networks,
    dashboardUrl: "http://gateway.example/dashboard",
    journalFile: path.join(folder, "shop.jsonl"),
  });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate shop "));
  requests = [];
  answer = { code: 0, message: "success", data: created };
  gateway = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ url: request.url ?? "", headers: request.headers, body });
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
  const signed = `POST /api/v1/pay/order/add\n${request?.body}`;
  new Webhook(secret).verify(signed, request?.headers as Record<string, string>, { jsonParse: false });
});

test("the API returns an order that was paid on the shop's own page in JSON, and errors too", async () => {
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

test("a paid order is refunded by the public API: the shop shows the claim link, and the event marks the order as refunded", async () => {
  const feed = async () => (await fetch(`${shop.url}/feed`)).text();
  const refund = (trade_id: string) =>
    fetch(`${shop.url}/refund`, { method: "POST", body: new URLSearchParams({ trade_id }), redirect: "manual" });
  await buy({ product: "beans" });
  expect(await feed()).not.toContain("Refund order");
  await callBack();
  expect(await feed()).toContain("Refund order");

  answer = { code: 10004, message: "Everything is <refunded> already" };
  const refused = await refund("01trade");
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining("is &lt;refunded&gt; already")]);
  const claim = "http://gateway.example/refund/01refund";
  answer = { code: 0, message: "success", data: { claim_url: claim, amount: 24.5001, currency: "USDT" } };
  const requested = await refund("01trade");
  expect([requested.status, requested.headers.get("location")]).toEqual([303, "/"]);
  const request = requests.at(-1);
  expect(request?.url).toBe("/api/v1/pay/refund/add");
  const { mch_order_id } = JSON.parse(requests[0]?.body ?? "{}");
  expect(JSON.parse(request?.body ?? "")).toEqual({ trade_id: "01trade", mch_refund_id: mch_order_id });
  const signed = `POST /api/v1/pay/refund/add\n${request?.body}`;
  new Webhook(secret).verify(signed, request?.headers as Record<string, string>, { jsonParse: false });
  await shop.close();
  shop = await start();
  expect(await feed()).toContain(claim);
  expect(await feed()).not.toContain("Refund order");
  const completed = { trade_id: "01trade", status: "completed", mch_order_id, refund_id: "01refund" };
  const complete = async (mch_refund_id: string | null) => {
    const event = JSON.stringify({ type: "refund.completed", data: { ...completed, mch_refund_id } });
    expect((await callBack(event, event)).status).toBe(200);
  };
  // A partial refund that was requested in the back office does not refund the order.
  await complete(null);
  expect(await feed()).toContain("Refund of 24.5001 USDT");
  await complete(mch_order_id);
  expect(await feed()).toContain("Refunded 24.5001 USDT");
  expect((await refund("01unknown")).status).toBe(400);
});

test("what the service refuses is shown to the buyer, and no amount is an amount asked for again", async () => {
  answer = { code: 10006, message: "No free amount <now>" };
  const refused = await buy({ product: "lamp" });
  expect(refused.status).toBe(502);
  expect(await refused.text()).toContain("No free amount &lt;now&gt;");
  expect((await buy({ amount: "ten" })).status).toBe(400);
});

test("by EPay: a signed form, a callback by GET that is answered with its word, and the way back with the same", async () => {
  answer = { code: 1, trade_no: "01epay", payurl: "http://gateway.example/pay/01epay" };
  const response = await buy({ product: "beans", protocol: "epay" });
  expect(response.headers.get("location")).toBe("http://gateway.example/pay/01epay");
  const [request] = requests;
  expect(request?.url).toBe("/epay/mapi.php");
  const fields = Object.fromEntries(new URLSearchParams(request?.body));
  expect(fields).toMatchObject({
    pid: "123456789",
    money: "24.50",
    type: "usdt.bsc",
    sign: coreSign(fields, "epay-key"),
  });

  const events = {
    pid: "123456789",
    trade_no: "01epay",
    out_trade_no: "m",
    money: "24.50",
    trade_status: "TRADE_SUCCESS",
  };
  const call = async (key: string) => {
    const reported = await fetch(`${fields["notify_url"]}?${signed(events, key)}`);
    return [reported.status, await reported.text()];
  };
  expect(await call("another")).toEqual([200, "fail"]);
  expect(await (await fetch(`${shop.url}/feed`)).text()).toContain("Not paid");
  expect(await call("epay-key")).toEqual([200, "success"]);
  const feed = await (await fetch(`${fields["return_url"]}?${signed(events, "epay-key")}`)).text();
  expect(feed).toContain("24.50 USD");
  expect(feed).not.toContain("Not paid");
  expect(feed).toContain("by EPay");
});

test("by epusdt: signed JSON, and a callback whose body is answered with ok", async () => {
  const data = { trade_id: "01usdt", actual_amount: "24.5001", payment_url: "http://gateway.example/pay/01usdt" };
  answer = { status_code: 200, message: "success", data };
  expect((await buy({ amount: "24.5", protocol: "epusdt" })).headers.get("location")).toBe(data.payment_url);
  const [request] = requests;
  expect(request?.url).toBe("/epusdt/api/v1/order/create-transaction");
  const fields = JSON.parse(request?.body ?? "{}");
  expect(fields).toMatchObject({ amount: 24.5, fiat: "USD", signature: goSign(fields, "epusdt-token") });

  const events = { trade_id: "01usdt", order_id: fields.order_id, amount: 24.5, actual_amount: "24.5001", status: 2 };
  const call = async (token: string) => {
    const body = JSON.stringify({ ...events, signature: goSign(events, token) });
    return (await fetch(fields.notify_url, { method: "POST", body })).text();
  };
  expect(await call("another")).toBe("fail");
  expect(await call("epusdt-token")).toBe("ok");
  const thanks = await (await fetch(fields.redirect_url)).text();
  expect(thanks).toContain("24.5001 USDT");
  expect(thanks).not.toContain("Not paid");

  answer = { status_code: 401, message: "The signature was made with no key", data: null };
  expect(await (await buy({ amount: "1", protocol: "epusdt" })).text()).toContain("made with no key");
});

test("by Greenfield: a webhook with a secret of its own, an invoice, and a delivery that is believed where it is signed", async () => {
  const invoice = { id: "01invoice", checkoutLink: "http://gateway.example/pay/01invoice" };
  let hooks: { id: string; url: string }[] = [];
  gateway.removeAllListeners("request");
  gateway.on("request", async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ url: request.url ?? "", headers: request.headers, body });
    const isList = request.method === "GET";
    if (request.url?.endsWith("/webhooks") && !isList) hooks = [{ id: "hook", url: JSON.parse(body).url }];
    response.end(JSON.stringify(isList ? hooks : request.url?.includes("webhooks") ? hooks[0] : invoice));
  });
  for (let times = 0; times < 2; times++)
    expect((await buy({ amount: "24.5", protocol: "greenfield" })).headers.get("location")).toBe(invoice.checkoutLink);
  const base = "/greenfield/api/v1/stores/store";
  expect(requests.map(({ url }) => url)).toEqual([
    ...[`${base}/webhooks`, `${base}/webhooks`, `${base}/invoices`],
    ...[`${base}/webhooks`, `${base}/webhooks/hook`, `${base}/invoices`],
  ]);
  expect(requests.every(({ headers }) => headers["authorization"] === "token greenfieldtoken")).toBe(true);
  const [, made, bought] = requests.map((one) => (one.body ? JSON.parse(one.body) : {}));
  expect(bought).toMatchObject({ amount: "24.5", currency: "USD" });

  const body = JSON.stringify({ type: "InvoiceSettled", invoiceId: "01invoice", metadata: bought.metadata });
  const call = async (secret: string) => {
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    return (await fetch(made.url, { method: "POST", headers: { "BTCPay-Sig": signature }, body })).status;
  };
  expect(await call("another")).toBe(401);
  expect(await call(made.secret)).toBe(200);
  const thanks = await (await fetch(bought.checkout.redirectURL)).text();
  expect(thanks).not.toContain("Not paid");
});
