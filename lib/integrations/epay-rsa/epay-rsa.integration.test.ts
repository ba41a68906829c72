import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { callbacks, orders } from "@/db/schema";
import { createIntegrationSigner } from "@/lib/callbacks/sign-for-integration";
import { parseRate } from "@/lib/domain/rates/price";
import { INSTALLED } from "@/lib/integrations/installed";
import { addressVerifier } from "@/lib/merchants/vault";
import { chooseMethod } from "@/lib/orders/choose-method";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { rotatePluginKey, switchOffPlugin, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { isRsaSigned, rsaSigned, signed } from "@/testing/integrations/epay-client";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const log = pino({ level: "silent" });
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
let count = 0;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId, network: "bsc" }, now);
  plugin = await seedPlugin(db(), { merchantId, integration: "epay-rsa" }, now);
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db(), { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
});

type Fields = Record<string, string>;
interface Answer extends Record<string, unknown> {
  code: number;
  msg?: string;
}
const fieldsOf = (change: Fields = {}): Fields => ({
  pid: plugin.publicId,
  method: "web",
  device: "pc",
  clientip: "203.0.113.7",
  type: "alipay",
  out_trade_no: `V2-${++count}`,
  name: '会员 & "VIP" +1',
  money: "72.00",
  notify_url: "https://shop.example.com/notify",
  return_url: "https://shop.example.com/done?x=1",
  ...change,
});
const post = async (path: string, body: URLSearchParams | string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${api.origin}/epay-rsa/${path}`, { method: "POST", body, headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
};
const call = (path: string, fields: Fields, { key = plugin.key, at = new Date() } = {}) =>
  post(path, rsaSigned(fields, key, at));
const ask = (path: string, fields: Fields = {}) => call(path, { pid: plugin.publicId, ...fields });
/** Expects a successful answer that EpayCore accepts, and returns it. */
const expectSigned = (answer: Answer, platformKey = plugin.platformKey ?? "") => {
  expect(answer).toMatchObject({ code: 0, sign_type: "RSA" });
  const texts = Object.entries(answer).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" ? [] : [[name, String(value)]],
  );
  expect(isRsaSigned(Object.fromEntries(texts), platformKey, new Date())).toBe(true);
  return answer;
};
const create = async (fields: Fields) => expectSigned(await call("api/pay/create", fields))["trade_no"] as string;

async function pay(id: string): Promise<void> {
  const choosing = { log, env: TEST_ENV, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  await chooseMethod(db(), choosing, id, { network: "bsc", currency: "USDT" }, new Date());
  const actor = { merchantId: api.merchant.id, userId: plugin.userId, role: "owner" } as const;
  const ctx = { publicUrl: "https://pay.example.com", log, integrations: INSTALLED };
  await markOrderPaid(db(), ctx, actor, { orderId: id, reason: "seen" }, new Date());
}

test("an order is created, queried and paid; its callback and return are signed by the platform at their own time", async () => {
  const fields = fieldsOf({ param: "p=1" });
  const made = expectSigned(await call("api/pay/create", fields));
  const id = made["trade_no"] as string;
  expect(made).toMatchObject({ pay_type: "jump", pay_info: `https://pay.example.com/pay/${id}` });
  const names = { trade_no: id, out_trade_no: fields["out_trade_no"], money: "72.00", param: "p=1", type: "alipay" };
  const open = expectSigned(await ask("api/pay/query", { trade_no: id }));
  expect(open).toMatchObject({ ...names, status: 0, trade_status: "WAIT_BUYER_PAY", pid: Number(plugin.publicId) });
  expect(open).not.toHaveProperty("endtime");
  expect(open).not.toHaveProperty("buyer");

  await pay(id);
  const paid = expectSigned(await ask("api/pay/query", { out_trade_no: fields["out_trade_no"] ?? "" }));
  expect(paid).toMatchObject({ ...names, status: 1, trade_status: "TRADE_SUCCESS" });
  expect(paid["endtime"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

  const back = await fetch(`${api.origin}/pay/${id}/return`, { redirect: "manual" });
  const { x, ...returned } = Object.fromEntries(new URL(back.headers.get("location") ?? "").searchParams);
  expect(x).toBe("1");
  expect(returned).toMatchObject({ ...names, name: fields["name"], trade_status: "TRADE_SUCCESS" });
  expect(isRsaSigned(returned, plugin.platformKey ?? "", new Date())).toBe(true);

  const [callback] = await db().select().from(callbacks).where(eq(callbacks.orderId, id));
  expect(callback).toMatchObject({ format: "epay-rsa", status: "pending" });
  const sign = createIntegrationSigner(db(), { appSecret: TEST_APP_SECRET, log, integrations: INSTALLED });
  const attempt = { merchantId: api.merchant.id, integration: "epay-rsa", webhookId: null } as const;
  for (const at of [new Date(), new Date(Date.now() + 3_600_000)]) {
    const request = await sign({ ...attempt, url: callback?.url ?? "", body: callback?.body ?? "" }, at);
    if (typeof request === "string") throw new Error(request);
    expect(request.method).toBe("GET");
    const reported = Object.fromEntries(new URL(request.url).searchParams);
    expect(reported).toMatchObject({ ...names, trade_status: "TRADE_SUCCESS" });
    expect(isRsaSigned(reported, plugin.platformKey ?? "", at)).toBe(true);
    expect(isRsaSigned({ ...reported, money: "1" }, plugin.platformKey ?? "", at)).toBe(false);
  }
});

test("pay/submit redirects the payer's browser to the payment page, by GET and by POST", async () => {
  const { method: _method, device: _device, clientip: _ip, ...fields } = fieldsOf();
  const body = rsaSigned(fields, plugin.key, new Date());
  const url = `${api.origin}/epay-rsa//api/pay/submit`;
  const byForm = await fetch(url, { method: "POST", body, redirect: "manual" });
  const byLink = await fetch(`${url}?${body}`, { redirect: "manual" });
  expect([byForm.status, byLink.status]).toEqual([302, 302]);
  const location = byForm.headers.get("location") ?? "";
  expect(byLink.headers.get("location")).toBe(location);
  const [row] = await db()
    .select()
    .from(orders)
    .where(eq(orders.id, location.split("/").at(-1) ?? ""));
  expect(row).toMatchObject({ integration: "epay-rsa", mchOrderId: fields["out_trade_no"] });
});

test("a payer reads that the shop sent an invalid request, in their language, and no reason", async () => {
  const body = rsaSigned(fieldsOf({ money: "1.005" }), plugin.key, new Date());
  const headers = { "accept-language": "de" };
  for (const query of [body, new URLSearchParams({ pid: "1" })]) {
    const answer = await fetch(`${api.origin}/epay-rsa/api/pay/submit?${query}`, { headers });
    const main = /<main.*<\/main>/s.exec(await answer.text())?.[0] ?? "";
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.headers.get("content-language")).toBe("de");
    expect(main).toContain("Der Shop hat eine ungültige Zahlungsanfrage gesendet");
    expect(main).not.toMatch(/money|decimals|sign|Settings/);
  }
});

