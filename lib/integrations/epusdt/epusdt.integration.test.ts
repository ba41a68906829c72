import { and, eq, isNull } from "drizzle-orm";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { auditEvents, callbacks, orders, quotes, transfers } from "@/db/schema";
import { parseRate } from "@/lib/domain/rates/price";
import { withEpusdtSignature } from "@/lib/integrations/epusdt/callbacks";
import { INSTALLED } from "@/lib/integrations/installed";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { changePlugin, switchOffPlugin, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { seedAddress, seedCursor, seedTransfer } from "@/testing/database/seed";
import { goSign, phpSign } from "@/testing/integrations/epusdt-client";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const log = pino({ level: "silent" });
const TRANSACTION = "/api/v1/order/create-transaction";
const CASHIER = "/api/v1/order/create-order";
const GMW = "/payments/gmpay/v1/order/create-transaction";
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
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

type Fields = Record<string, string | number | boolean | null>;
interface Answer {
  status_code: number;
  message: string;
  data: Record<string, unknown> | null;
  request_id: string;
}
const fieldsOf = (change: Fields = {}): Fields => ({
  order_id: `U-${++count}`,
  amount: 28.8,
  trade_type: "usdt.bep20",
  notify_url: "https://shop.example.com/notify",
  redirect_url: "https://shop.example.com/done",
  ...change,
});
const send = async (path: string, body: string | URLSearchParams, type = "application/json"): Promise<Answer> => {
  const headers = typeof body === "string" ? { "content-type": type } : {};
  const answer = await fetch(`${api.origin}/epusdt${path}`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
};
const post = (path: string, fields: Fields, { key = plugin.key, sign = goSign } = {}) =>
  send(path, JSON.stringify({ ...fields, signature: sign(fields, key) }));
const ask = (path: string, fields: Fields) => send(path, JSON.stringify(fields));
const create = async (change: Fields = {}) => (await post(TRANSACTION, fieldsOf(change))).data ?? {};
const read = async (id: unknown) =>
  (
    await db()
      .select()
      .from(orders)
      .where(eq(orders.id, String(id)))
  )[0];
const check = async (id: unknown) => {
  const answer = await fetch(`${api.origin}/epusdt/pay/check-status/${id}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer & Record<string, unknown>;
};

test.each([TRANSACTION, `/${TRANSACTION}`, `${TRANSACTION}/`])("%s makes an order as Go decodes it", async (path) => {
  const fields = fieldsOf({ name: "VIP 会员" });
  const { data, ...rest } = await post(path, fields);
  expect(rest).toEqual({ status_code: 200, message: "success", request_id: expect.stringMatching(/^[0-9a-z]{20,}$/) });
  expect(data).toEqual({
    fiat: "CNY",
    trade_type: "usdt.bep20",
    trade_id: data?.["trade_id"],
    order_id: fields["order_id"],
    name: "VIP 会员",
    amount: "28.8",
    actual_amount: expect.stringMatching(/^4(\.\d*[1-9])?$/),
    token: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    expiration_time: expect.any(Number),
    status: 1,
    payment_url: `https://pay.example.com/pay/${data?.["trade_id"]}`,
  });
  expect(Number.isInteger(data?.["expiration_time"])).toBe(true);
  expect(data?.["expiration_time"]).toBeLessThanOrEqual(1_800);
  expect(await read(data?.["trade_id"])).toMatchObject({ integration: "epusdt", network: "bsc", subject: "VIP 会员" });
});

test("a number is signed by its value, in any notation; texts of a form unchanged", async () => {
  const fields = fieldsOf({ amount: 100 });
  const signature = phpSign(fields, plugin.key);
  const raw = JSON.stringify({ ...fields, signature });
  const first = await send(TRANSACTION, raw.replace('"amount":100', '"amount":100.00'));
  const again = await send(TRANSACTION, raw.replace('"amount":100', '"amount":1e2'));
  expect(first.data?.["trade_id"]).toBeDefined();
  expect(again.data?.["trade_id"]).toBe(first.data?.["trade_id"]);
  const form = { ...fieldsOf({ amount: "28.80" }), extra: "a&b +%41", flag: true };
  const texts = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)]));
  const body = new URLSearchParams({ ...texts, signature: phpSign(texts, plugin.key) });
  expect(await send(TRANSACTION, body)).toMatchObject({ status_code: 200, data: { amount: "28.8" } });
  expect(await post(TRANSACTION, fieldsOf({ reselect: false, name: null, timeout: 1200 }))).toMatchObject({
    status_code: 200,
  });
});

