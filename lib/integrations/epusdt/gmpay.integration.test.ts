import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { lookups, orders } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { parseRate } from "@/lib/domain/rates/price";
import { type Received, startReceiver } from "@/testing/callbacks/receiver";
import { senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { coreSign, signed } from "@/testing/integrations/epay-client";
import { goSign, hmacSign, phpSign } from "@/testing/integrations/epusdt-client";
import { payQuote } from "@/testing/integrations/pay-quote";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const log = pino({ level: "silent" });
const CREATE = "/payments/gmpay/v1/order/create-transaction";
const SUBMIT = "/payments/epay/v1/order/create-transaction/submit.php";
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
let shop: Awaited<ReturnType<typeof startReceiver>> | undefined;
let count = 0;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  for (const network of ["ethereum", "bsc"]) {
    await seedCursor(db(), network, now);
    await seedAddress(db(), { merchantId, network }, now);
  }
  plugin = await seedPlugin(db(), { merchantId, integration: "epusdt" }, now);
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db(), { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
});
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

type Fields = Record<string, string | number>;
type Sign = typeof hmacSign;
interface Answer {
  status_code: number;
  message: string;
  data: Record<string, unknown>;
}
const fieldsOf = (change: Fields = {}): Fields => ({
  pid: plugin.publicId,
  order_id: `G-${++count}`,
  currency: "cny",
  amount: 28.8,
  notify_url: "https://shop.example.com/notify",
  redirect_url: "https://shop.example.com/done",
  ...change,
});
async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${api.origin}/epusdt${path}`, init);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}
const ask = (path: string, fields: Fields) =>
  call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) });
const create = (fields: Fields, sign: Sign = hmacSign) =>
  ask(CREATE, { ...fields, signature: sign(fields, plugin.key) });
const choose = (trade_id: unknown, network = "binance") =>
  ask("/pay/switch-network", { trade_id: String(trade_id), token: "USDT", network });
const query = (fields: Fields) => {
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  const all = new URLSearchParams({ ...texts, signature: hmacSign(texts, plugin.key) });
  return call(`/payments/gmpay/v1/order/query?${all}`);
};
const submit = (fields: Record<string, string>, init: RequestInit = {}) => {
  const sent = signed(fields, plugin.key);
  const isPost = init.method === "POST";
  const url = `${api.origin}/epusdt${SUBMIT}${isPost ? "" : `?${sent}`}`;
  return fetch(url, { redirect: "manual", ...init, ...(isPost ? { body: sent } : {}) });
};
const epayFields = (change: Record<string, string> = {}) => ({
  pid: plugin.publicId,
  type: "alipay",
  out_trade_no: `E-${++count}`,
  notify_url: "https://shop.example.com/notify?from=epay",
  return_url: "https://shop.example.com/done",
  name: "会员 & VIP",
  money: "28.80",
  ...change,
});
const read = async (id: unknown) =>
  (
    await db()
      .select()
      .from(orders)
      .where(eq(orders.id, String(id)))
  )[0];

/** Delivers the pending callbacks to the shop. @returns the callback that arrived */
async function deliver(): Promise<Received> {
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => new Date()),
  );
  await sender.tick();
  await sender.drain();
  const sent = shop?.received.at(-1);
  if (!sent) throw new Error("No callback arrived");
  return sent;
}

test.each<[string, Sign]>([
  ["HMAC-SHA256", hmacSign],
  ["MD5", goSign],
])("an order that was signed with %s is chosen, paid and reported with that signature", async (_, sign) => {
  shop = await startReceiver((outgoing) => void outgoing.writeHead(200).end("ok"));
  const fields = fieldsOf({ notify_url: `${shop.origin}/notify` });
  const { data } = await create(fields, sign);
  const id = String(data["trade_id"]);
  expect(data).toMatchObject({ status: 4, actual_amount: 0, token: "", network: "", receive_address: "" });
  expect(await call(`/pay/check-status/${id}`)).toMatchObject({ data: { trade_id: id, status: 4 } });
  expect(await ask(`/pay/submit-tx-hash/${id}`, { block_transaction_id: `0x${"a".repeat(64)}` })).toMatchObject({
    status_code: 10013,
  });

  const open = (await call(`/pay/checkout-counter-resp/${id}`)).data;
  expect(open).toMatchObject({ status: 4, actual_amount: 0, is_selected: false });
  const { data: chosen } = await choose(id);
  expect(chosen).toEqual({
    trade_id: id,
    amount: 28.8,
    currency: "CNY",
    actual_amount: expect.closeTo(4, 2),
    receive_address: expect.stringMatching(/^0x/),
    token: "USDT",
    network: "binance",
    status: 1,
    payment_type: "gmpay",
    expiration_time: expect.any(Number),
    created_at: expect.any(Number),
    server_time: expect.any(Number),
    redirect_url: "https://shop.example.com/done",
    payment_url: "",
    is_selected: true,
  });
  const { expiration_time: expires, created_at: created, server_time: server } = chosen as Record<string, number>;
  expect(created).toBeLessThanOrEqual(server ?? 0);
  expect(server).toBeLessThan(expires ?? 0);
  expect(expires).toBeLessThan(Date.now() + 3_600_000);

  const { txId } = await payQuote(db(), id, log);
  expect(await call(`/pay/check-status/${id}`)).toMatchObject({ data: { trade_id: id, status: 2 } });
  const { body, method, headers } = await deliver();
  expect([method, headers["content-type"]]).toEqual(["POST", "application/json"]);
  const { signature, ...reported } = JSON.parse(body) as Fields;
  expect(reported).toEqual({
    pid: plugin.publicId,
    trade_id: id,
    order_id: fields["order_id"],
    amount: 28.8,
    actual_amount: chosen["actual_amount"],
    receive_address: chosen["receive_address"],
    token: "USDT",
    block_transaction_id: txId,
    status: 2,
  });
  expect(signature).toBe(sign(reported, plugin.key));
  if (sign === goSign) expect(signature).toBe(phpSign(reported, plugin.key));
  expect(await create(fields, sign)).toMatchObject({ status_code: 10002, data: null });
});

test("a repeated request with the other signature changes the signature of the callback", async () => {
  shop = await startReceiver((outgoing) => void outgoing.writeHead(200).end("success"));
  const fields = fieldsOf({ notify_url: `${shop.origin}/notify`, token: "USDT", network: "binance" });
  const { data: before } = await create(fields, goSign);
  const { data: after } = await create(fields, hmacSign);
  expect(after["trade_id"]).toBe(before["trade_id"]);
  await payQuote(db(), String(after["trade_id"]), log);
  const { signature, ...reported } = JSON.parse((await deliver()).body) as Fields;
  expect(signature).toBe(hmacSign(reported, plugin.key));
});

test("an order on BEpusdt's path keeps the callback of seven fields", async () => {
  shop = await startReceiver((outgoing) => void outgoing.writeHead(200).end("ok"));
  const fields = { order_id: `B-${++count}`, amount: 28.8, trade_type: "usdt.bep20" };
  const all = { ...fields, notify_url: `${shop.origin}/n`, redirect_url: "https://shop.example.com/done" };
  const created = await ask("/api/v1/order/create-transaction", { ...all, signature: goSign(all, plugin.key) });
  await payQuote(db(), String(created.data["trade_id"]), log);
  const { signature, ...reported } = JSON.parse((await deliver()).body) as Fields;
  expect(Object.keys(reported).join(" ")).toBe(
    "trade_id order_id amount actual_amount token block_transaction_id status",
  );
  expect([reported["amount"], reported["actual_amount"]]).toEqual([28.8, created.data["actual_amount"]]);
  expect(reported["token"]).toBe(created.data["token"]);
  expect(signature).toBe(goSign(reported, plugin.key));
});

test("an order is queried by its trade_id or its order_id, with a signature", async () => {
  const fields = fieldsOf({ token: "usdt", network: "ethereum" });
  const { data } = await create(fields);
  const { pid } = fields;
  const byNumber = await query({ pid: String(pid), order_id: String(fields["order_id"]) });
  expect(byNumber.data).toEqual(data);
  expect((await query({ pid: String(pid), trade_id: String(data["trade_id"]) })).data).toEqual(data);
  expect(await query({ pid: String(pid) })).toMatchObject({ status_code: 10009, data: null });
  expect(await query({ pid: String(pid), order_id: "nowhere" })).toMatchObject({ status_code: 10008 });
  const unsigned = `/payments/gmpay/v1/order/query?pid=${pid}&order_id=${fields["order_id"]}&signature=${"0".repeat(64)}`;
  expect(await call(unsigned)).toMatchObject({ status_code: 401, data: null });
});

test("the configuration lists the methods of the shop", async () => {
  const { data } = await call(`/payments/gmpay/v1/config?pid=${plugin.publicId}`);
  expect(data).toEqual({
    supported_assets: [
      { network: "ethereum", display_name: "Ethereum", tokens: ["USDC", "USDT"] },
      { network: "binance", display_name: "BNB Smart Chain", tokens: ["USDC", "USDT"] },
    ],
    site: {
      cashier_name: "",
      logo_url: "",
      website_title: "",
      support_link: "",
      background_color: "",
      background_image_url: "",
    },
    epay: { default_token: "", default_currency: "cny", default_network: "" },
    okpay: { enabled: false, allow_tokens: [] },
    version: "v1",
  });
  expect((await call("/payments/gmpay/v1/config")).data).toEqual(data);
});

test("a submitted transaction is looked up; it changes no status by itself", async () => {
  const { data } = await create(fieldsOf({ token: "usdt", network: "binance" }));
  const path = `/pay/submit-tx-hash/${data["trade_id"]}`;
  const block_transaction_id = `0x${"cd".repeat(32)}`;
  expect(await ask(path, { block_transaction_id })).toMatchObject({
    status_code: 200,
    data: { trade_id: data["trade_id"], status: 1, block_transaction_id },
  });
  const asked = await db()
    .select()
    .from(lookups)
    .where(eq(lookups.orderId, String(data["trade_id"])));
  expect(asked.map(({ txId }) => txId)).toContain(block_transaction_id);
  expect(await ask(path, { block_transaction_id: "soon" })).toMatchObject({ status_code: 10038, data: null });
  expect(await ask(path, {})).toMatchObject({ status_code: 10038 });
  expect(await ask("/pay/submit-tx-hash/unknown", { block_transaction_id })).toMatchObject({ status_code: 10008 });
});

test.each<[number, Fields]>([
  [10004, { amount: 0 }],
  [10009, { order_id: "x".repeat(129) }],
  [10009, { currency: "XXY" }],
  [10009, { token: "USDT" }],
  [10016, { token: "BTC", network: "bitcoin" }],
  [10016, { token: "USDT", network: "nowhere" }],
  [10003, { token: "USDT", network: "polygon" }],
  [10041, { notify_url: "http://169.254.169.254/" }],
  [10044, { redirect_url: "javascript:alert(1)" }],
])("a refused order has GMPay's number %i: %j", async (status_code, change) => {
  expect(await create(fieldsOf(change))).toMatchObject({ status_code, data: null });
});

test("a payer's choices have GMPay's numbers, and no sentence for the shop", async () => {
  const { data } = await create(fieldsOf());
  expect(await choose(data["trade_id"], "nowhere")).toMatchObject({ status_code: 10016 });
  expect(await choose("unknown")).toMatchObject({ status_code: 10008 });
  expect(await choose(data["trade_id"])).toMatchObject({ status_code: 200 });
  await payQuote(db(), String(data["trade_id"]), log);
  expect(await choose(data["trade_id"], "ethereum")).toMatchObject({ status_code: 10013 });
});

test.each(["GET", "POST"])(
  "EPay: %s redirects the payer; the order is chosen, paid and reported by EPay's rules",
  async (method) => {
    shop = await startReceiver((outgoing) => void outgoing.writeHead(200).end("success"));
    const fields = epayFields({ notify_url: `${shop.origin}/notify?from=epay`, param: "a=b" });
    const answer = await submit(fields, { method });
    expect(answer.status).toBe(302);
    const id = answer.headers.get("location")?.split("/pay/")[1] ?? "";
    expect(answer.headers.get("location")).toBe(`https://pay.example.com/pay/${id}`);
    expect((await submit(fields, { method })).headers.get("location")).toBe(answer.headers.get("location"));
    expect(await read(id)).toMatchObject({ integration: "epusdt", mchOrderId: fields.out_trade_no, network: null });
    const chosen = await choose(id);
    const redirect_url = `https://pay.example.com/pay/${id}/return`;
    expect(chosen.data).toMatchObject({ payment_type: "epay", amount: 28.8, redirect_url });
    await payQuote(db(), id, log);

    const { method: sentBy, path } = await deliver();
    expect(sentBy).toBe("GET");
    const { from, sign, sign_type, ...reported } = Object.fromEntries(new URL(path, "http://shop").searchParams);
    expect([from, sign_type]).toEqual(["epay", "MD5"]);
    const expected = { pid: plugin.publicId, trade_no: id, out_trade_no: fields.out_trade_no, type: "alipay" };
    const rest = { name: fields.name, money: "28.80", trade_status: "TRADE_SUCCESS", param: "a=b" };
    expect(reported).toEqual({ ...expected, ...rest });
    expect(sign).toBe(coreSign(reported, plugin.key));

    const back = await fetch(`${api.origin}/pay/${id}/return`, { redirect: "manual" });
    const returned = new URL(back.headers.get("location") ?? "");
    expect(returned.origin + returned.pathname).toBe("https://shop.example.com/done");
    expect(returned.searchParams.get("sign")).toBe(sign);
  },
);

