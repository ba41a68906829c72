import { expect } from "vitest";
import {
  callbackOf,
  deliverCallbacks,
  expectForgeriesRefused,
  payOrder,
  sendCallback,
  tradeIdIn,
} from "@/testing/recipes/paid-orders";
import type { ShopProcess } from "@/testing/recipes/shop-process";
import { Visitor } from "@/testing/recipes/visitor";
import type { TestApi } from "@/testing/web";

/** The order's status on the shop's page of the order. */
const PAID = /paid: true|: paid\b/i;

/**
 * Expects that a shop sells: a customer who submits the form of its first page pays on the payment page, and the shop ships the order
 * once. Returning from the payment page, and callbacks that are not signed by the service, do not make an order paid.
 */
export async function expectShopSells(api: TestApi, shop: ShopProcess): Promise<void> {
  const first = await startPayment(api, shop);
  expect(await first.page()).not.toMatch(PAID);
  await expectForgeriesRefused(api, first.notifyUrl, first.order);
  expect(await first.page()).not.toMatch(PAID);
  await payOrder(api, first.tradeId);
  expect(await first.page()).not.toMatch(PAID);
  await deliverCallbacks(api);
  expect((await api.post("/order/detail", { trade_id: first.tradeId })).body.data).toMatchObject({
    status: "paid",
    callback: { status: "delivered", attempts: 1, last_http_status: 200 },
  });
  expect(await first.page()).toMatch(PAID);
  const repeated = await callbackOf(api, first.tradeId);
  expect(await sendCallback(api, repeated)).toBe(200);

  const second = await startPayment(api, shop);
  expect(second.tradeId).not.toBe(first.tradeId);
  await payOrder(api, second.tradeId);
  const sent = await callbackOf(api, second.tradeId);
  expect(await Promise.all([1, 2, 3].map(() => sendCallback(api, sent)))).toEqual([200, 200, 200]);
  expect(await second.page()).toMatch(PAID);
  for (const { number } of [first, second]) await expectPrintedOnce(shop, `Ship order ${number}`);
}

/** Waits until a program has printed a text, and expects it once. */
export async function expectPrintedOnce(shop: ShopProcess, text: string): Promise<void> {
  await expect.poll(() => shop.printed(), { timeout: 10_000 }).toContain(text);
  expect(shop.printed().split(text)).toHaveLength(2);
}

/** Submits the form of the shop's first page twice, as a double click does, and expects one order. */
async function startPayment(api: TestApi, shop: ShopProcess) {
  const customer = new Visitor();
  const form = await customer.open(shop.origin);
  const answers = [await customer.submit(shop.origin, form), await customer.submit(shop.origin, form)];
  const [paymentUrl = null, again] = answers.map(({ headers }) => headers.get("location"));
  expect(again).toBe(paymentUrl);
  const tradeId = tradeIdIn(paymentUrl);
  const order = (await api.post("/order/detail", { trade_id: tradeId })).body.data ?? {};
  expect(order).toMatchObject({ amount: 12.5, status: "pending", subject: "Mug" });
  const number = String(order["mch_order_id"]);
  const returnUrl = `${order["redirect_url"]}?trade_id=${tradeId}&mch_order_id=${number}&status=paid`;
  return { tradeId, number, order, notifyUrl: String(order["notify_url"]), page: () => customer.open(returnUrl) };
}