test.each([GMW, "/payments/epusdt/v1/order/create-transaction"])(
  "%s answers in GMPay's shape: amounts are numbers, token is the coin, and times are Unix",
  async (path) => {
    const text = { pid: plugin.publicId, currency: "cny", token: "usdt", network: "binance", payment_type: "Gmpay" };
    const { trade_type: _, ...fields } = fieldsOf(text);
    const { data } = await post(path, fields);
    expect(data).toEqual({
      trade_id: data?.["trade_id"],
      order_id: fields["order_id"],
      amount: 28.8,
      currency: "CNY",
      actual_amount: expect.closeTo(4, 2),
      receive_address: expect.stringMatching(/^0x/),
      token: "USDT",
      network: "binance",
      status: 1,
      status_detail: "pending",
      expiration_time: expect.any(Number),
      payment_url: `https://pay.example.com/pay/${data?.["trade_id"]}`,
    });
    expect(data?.["expiration_time"]).toBeGreaterThan(Date.now() / 1_000);
    expect((await post(path, { ...fields, network: "bsc" })).data?.["trade_id"]).toBe(data?.["trade_id"]);
    const open = await post(path, fieldsOf({ pid: plugin.publicId, currency: "cny" }));
    expect(open.data).toMatchObject({ token: "", network: "", receive_address: "", actual_amount: 0, status: 4 });
    expect(await post(path, { ...fields, pid: "1000" })).toMatchObject({ status_code: 401, data: null });
    expect(await post(path, { ...fields, order_id: "one", network: "" })).toMatchObject({ status_code: 10009 });
  },
);

test("the settings determine whether expiration_time is a duration or a time", async () => {
  const rules = { fiat: "CNY", settings: { expiration: "unix" } };
  await changePlugin(db(), PLUGIN_SETTINGS, plugin, rules, new Date());
  expect((await create())["expiration_time"]).toBeGreaterThan(Date.now() / 1_000);
  await changePlugin(db(), PLUGIN_SETTINGS, plugin, { ...rules, settings: { expiration: "remaining" } }, new Date());
  expect((await create({ timeout: 900 }))["expiration_time"]).toBeLessThanOrEqual(900);
});

test("one byte changed, another key and a plugin that is off are refused with HTTP 200", async () => {
  const fields = fieldsOf();
  const raw = JSON.stringify({ ...fields, signature: goSign(fields, plugin.key) });
  for (const changed of [raw.replace("28.8", "28.9"), raw.replace("/notify", "/notifz"), raw.replace("U-", "V-")])
    expect(await send(TRANSACTION, changed)).toMatchObject({ status_code: 401, data: null });
  expect(await post(TRANSACTION, fields, { key: "wrong" })).toMatchObject({ status_code: 401 });
  expect(await ask(TRANSACTION, fields)).toMatchObject({ status_code: 401 });
  await switchOffPlugin(db(), plugin, new Date());
  expect(await send(TRANSACTION, raw)).toMatchObject({ status_code: 401 });
  await switchOnPlugin(db(), PLUGIN_SETTINGS, plugin, new Date());
  expect(await send(TRANSACTION, raw)).toMatchObject({ status_code: 200 });
});