test.each([
  ["usdt.binance", {}, "bsc"],
  ["", { token: "usdt", network: "ethereum" }, "ethereum"],
  ["alipay", { token: "USDT", network: "tron" }, "tron"],
  ["", {}, null],
])("EPay: the type %j with %j selects %s", async (type, more, network) => {
  const answer = await submit(epayFields({ type, ...more, currency: "cny" }), {
    headers: { accept: "*/*" },
  });
  if (network === "tron") {
    expect(answer.status).toBe(200);
    return expect(await answer.json()).toMatchObject({ status_code: 10003 });
  }
  expect(answer.status).toBe(302);
  expect((await read(answer.headers.get("location")?.split("/pay/")[1]))?.network).toBe(network);
});

test.each<[string, Record<string, string>, number]>([
  ["name", { name: "tea&notify_url=https://evil.example/" }, 10009],
  ["name", { name: "tea&token=usdt" }, 10009],
  ["money", { money: "0" }, 10004],
  ["type", { type: "usdt.nowhere" }, 10016],
  ["param", { param: "a\u0000b" }, 10009],
  ["network", { type: "", token: "usdt" }, 10009],
  ["notify_url", { notify_url: "http://169.254.169.254/" }, 10041],
])("EPay: %s is refused with HTTP 200, as a page or as JSON: %j", async (name, change, number) => {
  const page = await submit(epayFields(change), { headers: { accept: "text/html,*/*" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
  const text = await page.text();
  expect(text).toMatch(/Go back to the shop/);
  expect(text).not.toMatch(/signature|parameter|receiving address|notify_url/);
  const program = await submit(epayFields(change), { method: "POST" });
  expect(program.status).toBe(200);
  const answer = (await program.json()) as Answer;
  expect(answer).toMatchObject({ status_code: number, data: null });
  expect(answer.message).toContain(name);
});

test("EPay: a forged request is refused, also with the HMAC of the right key", async () => {
  const fields = epayFields();
  for (const sign of ["0".repeat(32), hmacSign(fields, plugin.key), ""]) {
    const all = new URLSearchParams({ ...fields, sign, sign_type: "MD5" });
    expect(await call(`${SUBMIT}?${all}`)).toMatchObject({ status_code: 401, data: null });
  }
  expect(await db().$count(orders, eq(orders.mchOrderId, fields.out_trade_no))).toBe(0);
});

test.each(["pay/checkout-counter", "cashier", "pay/checkout"])(
  "%s of an order redirects to its payment page",
  async (path) => {
    const answer = await fetch(`${api.origin}/epusdt/${path}/T1%2Fx`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://pay.example.com/pay/T1%252Fx"]);
    expect(await call(`/${path}/T1`, { method: "POST" })).toMatchObject({ data: null });
  },
);

test("the payer of an open order can choose again", async () => {
  const { data } = await create(fieldsOf());
  const id = String(data["trade_id"]);
  await choose(id);
  await choose(id, "ethereum");
  expect((await call(`/pay/checkout-counter-resp/${id}`)).data).toMatchObject({ network: "ethereum", status: 1 });
});