test("an unpaid order is closed by either number, also twice; a paid one is not", async () => {
  const fields = fieldsOf();
  const id = await create(fields);
  const names = { trade_no: id, out_trade_no: fields["out_trade_no"] ?? "" };
  for (const name of [{ trade_no: id }, { out_trade_no: names.out_trade_no }])
    expect(expectSigned(await ask("api/pay/close", name))).toMatchObject(names);
  expect(await ask("api/pay/query", { trade_no: id })).toMatchObject({ status: 0, trade_status: "TRADE_CLOSED" });
  const paid = await create(fieldsOf());
  await pay(paid);
  const refused = await ask("api/pay/close", { trade_no: paid });
  expect(refused).toMatchObject({ code: -1, msg: expect.stringContaining("paid") });
  expect(await ask("api/pay/query", { trade_no: paid })).toMatchObject({ status: 1 });
  expect(await ask("api/pay/close", { trade_no: "unknown" })).toMatchObject({ code: -1 });
  expect(await ask("api/pay/close")).toMatchObject({ code: -1, msg: expect.stringContaining("trade_no") });
});

test("a refund is refused with the remedy", async () => {
  const refund = { trade_no: await create(fieldsOf()), money: "72.00", out_refund_no: "R-12345" };
  for (const path of ["api/pay/refund", "api/pay/refundquery"])
    expect(await ask(path, refund)).toMatchObject({ code: -1, msg: expect.stringContaining("own wallet") });
});

test("the shop and its orders are listed, newest first, and by status", async () => {
  const id = await create(fieldsOf());
  const info = expectSigned(await ask("api/merchant/info"));
  expect(info).toMatchObject({ pid: Number(plugin.publicId), status: 1, pay_status: 1, money: "0.00" });
  const idsOf = (answer: Answer) => (answer["data"] as { trade_no: string }[]).map(({ trade_no }) => trade_no);
  const newest = expectSigned(await ask("api/merchant/orders", { limit: "2" }));
  expect(idsOf(newest)).toHaveLength(2);
  expect(idsOf(newest)[0]).toBe(id);
  await pay(id);
  const open = await ask("api/merchant/orders", { status: "0", limit: "50" });
  expect(idsOf(await ask("api/merchant/orders", { status: "1" }))[0]).toBe(id);
  expect(idsOf(open)).not.toContain(id);
});

