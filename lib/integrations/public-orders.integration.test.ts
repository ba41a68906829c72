import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { parseRate } from "@/lib/domain/rates/price";
import { INSTALLED } from "@/lib/integrations/installed";
import { addressVerifier } from "@/lib/merchants/vault";
import { chooseMethod } from "@/lib/orders/choose-method";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { createDocumentChecker, type DocumentChecker } from "@/testing/document-checker";
import { rsaSigned, signed } from "@/testing/integrations/epay-client";
import { goSign } from "@/testing/integrations/epusdt-client";
import { seedPlugin } from "@/testing/integrations/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const log = pino({ level: "silent" });
const plugins = new Map<IntegrationId, Awaited<ReturnType<typeof seedPlugin>>>();
let checker: DocumentChecker;

/** The values of an order that a shop is free to choose. */
interface Unusual {
  number: string;
  name: string;
  returnUrl: string;
  notifyUrl: string;
}

const SHOP = "https://shop.example.com";
const UNUSUAL: readonly Unusual[] = [
  { number: "P-1", name: "tea", returnUrl: `${SHOP}/x?o={OrderId}&i={InvoiceId}`, notifyUrl: `${SHOP}/n?a=[1]` },
  { number: "P-2", name: "会员 🧧", returnUrl: `${SHOP}/{InvoiceId}/谢谢?q=é#完`, notifyUrl: `${SHOP}/通知?b={c}` },
  { number: "P-3", name: "a\u202Eb <b>", returnUrl: `${SHOP}/a|b^c\`d?e=\\f`, notifyUrl: `${SHOP}/100%?%zz` },
  { number: "P-4", name: "x".repeat(127), returnUrl: "https://bücher.example", notifyUrl: `${SHOP}/#a#b` },
];

/** Creates an order through an integration as its clients do. Returns the response, which contains the id of the order. */
type Create = (order: Unusual, plugin: { publicId: string; key: string }) => Promise<Response>;

const json = { "content-type": "application/json" };
const INTEGRATIONS: Record<IntegrationId, Create> = {
  epay: ({ number, name, returnUrl, notifyUrl }, { publicId: pid, key }) => {
    const fields = { pid, type: "alipay", out_trade_no: number, name, money: "72.00" };
    const body = signed({ ...fields, return_url: returnUrl, notify_url: notifyUrl }, key);
    return fetch(`${api.origin}/epay/mapi.php`, { method: "POST", body });
  },
  "epay-rsa": ({ number, name, returnUrl, notifyUrl }, { publicId: pid, key }) => {
    const fields = { pid, method: "web", device: "pc", clientip: "203.0.113.7", type: "alipay", out_trade_no: number };
    const all = { ...fields, name, money: "72.00", return_url: returnUrl, notify_url: notifyUrl };
    return fetch(`${api.origin}/epay-rsa/api/pay/create`, { method: "POST", body: rsaSigned(all, key, new Date()) });
  },
  epusdt: ({ number, name, returnUrl, notifyUrl }, { key }) => {
    const fields = { order_id: number, name, amount: 72, trade_type: "usdt.bep20" };
    const all = { ...fields, redirect_url: returnUrl, notify_url: notifyUrl };
    const body = JSON.stringify({ ...all, signature: goSign(all, key) });
    return fetch(`${api.origin}/epusdt/api/v1/order/create-transaction`, { method: "POST", headers: json, body });
  },
  greenfield: ({ number, name, returnUrl }, { publicId, key }) => {
    const metadata = { orderId: number, itemDesc: name };
    const body = JSON.stringify({ amount: "72", currency: "CNY", metadata, checkout: { redirectURL: returnUrl } });
    const headers = { ...json, authorization: `token ${key}` };
    return fetch(`${api.origin}/greenfield/api/v1/stores/${publicId}/invoices`, { method: "POST", headers, body });
  },
};

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  for (const network of ["bsc", "tron"]) await seedCursor(db(), network, now);
  await seedAddress(db(), { merchantId, network: "bsc" }, now);
  const fixedRate = parseRate("7.2");
  await writeMerchantPrice(db(), { merchantId, fiat: "CNY", mode: "fixed", markUpBasisPoints: 0, fixedRate }, now);
  for (const integration of INSTALLED.keys())
    plugins.set(integration, await seedPlugin(db(), { merchantId, integration }, now));
  checker = createDocumentChecker(await (await fetch(`${api.origin}/api/openapi.json`)).json());
});

/** Sends a request of the merchants' API and checks its response against the document. */
async function ask(
  operation: "order/add" | "order/checkout" | "order/list" | "order/detail" | "event/list",
  body: object,
) {
  const { status, headers, text, body: answer } = await api.post(`/${operation}`, body);
  expect([status, text]).toEqual([200, expect.any(String)]);
  expect(checker.checkAnswer(`POST /api/v1/pay/${operation}`, { status, headers, text }), text).toBeNull();
  return answer.data ?? {};
}

const listOrders = async () => (await ask("order/list", { limit: 100 }))["orders"] as Record<string, unknown>[];

/** Selects a method for an order that has none yet and marks the order as paid, which creates an event. */
async function markPaid({ trade_id: id, network }: Record<string, unknown>) {
  const orderId = String(id);
  const choosing = { log, env: TEST_ENV, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  if (network === null) await chooseMethod(db(), choosing, orderId, { network: "bsc", currency: "USDT" }, new Date());
  const actor = { merchantId: api.merchant.id, userId: plugins.get("epay")?.userId ?? "", role: "owner" } as const;
  const context = { publicUrl: TEST_ENV.publicUrl, log, integrations: INSTALLED };
  await markOrderPaid(db(), context, actor, { orderId, reason: "seen" }, new Date());
}

test("orders with unusual values match the document, whichever integration created them", async () => {
  for (const order of UNUSUAL) {
    for (const [integration, plugin] of plugins) {
      const create = INTEGRATIONS[integration];
      if (!create) throw new Error(`Add the integration ${integration} to this test`);
      const answer = await create(order, plugin);
      expect([integration, answer.status, await answer.text()]).toEqual([
        ...[integration, 200],
        expect.stringMatching(/"(trade_no|trade_id|id)":"/),
      ]);
    }
    const { name: subject, returnUrl: redirect_url, notifyUrl: notify_url } = order;
    const terms = { amount: 10, subject, redirect_url, notify_url };
    await ask("order/add", { ...terms, mch_order_id: order.number, currency: "USDT", network: "bsc" });
    await ask("order/checkout", { ...terms, mch_order_id: `${order.number}-open` });
  }
  const orders = await listOrders();
  expect(orders).toHaveLength(UNUSUAL.length * (plugins.size + 2));
  expect(orders.map((order) => order["redirect_url"])).toContain(`${SHOP}/x?o=P-1&i=%7BInvoiceId%7D`);
  for (const order of orders) {
    const { trade_id } = order;
    expect(await ask("order/detail", { trade_id })).toEqual(order);
    await markPaid(order);
  }
  expect((await listOrders()).every(({ status }) => status === "paid")).toBe(true);
  expect((await ask("event/list", { limit: 100 }))["events"]).toHaveLength(orders.length);
});