test.each<[string, Fields]>([
  ["order_id", { order_id: "x".repeat(33) }],
  ["order_id", { order_id: "" }],
  ["amount", { amount: 0 }],
  ["amount", { amount: -1 }],
  ["amount", { amount: 1.005 }],
  ["amount", { amount: 1e-7 }],
  ["fiat", { fiat: "XXY" }],
  ["trade_type", { trade_type: "tron.trx" }],
  ["network", { trade_type: "" }],
  ["notify_url", { notify_url: "http://127.0.0.1/x" }],
  ["redirect_url", { redirect_url: "javascript:alert(1)" }],
  ["address", { address: "0x58A5" }],
  ["rate", { rate: "~1.02" }],
  ["timeout", { timeout: "soon" }],
])("%s is refused where it is wrong: %j", async (name, change) => {
  const sign = (fields: Fields, key: string) =>
    goSign({ ...fields, ...(fields["amount"] === 1e-7 && { amount: "0.0000001" }) }, key);
  const answer = await post(TRANSACTION, fieldsOf(change), { sign });
  expect(answer).toMatchObject({ status_code: 400, data: null, message: expect.stringContaining(name) });
});

test("twenty concurrent requests create one order with one quote", async () => {
  const fields = fieldsOf();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(TRANSACTION, fields)));
  const ids = new Set(answers.map(({ data }) => data?.["trade_id"]));
  expect(ids.size).toBe(1);
  const [id] = ids;
  expect(await db().$count(quotes, eq(quotes.orderId, String(id)))).toBe(1);
});

test("a repeat with other terms requotes the same order, with a new time; its earlier amount stays held", async () => {
  const fields = fieldsOf();
  const { data } = await post(TRANSACTION, fields);
  const id = String(data?.["trade_id"]);
  let terms: Fields = fields;
  for (const [name, value] of Object.entries({
    amount: 72,
    trade_type: "usdt.erc20",
    name: "other",
    notify_url: "https://shop.example.com/n2",
    redirect_url: "https://shop.example.com/",
  })) {
    terms = { ...terms, [name]: value };
    const before = await read(id);
    const again = await post(TRANSACTION, terms);
    expect(again).toMatchObject({ status_code: 200, data: { trade_id: id } });
    const after = await read(id);
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    expect(after?.expiresAt.getTime()).toBeGreaterThanOrEqual(before?.expiresAt.getTime() ?? 0);
  }
  expect(await read(id)).toMatchObject({
    network: "ethereum",
    subject: "other",
    amountUnits: 10_000_000n,
    status: "pending",
  });
  const all = await db().select().from(quotes).where(eq(quotes.orderId, id));
  expect(all).toHaveLength(6);
  expect(all.every(({ releasedAt, reservedUntil }) => releasedAt === null && reservedUntil > new Date())).toBe(true);
  const live = all.filter(({ supersededAt }) => supersededAt === null);
  expect(live.map((quote) => quote.id)).toEqual([(await read(id))?.quoteId]);
  expect((await post(TRANSACTION, { ...terms, timeout: 600 })).data?.["actual_amount"]).toMatch(/^10(\.|$)/);
  expect(await db().$count(quotes, eq(quotes.orderId, id))).toBe(6);
  await pay(id);
  expect(await post(TRANSACTION, terms)).toMatchObject({
    status_code: 10002,
    message: expect.stringContaining("paid"),
  });
  expect(await post(TRANSACTION, fields)).toMatchObject({ status_code: 10002, data: null });
});

test("transfers for earlier terms count by value, never as the whole; after a transfer the terms stay", async () => {
  const fields = fieldsOf({ amount: 36 });
  const { data } = await post(TRANSACTION, fields);
  const id = String(data?.["trade_id"]);
  const [first] = await db().select().from(quotes).where(eq(quotes.orderId, id));
  expect(await post(TRANSACTION, { ...fields, amount: 72 })).toMatchObject({ status_code: 200 });
  if (!first) throw new Error("An order without a quote");
  const address = { id: first.receivingAddressId, merchantId: api.merchant.id, network: "bsc", address: first.address };
  const sent = await seedTransfer(db(), { address, baseUnits: first.baseUnits }, new Date());
  await db()
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: new Date(), confirmations: 100 })
    .where(eq(transfers.id, sent.id));
  await matchTransfers(db(), { publicUrl: "https://pay.example.com", log, integrations: INSTALLED }, "bsc", new Date());
  expect(await read(id)).toMatchObject({ status: "pending", exception: "underpaid", amountUnits: 10n ** 19n });
  expect(await post(TRANSACTION, { ...fields, amount: 144 })).toMatchObject({ status_code: 10002, data: null });
  expect((await read(id))?.amountUnits).toBe(10n ** 19n);
});