test("V1 and V2 have separate orders and credentials", async () => {
  const v1 = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "epay" }, new Date());
  const fields = fieldsOf();
  const id = await create(fields);
  const byV1 = { ...fields, pid: v1.publicId };
  const made = await fetch(`${api.origin}/epay/mapi.php`, { method: "POST", body: signed(byV1, v1.key) });
  const { trade_no: other } = (await made.json()) as { trade_no: string };
  expect(other).not.toBe(id);
  expect(await ask("api/pay/query", { trade_no: other })).toMatchObject({ code: -1 });
  expect(await post("api/pay/create", signed(byV1, v1.key))).toMatchObject({ code: -3 });
  expect(await call("api/pay/create", { ...byV1 })).toMatchObject({ code: -3 });
});

test("an old or future timestamp, MD5, a changed field and a missing signature are refused as signatures", async () => {
  const query = { pid: plugin.publicId, trade_no: await create(fieldsOf()) };
  const second = 1_000;
  for (const ms of [-301 * second, 302 * second])
    expect(await call("api/pay/query", query, { at: new Date(Date.now() + ms) })).toMatchObject({
      code: -3,
      msg: expect.stringContaining("timestamp"),
    });
  for (const ms of [-295 * second, 295 * second])
    expect(await call("api/pay/query", query, { at: new Date(Date.now() + ms) })).toMatchObject({ code: 0 });
  const timed = { ...query, timestamp: String(Math.floor(Date.now() / second)) };
  expect(await post("api/pay/query", signed(timed, plugin.key))).toMatchObject({
    code: -3,
    msg: expect.stringContaining("sign_type must be RSA"),
  });
  const changed = rsaSigned(query, plugin.key, new Date());
  changed.set("trade_no", "other");
  expect(await post("api/pay/query", changed)).toMatchObject({ code: -3 });
  expect(await post("api/pay/query", new URLSearchParams({ ...timed, sign_type: "RSA" }))).toMatchObject({ code: -3 });
});

test("the signed fields of a payer's browser open no other path", async () => {
  const fields = fieldsOf();
  await create(fields);
  for (const path of ["query", "close"].map((name) => `api/pay/${name}`).concat("api/merchant/orders"))
    expect(await call(path, fields)).toMatchObject({ code: -3, msg: expect.stringContaining("notify_url") });
  const hidden = { pid: plugin.publicId, nz: "x&notify_url=https://shop.example.com/notify" };
  expect(await call("api/merchant/orders", hidden)).toMatchObject({ code: -1, msg: expect.stringContaining("nz") });
});

test.each([
  ["an unknown path", "api/pay/transfer", "POST", "", -5],
  ["the root", "", "GET", null, -5],
  ["no fields", "api/pay/query", "POST", "", -4],
  ["JSON", "api/pay/create", "POST", '{"pid":"1"}', -4],
  ["GET", "api/pay/query", "GET", null, -1],
  ["DELETE", "api/pay/query", "DELETE", null, -1],
  ["too many fields", "api/pay/query", "POST", "a=1&".repeat(101), -1],
  ["an unknown shop", "api/pay/query", "POST", "pid=1&sign_type=RSA&timestamp=1764000000&sign=AAAA", -3],
])("%s is refused with status 200 and a code", async (_, path, method, body, code) => {
  const answer = await fetch(`${api.origin}/epay-rsa/${path}`, { method, body });
  expect(answer.status).toBe(200);
  const { msg, ...rest } = (await answer.json()) as Answer;
  expect(rest).toEqual({ code });
  expect(msg).not.toBe("");
});

test("during the overlap, requests with the old and the new key work, each answered with its own platform key", async () => {
  const before = plugin;
  const query = { pid: before.publicId, trade_no: await create(fieldsOf()) };
  const issued = await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...before, overlapHours: 24 }, new Date());
  expect(issued?.platformKey).not.toBe(before.platformKey);
  const byOld = await call("api/pay/query", query, { key: before.key });
  const byNew = await call("api/pay/query", query, { key: issued?.key ?? "" });
  expectSigned(byOld, before.platformKey ?? "");
  expectSigned(byNew, issued?.platformKey ?? "");
  await switchOffPlugin(db(), before, new Date());
  expect(await call("api/pay/query", query)).toMatchObject({ code: -3, msg: expect.stringContaining("disabled") });
  await switchOnPlugin(db(), PLUGIN_SETTINGS, before, new Date());
});
