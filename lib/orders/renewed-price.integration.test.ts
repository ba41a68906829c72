import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { quotes } from "@/db/schema";
import type { Currency } from "@/lib/domain/networks";
import { asStored, toDetailData } from "@/lib/domain/orders/order-wire";
import { parseRate } from "@/lib/domain/rates/price";
import { chooseMethod } from "@/lib/orders/choose-method";
import { type CheckoutRequest, type CompareTerms, createCheckout } from "@/lib/orders/create-checkout";
import { renewOrder } from "@/lib/orders/renew-order";
import {
  at,
  creating,
  ctx,
  db,
  type HoldingNetwork,
  merchant,
  pass,
  start,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

const env = { rpcUrls: new Map(["ethereum", "bsc"].map((id) => [id, ["http://127.0.0.1:1"]])) };
const choosing = { ...creating, ...ctx, env };
const compare: CompareTerms = (before, now) => [
  ["price", before.checkout.price?.amount ?? null, now.checkout.price?.amount ?? null],
];
const request: CheckoutRequest & { integration: "epusdt" } = {
  mchOrderId: "priced",
  notifyUrl: null,
  redirectUrl: null,
  locale: null,
  subject: null,
  metadata: null,
  expiresInSeconds: null,
  integration: "epusdt",
  echo: { amount: "9", fiat: "EUR" },
  checkout: { network: null, currency: null, amount: null, price: { fiat: "EUR", amount: "9" } },
};

const setRate = (rate: string) =>
  writeMerchantPrice(
    db(),
    { merchantId: merchant.id, fiat: "EUR", mode: "fixed", markUpBasisPoints: 0, fixedRate: parseRate(rate) },
    start,
  );

async function choose({ id }: { id: string }, network: HoldingNetwork, minutes: number, currency: Currency = "USDT") {
  await db().execute(sql`update cursors set heard_at = ${at(minutes).toISOString()}::timestamptz`);
  expect(await chooseMethod(db(), choosing, id, { network, currency }, at(minutes))).toEqual({ isQuoted: true });
}

async function renew({ id }: { id: string }, minutes: number) {
  await db().execute(sql`update cursors set heard_at = ${at(minutes).toISOString()}::timestamptz`);
  expect(await renewOrder(db(), choosing, { id, merchantId: merchant.id, request, compare }, at(minutes))).toBe(true);
}

const detail = async ({ id }: { id: string }) => {
  const order = await findOrderDetail(db(), { id });
  return order && JSON.parse(JSON.stringify(toDetailData(order, asStored(ctx))));
};

const quotesOf = ({ id }: { id: string }) =>
  db().select().from(quotes).where(eq(quotes.orderId, id)).orderBy(quotes.id);

let order: { id: string };

/**
 * Creates an order for 9 EUR whose payer chose USDT on BSC at 0.9 EUR and paid nothing. The rate is 0.75 EUR
 * afterwards.
 */
beforeEach(async () => {
  await setRate("0.9");
  const caller = { merchantId: merchant.id, apiKeyId: null };
  order = (await createCheckout(db(), choosing, caller, request, start, compare)).order;
  await choose(order, "bsc", 1);
  expect(await detail(order)).toMatchObject({ amount: 10, rate: "0.9" });
  await setRate("0.75");
});

test("a renewed order keeps its price while its hold lasts", async () => {
  await pass(31);
  await renew(order, 60);
  expect(await detail(order)).toMatchObject({ status: "pending", network: "bsc", amount: 10, rate: "0.9" });
  await choose(order, "ethereum", 61);
  expect(await detail(order)).toMatchObject({ network: "ethereum", amount: 10, rate: "0.9" });
});

test("a renewed order is priced at the current rate once its holds are over", async () => {
  await pass(31);
  await pass(213);
  await renew(order, 220);
  expect(await detail(order)).toMatchObject({ status: "pending", network: "bsc", amount: 12, rate: "0.75" });
  const [before, after, ...more] = await quotesOf(order);
  expect(more).toEqual([]);
  // The earlier price stays recorded with its quote.
  expect(before?.price).toMatchObject({ rate: "0.9" });
  expect([before?.askedUnits, after?.askedUnits]).toEqual([10n * 10n ** 18n, null]);
  // The new rate is frozen as well.
  await setRate("0.6");
  await choose(order, "ethereum", 221);
  expect(await detail(order)).toMatchObject({ network: "ethereum", amount: 12, rate: "0.75" });
});

test("a currency that was chosen before the renewal is priced at the current rate too", async () => {
  await choose(order, "bsc", 2, "USDC");
  expect(await detail(order)).toMatchObject({ currency: "USDC", amount: 12 });
  await choose(order, "bsc", 3);
  await pass(31);
  await pass(213);
  await setRate("0.6");
  await renew(order, 220);
  expect(await detail(order)).toMatchObject({ currency: "USDT", amount: 15, rate: "0.6" });
  await choose(order, "bsc", 221, "USDC");
  expect(await detail(order)).toMatchObject({ currency: "USDC", amount: 15, rate: "0.6" });
});

test("a renewed order keeps its price while another of its holds lasts", async () => {
  await choose(order, "ethereum", 2);
  const [first, second] = await quotesOf(order);
  await db()
    .update(quotes)
    .set({ reservedUntil: at(40) })
    .where(eq(quotes.id, second?.id ?? ""));
  await pass(31);
  await pass(45);
  await renew(order, 60);
  expect(await detail(order)).toMatchObject({ status: "pending", network: "ethereum", amount: 10, rate: "0.9" });
  const after = await quotesOf(order);
  expect(after.map(({ reservedUntil }) => reservedUntil)).toEqual([at(270), at(40), at(270)]);
  expect(after[0]?.id).toBe(first?.id);
});