test("an order that expired unpaid is requoted, with the same terms and with others", async () => {
  for (const change of [{}, { amount: 72 }]) {
    const fields = fieldsOf();
    const id = String((await post(TRANSACTION, fields)).data?.["trade_id"]);
    const expiresAt = new Date(Date.now() - 60_000);
    await db().update(orders).set({ status: "expired", expiresAt }).where(eq(orders.id, id));
    expect((await check(id)).data).toMatchObject({ status: 3 });
    const again = await post(TRANSACTION, { ...fields, ...change });
    expect(again).toMatchObject({ status_code: 200, data: { trade_id: id, status: 1 } });
    expect(again.data?.["expiration_time"]).toBeGreaterThan(25 * 60);
    expect(again.data?.["amount"]).toBe(String(change.amount ?? 28.8));
  }
});

test("ten concurrent changes leave one order with one quote; more changes are refused", async () => {
  const fields = fieldsOf({ amount: 7.2 });
  const id = String((await post(TRANSACTION, fields)).data?.["trade_id"]);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => post(TRANSACTION, { ...fields, amount: 14.4 + index })),
  );
  for (const { status_code } of answers) expect([200, 10002]).toContain(status_code);
  const live = and(eq(quotes.orderId, id), isNull(quotes.supersededAt));
  expect(await db().$count(quotes, live)).toBe(1);
  let amount = 50;
  let refused = await post(TRANSACTION, { ...fields, amount });
  while (refused.status_code === 200 && amount < 70) refused = await post(TRANSACTION, { ...fields, amount: ++amount });
  expect(refused).toMatchObject({ status_code: 10002, message: expect.stringContaining("already has 10 quotes") });
  expect(await db().$count(quotes, eq(quotes.orderId, id))).toBe(10);
  expect(await db().$count(quotes, live)).toBe(1);
});

async function pay(id: unknown) {
  const actor = { merchantId: api.merchant.id, userId: plugin.userId, role: "owner" } as const;
  const ctx = { publicUrl: "https://pay.example.com", log, integrations: INSTALLED };
  await markOrderPaid(db(), ctx, actor, { orderId: String(id), reason: "seen" }, new Date());
}

test("the cashier's payer chooses by a page of the shop's own", async () => {
  const { trade_type: _, ...fields } = fieldsOf({ currencies: "-USDC" });
  const { data } = await post(CASHIER, fields);
  const trade_id = String(data?.["trade_id"]);
  expect(data).toMatchObject({ token: "", actual_amount: "", trade_type: "", amount: "28.8" });
  expect(await read(trade_id)).toMatchObject({ network: null, checkout: { currency: "USDT" } });
  const { data: listed } = await ask("/api/v1/pay/methods", { trade_id });
  const item = { amount: "28.8", actual_amount: "4", fiat: "CNY", exchange_rate: "7.2", currency: "USDT" };
  expect(listed?.["methods"]).toEqual([
    expect.objectContaining({ ...item, network: "ethereum" }),
    expect.objectContaining({ ...item, network: "bsc" }),
  ]);
  expect((await ask("/api/v1/pay/methods", { trade_id, currency: "TRX" })).data).toEqual({
    methods: [],
    network_sort: "",
  });
  const chosen = await ask("/api/v1/pay/update-order", { trade_id, currency: "USDT", network: "bsc" });
  expect(chosen.data).toMatchObject({ trade_id, trade_type: "usdt.bep20", token: expect.stringMatching(/^0x/) });
  const { data: info } = await ask("/api/v1/pay/info", { trade_id });
  expect(info).toEqual({
    network: { alias: "BEP20", name: "BNB Smart Chain", crypto: "USDT", network: "bsc" },
    trade_id,
    order_id: data?.["order_id"],
    trade_type: "usdt.bep20",
    status: 1,
    money: "28.8",
    actual_amount: chosen.data?.["actual_amount"],
    token: chosen.data?.["token"],
    fiat: "CNY",
    name: "",
    expired_at: expect.any(Number),
    created_at: expect.any(Number),
    trade_url: "",
    support_url: "",
    redirect_url: "https://shop.example.com/done",
    reselect: true,
  });
  expect(Number(info?.["created_at"])).toBeLessThanOrEqual(Date.now() / 1_000);
  expect(Number(info?.["expired_at"])).toBeGreaterThan(Date.now() / 1_000);
  const other = { trade_id, currency: "USDC", network: "bsc" };
  expect(await ask("/api/v1/pay/update-order", other)).toMatchObject({ status_code: 503 });
  expect(await ask("/api/v1/pay/update-order", { ...other, network: "tron2" })).toMatchObject({ status_code: 400 });
  expect(await post(CASHIER, fieldsOf({ currencies: "-USDC,-USDT" }))).toMatchObject({ status_code: 400 });
});

