import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { callbacks, orders } from "@/db/schema";
import { parseRate } from "@/lib/domain/rates/price";
import { INSTALLED } from "@/lib/integrations/installed";
import { addressVerifier } from "@/lib/merchants/vault";
import { chooseMethod } from "@/lib/orders/choose-method";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { changePlugin, switchOffPlugin, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { boardSign, coreSign, signed } from "@/testing/integrations/epay-client";
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
  for (const network of ["ethereum", "bsc"]) {
    await seedCursor(db(), network, now);
    await seedAddress(db(), { merchantId, network }, now);
  }
  plugin = await seedPlugin(db(), { merchantId, integration: "epay" }, now);
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db(), { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
});

type Fields = Record<string, string>;
const fieldsOf = (change: Fields = {}): Fields => {
  const all: Fields = {
    pid: plugin.publicId,
    type: "alipay",
    out_trade_no: `E-${++count}`,
    name: "VIP 会员",
    money: "72.00",
    notify_url: "https://shop.example.com/notify",
    return_url: "https://shop.example.com/done?x=1",
    ...change,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "-"));
};
const submit = (fields: Fields, { path = "/epay/submit.php", method = "GET", key = plugin.key } = {}) => {
  const query = signed(fields, key);
  const init = { method, redirect: "manual", headers: { "accept-language": "zh-CN" } } as const;
  return method === "GET"
    ? fetch(`${api.origin}${path}?${query}`, init)
    : fetch(`${api.origin}${path}`, { ...init, body: query });
};
const mapi = async (fields: Fields, key = plugin.key) => {
  const answer = await fetch(`${api.origin}/epay/mapi.php`, { method: "POST", body: signed(fields, key) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { code: number; msg?: string; trade_no?: string; payurl?: string };
};
const query = async (fields: Fields) => {
  const answer = await fetch(`${api.origin}/epay/api.php?${new URLSearchParams(fields)}`);
  return (await answer.json()) as Record<string, unknown>;
};
const idOf = (answer: Response) => answer.headers.get("location")?.split("/").at(-1) ?? "";
const read = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0];

test.each(["/epay/submit.php", "/epay//submit.php", "//epay/submit.php", "/epay/submit.php/"])(
  "%s leads the payer to the payment page, where they choose",
  async (path) => {
    if (path.startsWith("//")) path = path.slice(1);
    for (const method of ["GET", "POST"]) {
      const answer = await submit(fieldsOf(), { path, method });
      expect(answer.status).toBe(302);
      const row = await read(idOf(answer));
      expect(row).toMatchObject({ integration: "epay", network: null, subject: "VIP 会员" });
      expect(row?.checkout).toEqual({
        network: null,
        currency: null,
        amount: null,
        price: { fiat: "CNY", amount: "72" },
      });
      const page = await fetch(`${api.origin}/pay/${row?.id}`);
      expect(page.status).toBe(200);
    }
  },
);

test.each([
  ["-", null, null],
  ["usdt.bep20", "bsc", "USDT"],
  ["USDC.erc20", "ethereum", "USDC"],
  ["epusdt", null, null],
  ["usdt", null, "USDT"],
])("type %s asks for %s, %s", async (type, network, currency) => {
  const row = await read(idOf(await submit(fieldsOf({ type }))));
  expect(row?.checkout).toMatchObject({ network, currency });
  if (network) expect(row?.amountUnits).toBe(network === "bsc" ? 10n ** 19n : 10_000_000n);
});

test("a repeat finds its order with any payment type; other terms and paid ones are refused", async () => {
  const fields = fieldsOf({ type: "usdt.bep20" });
  const first = await mapi(fields);
  expect(first).toEqual({ code: 1, trade_no: first.trade_no, payurl: `https://pay.example.com/pay/${first.trade_no}` });
  expect((await mapi({ ...fields, type: "alipay", clientip: "1.2.3.4", device: "mobile" })).trade_no).toBe(
    first.trade_no,
  );
  for (const [name, value] of Object.entries({
    money: "72.01",
    name: "other",
    notify_url: "https://shop.example.com/n2",
    return_url: "https://shop.example.com/",
    param: "x",
  }))
    expect(await mapi({ ...fields, [name]: value })).toMatchObject({ code: -1, msg: expect.stringContaining(name) });
  await db()
    .update(orders)
    .set({ status: "paid", paidAt: new Date() })
    .where(eq(orders.id, first.trade_no ?? ""));
  expect(await mapi(fields)).toMatchObject({ code: -1, msg: expect.stringContaining("already paid") });
});

test("twenty concurrent requests create one order", async () => {
  const fields = fieldsOf();
  const answers = await Promise.all(Array.from({ length: 20 }, () => mapi(fields)));
  expect(new Set(answers.map(({ trade_no }) => trade_no)).size).toBe(1);
});

test("its numbers are a namespace of their own beside the API's", async () => {
  const number = `N-${++count}`;
  const { body } = await api.post("/order/add", { mch_order_id: number, amount: 3, currency: "USDT", network: "bsc" });
  expect(body.code).toBe(0);
  const made = await mapi(fieldsOf({ out_trade_no: number }));
  expect(made.code).toBe(1);
  const found = await api.post("/order/detail", { mch_order_id: number });
  expect(found.body.data?.["trade_id"]).toBe(body.data?.["trade_id"]);
  expect((await api.post("/order/detail", { trade_id: made.trade_no })).body.code).toBe(0);
});

test("a parameter with control characters is refused at any position", async () => {
  for (const param of ["behind\u0001", "\u0001before", "\u0001before", "behind\u0001"])
    expect(await mapi(fieldsOf({ param }))).toMatchObject({ code: -1, msg: expect.stringContaining("param") });
});

test.each<[string, Fields]>([
  ["out_trade_no", { out_trade_no: "a b" }],
  ["out_trade_no", { out_trade_no: "-" }],
  ["money", { money: "0.00" }],
  ["money", { money: "1.005" }],
  ["money", { money: "1e3" }],
  ["money", { money: "1.2.3" }],
  ["type", { type: "tron.trx" }],
  ["notify_url", { notify_url: "http://127.0.0.1/x" }],
  ["notify_url", { notify_url: "-" }],
  ["return_url", { return_url: "javascript:alert(1)" }],
])("%s is refused where it is wrong: %j", async (name, change) => {
  const fields = fieldsOf(change);
  expect(await mapi(fields)).toMatchObject({ code: -1, msg: expect.stringContaining(name) });
  const page = await submit(fields);
  expect(page.status).toBe(400);
  expect(page.headers.get("content-type")).toContain("text/html");
  const html = await page.text();
  expect(html).toContain('lang="zh-Hans"');
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  expect(main).toContain("商店");
  expect(main).not.toContain(name);
});

test.each<[string, RequestInit]>([
  ["", {}],
  ["unknown.php", {}],
  ["mapi.php", { method: "DELETE" }],
  ["mapi.php", { method: "POST", body: "{" }],
  ["mapi.php", { method: "POST", body: "a=1&".repeat(101) }],
  ["api.php?act=orders", {}],
])("%s with %j is refused with status 200 and a code", async (path, init) => {
  const answer = await fetch(`${api.origin}/epay/${path}`, init);
  expect(answer.status).toBe(200);
  const { code, msg } = (await answer.json()) as { code: number; msg: string };
  expect(code).toBeLessThan(0);
  expect(msg).not.toBe("");
});

test("a sign that is wrong, a key of another shop and a plugin that is off are refused", async () => {
  const fields = fieldsOf();
  expect(await mapi(fields, "wrong")).toMatchObject({ code: -3 });
  expect((await submit(fields, { key: "wrong" })).status).toBe(401);
  expect(await mapi(fieldsOf({ pid: "1" }))).toMatchObject({ code: -3 });
  const sent = signed(fields, plugin.key);
  sent.set("money", "72.0");
  const changed = await fetch(`${api.origin}/epay/mapi.php`, { method: "POST", body: sent });
  expect(await changed.json()).toMatchObject({ code: -3 });
  await switchOffPlugin(db(), plugin, new Date());
  expect(await mapi(fields)).toMatchObject({ code: -3, msg: expect.stringContaining("disabled") });
  await switchOnPlugin(db(), PLUGIN_SETTINGS, plugin, new Date());
});

test("a name is cut at 127 bytes between characters, and holds no backslash; unknown fields are signed along", async () => {
  const name = `\\${"会".repeat(60)}`;
  const { trade_no } = await mapi(fieldsOf({ name, sitename: "S&+%41", device: "pc" }));
  const row = await read(trade_no ?? "");
  expect(row?.subject).toBe(`/${"会".repeat(42)}`);
});

test("api.php returns the order, the orders and the shop; a refund is refused with the remedy", async () => {
  const fields = fieldsOf({ param: "p&1" });
  const { trade_no } = await mapi(fields);
  const { pid, key } = { pid: plugin.publicId, key: plugin.key };
  const byNumber = { act: "order", pid, key, out_trade_no: fields["out_trade_no"] ?? "" };
  const expected = { code: 1, trade_no, out_trade_no: fields["out_trade_no"], money: "72.00", param: "p&1" };
  const unpaid = { ...expected, status: 0, trade_status: "WAIT_BUYER_PAY" };
  expect(await query(byNumber)).toMatchObject({ code: -3, msg: expect.stringContaining("key in a URL") });
  const rules = { fiat: "CNY", settings: { takesKeyInUrl: false } };
  await changePlugin(db(), PLUGIN_SETTINGS, plugin, { ...rules, settings: { takesKeyInUrl: true } }, new Date());
  expect(await query(byNumber)).toMatchObject(unpaid);
  const bySign = { act: "order", pid, trade_no: trade_no ?? "" };
  expect(await query({ ...bySign, sign: coreSign(bySign, key), sign_type: "MD5" })).toMatchObject(unpaid);
  expect(await query({ ...byNumber, key: "x" })).toMatchObject({ code: -3 });
  expect(await query({ ...byNumber, out_trade_no: "unknown" })).toMatchObject({ code: -1 });
  const listed = (await query({ act: "orders", pid, key, limit: "2" })) as { data: { trade_no: string }[] };
  expect(listed.data).toHaveLength(2);
  expect(listed.data[0]).toMatchObject({ trade_no, trade_status: "WAIT_BUYER_PAY" });
  expect(await query({ act: "query", pid, key })).toMatchObject({ code: 1, pid: Number(pid) });
  expect(await query({ act: "refund", pid, key })).toMatchObject({
    code: -1,
    msg: expect.stringContaining("own wallet"),
  });
  await changePlugin(db(), PLUGIN_SETTINGS, plugin, rules, new Date());
  expect(await query(byNumber)).toMatchObject({ code: -3, msg: expect.stringContaining("key in a URL") });
  const posted = await fetch(`${api.origin}/epay/api.php`, { method: "POST", body: new URLSearchParams(byNumber) });
  expect(await posted.json()).toMatchObject(unpaid);
  expect(await query({ ...bySign, sign: coreSign(bySign, key) })).toMatchObject(unpaid);
});

test("a paid order returns the payer with parameters that EpayCore and V2Board accept, and its callback is in that format", async () => {
  const { trade_no: id = "" } = await mapi(fieldsOf({ name: '会员 & "VIP" +1 %41 \\', param: "" }));
  const before = await fetch(`${api.origin}/pay/${id}/return`, { redirect: "manual" });
  expect(before.headers.get("location")).toBe(`/pay/${id}`);
  const choosing = { log, env: TEST_ENV, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  await chooseMethod(db(), choosing, id, { network: "bsc", currency: "USDT" }, new Date());
  const actor = { merchantId: api.merchant.id, userId: plugin.userId, role: "owner" } as const;
  await markOrderPaid(
    db(),
    { publicUrl: "https://pay.example.com", log, integrations: INSTALLED },
    actor,
    { orderId: id, reason: "seen" },
    new Date(),
  );
  const page = await (await fetch(`${api.origin}/pay/${id}`)).text();
  expect(page).toContain(`/pay/${id}/return`);
  const after = await fetch(`${api.origin}/pay/${id}/return`, { redirect: "manual" });
  const back = new URL(after.headers.get("location") ?? "");
  const { x, ...fields } = Object.fromEntries(back.searchParams);
  expect(x).toBe("1");
  expect(fields).toMatchObject({
    name: '会员 & "VIP" +1 %41 /',
    trade_status: "TRADE_SUCCESS",
    trade_no: id,
    type: "alipay",
  });
  expect(fields["sign"]).toBe(coreSign(fields, plugin.key));
  expect(fields["sign"]).toBe(boardSign(fields, plugin.key));
  expect(coreSign({ ...fields, money: "72.01" }, plugin.key)).not.toBe(fields["sign"]);
  const [callback] = await db().select().from(callbacks).where(eq(callbacks.orderId, id));
  expect(callback).toMatchObject({ format: "epay", status: "pending" });
  const bySign = { act: "order", pid: plugin.publicId, trade_no: id };
  expect(await query({ ...bySign, sign: coreSign(bySign, plugin.key) })).toMatchObject({
    status: 1,
    trade_status: "TRADE_SUCCESS",
  });
});

test("an order that expired unpaid is found by its number with a new time, on the same terms alone", async () => {
  const fields = fieldsOf({ type: "usdt.bep20" });
  const first = await mapi(fields);
  const id = first.trade_no ?? "";
  const expiresAt = new Date(Date.now() - 60_000);
  await db().update(orders).set({ status: "expired", expiresAt }).where(eq(orders.id, id));
  expect(await mapi({ ...fields, money: "73.00" })).toMatchObject({ code: -1, msg: expect.stringContaining("money") });
  expect((await read(id))?.status).toBe("expired");
  expect((await mapi({ ...fields, type: "alipay" })).trade_no).toBe(id);
  const row = await read(id);
  expect(row).toMatchObject({ status: "pending", network: "bsc" });
  expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 25 * 60_000);
  const page = await fetch(`${api.origin}/pay/${id}`);
  expect(await page.text()).not.toContain('data-state="expired"');
});