test("check-status returns the status, beside data and within it; a paid order has a callback", async () => {
  const { trade_id: id } = await create();
  const before = { trade_id: id, trade_hash: "", status: 1, return_url: "" };
  expect(await check(id)).toMatchObject({ ...before, status_code: 200, data: before });
  await pay(id);
  expect(await check(id)).toMatchObject({ status: 2, return_url: "https://shop.example.com/done" });
  const [pending] = await db()
    .select()
    .from(callbacks)
    .where(eq(callbacks.orderId, String(id)));
  expect(pending).toMatchObject({ format: "epusdt", status: "pending" });
  expect(pending?.body).toContain('"amount":28.8,');
  const reported = JSON.parse(withEpusdtSignature(pending?.body ?? "", plugin.key)) as Fields;
  const asFloat = { ...reported, actual_amount: Number(reported["actual_amount"]) };
  for (const fields of [reported, asFloat]) expect(goSign(fields, plugin.key)).toBe(reported["signature"]);
  expect(phpSign(reported, plugin.key)).toBe(reported["signature"]);
  expect(phpSign({ ...reported, amount: 28.9 }, plugin.key)).not.toBe(reported["signature"]);
  const { body } = await api.post("/order/add", {
    mch_order_id: `A-${id}`.slice(0, 20),
    amount: 3,
    currency: "USDT",
    network: "bsc",
  });
  expect(await check(body.data?.["trade_id"])).toMatchObject({ status_code: 10008, data: null });
  expect(await check("unknown")).toMatchObject({ status_code: 10008 });
});

test("an order is cancelled only by its own shop, permanently; the timeline names the protocol", async () => {
  const { trade_id } = await create();
  const cancel = "/api/v1/order/cancel-transaction";
  expect(await ask(cancel, { trade_id: String(trade_id), signature: "0".repeat(32) })).toMatchObject({
    status_code: 401,
  });
  expect(await read(trade_id)).toMatchObject({ status: "pending" });
  for (let time = 0; time < 2; time += 1)
    expect(await post(cancel, { trade_id: String(trade_id) })).toMatchObject({ status_code: 200, data: { trade_id } });
  expect(await check(trade_id)).toMatchObject({ status: 4 });
  expect((await ask("/api/v1/pay/info", { trade_id: String(trade_id) })).data).toMatchObject({ status: 4 });
  const lines = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.orderId, String(trade_id)));
  const cancelled = lines.filter(({ action }) => action === "order.cancelled");
  expect(cancelled).toHaveLength(1);
  expect(cancelled[0]?.detail).toMatchObject({ protocol: "epusdt" });
  const { trade_id: paid } = await create();
  await pay(paid);
  expect(await post(cancel, { trade_id: String(paid) })).toMatchObject({ status_code: 10002, data: null });
});

test("an invalid order is refused with a message", async () => {
  expect(await send(TRANSACTION, "{")).toMatchObject({ status_code: 400, message: expect.stringContaining("JSON") });
  expect(await send(TRANSACTION, '{"amount":[1]}')).toMatchObject({ status_code: 400 });
  expect(await send("/nowhere", "{}")).toMatchObject({ status_code: 400 });
  const got = await fetch(`${api.origin}/epusdt${TRANSACTION}`);
  expect(await got.json()).toMatchObject({ status_code: 400, message: expect.stringContaining("POST") });
});
