import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { quotes } from "@/db/schema";
import { NO_INTEGRATIONS } from "@/lib/domain/integrations/integration";
import type { Currency } from "@/lib/domain/networks";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { asStored, toDetailData } from "@/lib/domain/orders/order-wire";
import { parseRate } from "@/lib/domain/rates/price";
import { chooseMethod } from "@/lib/orders/choose-method";
import { createCheckout } from "@/lib/orders/create-checkout";
import { createOrder } from "@/lib/orders/create-order";
import { findCheckout, findCheckoutsTogether, findPageFacts, findSwitch } from "@/lib/orders/find-checkout";
import { seedAddress, seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  creating,
  ctx,
  db,
  finalize,
  match,
  merchant,
  pass,
  pay,
  readOrder,
  start,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

const env = { rpcUrls: new Map(["ethereum", "bsc"].map((id) => [id, ["http://127.0.0.1:1"]])) };
const choosing = { ...creating, env };
const reader = {
  env,
  orders: creating,
  integrations: NO_INTEGRATIONS,
  findCheckoutRow: (tradeId: string) => findCheckoutsTogether(db())(tradeId),
};

const choose = ({ id }: { id: string }, network: string, minutes: number, currency: Currency = "USDT") =>
  chooseMethod(db(), choosing, id, { network, currency }, at(minutes));
const quotesOf = ({ id }: { id: string }) =>
  db().select().from(quotes).where(eq(quotes.orderId, id)).orderBy(quotes.id);
const plain = (value: object) => JSON.parse(JSON.stringify(value));

async function detail({ id }: { id: string }) {
  const order = await findOrderDetail(db(), { id });
  return order && plain(toDetailData(order, asStored(ctx)));
}

async function shownAt(order: { id: string }, network: string): Promise<QuotedOrder> {
  const shown = await findOrderDetail(db(), { id: order.id });
  if (!shown?.quote || shown.quote.network !== network) throw new Error(`The order expects ${shown?.quote?.network}`);
  return { ...shown, network };
}

describe("the payer switches", () => {
  test("a new quote is shown and the old one stays held, as long as the order's own", async () => {
    const order = await create("ethereum", 0);
    expect(await choose(order, "bsc", 5)).toEqual({ isQuoted: true });
    const [first, second, ...more] = await quotesOf(order);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ network: "bsc", releasedAt: null, reservedUntil: first?.reservedUntil });
    expect(first).toMatchObject({ id: order.quote.id, network: "ethereum", releasedAt: null });
    expect(await readOrder(order)).toMatchObject({ quoteId: second?.id, network: "ethereum", version: 2 });
    // An address is the same account on both networks, so the amount differs.
    expect(await detail(order)).toMatchObject({ network: "bsc", amount: 10, actual_amount: 10.0001, version: 2 });
  });

  test("returning to a method with a quote uses that quote again, and choosing the current one changes nothing", async () => {
    const order = await create("ethereum", 0);
    await choose(order, "bsc", 5);
    expect(await choose(order, "ethereum", 6)).toEqual({ isQuoted: true });
    expect(await readOrder(order)).toMatchObject({ quoteId: order.quote.id, version: 3 });
    await choose(order, "ethereum", 7);
    expect(await readOrder(order)).toMatchObject({ version: 3 });
    expect(await quotesOf(order)).toHaveLength(2);
  });

  test("a payment to the first quote settles it after the switch, and all responses show where it was paid", async () => {
    const order = await create("ethereum", 0);
    await choose(order, "bsc", 5);
    await pay(order, 6);
    await match(7);
    expect(await detail(order)).toMatchObject({
      status: "paid",
      exception: null,
      network: "ethereum",
      paid_amount: 10,
    });
    const page = await findCheckout(db(), order.id);
    expect(page).toMatchObject({ quote: { network: "ethereum" }, otherQuotes: [{ network: "bsc" }] });
    expect(await choose(order, "bsc", 9)).toBeNull();
  });

  test("paying both overpays: the order stays paid where it was, with the sum", async () => {
    const order = await create("ethereum", 0);
    await choose(order, "bsc", 5);
    const second = await shownAt(order, "bsc");
    await pay(order, 6);
    await match(7);
    await pay(second, 8);
    await match(9);
    const paid = { status: "paid", exception: "overpaid", network: "ethereum", paid_amount: 20.0001 };
    expect(await detail(order)).toMatchObject(paid);
  });

  test("the earlier quote can be paid late like any other, and its amount is not reused meanwhile", async () => {
    const order = await create("ethereum", 0);
    await choose(order, "bsc", 5);
    await pass(40);
    expect(await readOrder(order)).toMatchObject({ status: "expired" });
    expect((await create("ethereum", 41)).quote.baseUnits).not.toBe(order.quote.baseUnits);
    await pay(order, 60);
    await match(61);
    expect(await detail(order)).toMatchObject({ status: "paid", exception: "late", network: "ethereum" });
  });

  test("a repeat of the merchant's request is compared with the merchant's terms", async () => {
    const row = getNetwork("ethereum");
    const terms = {
      mchOrderId: "again",
      network: row,
      token: getToken(row, "USDT"),
      amountUnits: units("ethereum", "10"),
    };
    const rest = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };
    const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
    const ask = (change = {}) => createOrder(db(), creating, caller, { ...terms, ...rest, ...change }, start);
    const { order } = await ask();
    await choose(order, "bsc", 5, "USDC");
    const again = await ask();
    expect(again).toMatchObject({
      isReplayed: true,
      order: { id: order.id, quote: { network: "bsc", currency: "USDC" } },
    });
    const bsc = getNetwork("bsc");
    const asSwitched = { network: bsc, token: getToken(bsc, "USDC"), amountUnits: 10n * 10n ** 18n };
    await expect(ask(asSwitched)).rejects.toMatchObject({ code: 10004 });
  });

  test("a pick that an order's terms do not leave open is refused, and so is a network that is closed", async () => {
    const request = {
      mchOrderId: "fixed",
      notifyUrl: null,
      redirectUrl: null,
      locale: null,
      subject: null,
      metadata: null,
    };
    const checkout = { network: "bsc", currency: null, amount: "10", price: null };
    const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
    const made = await createCheckout(db(), choosing, caller, { ...request, expiresInSeconds: null, checkout }, start);
    expect(await choose(made.order, "bsc", 1)).toEqual({ isQuoted: true });
    expect(await choose(made.order, "ethereum", 2)).toEqual({ problem: "closed" });
    expect(await choose(made.order, "bsc", 3, "USDC")).toEqual({ isQuoted: true });
    expect(await choose(made.order, "solana", 4)).toEqual({ problem: "closed" });
  });

  test("an order without a key is created once, even if the request is sent repeatedly", async () => {
    const caller = { merchantId: merchant.id, apiKeyId: null };
    const terms = { notifyUrl: null, redirectUrl: null, locale: null, metadata: null, expiresInSeconds: 600 };
    const checkout = { network: null, currency: "USDT" as const, amount: "10", price: null };
    const request = { ...terms, mchOrderId: "by-hand", subject: "Tea", checkout };
    const send = () => createCheckout(db(), choosing, caller, request, start);
    const [one, two] = await Promise.all([send(), send()]);
    expect(one.order.id).toBe(two.order.id);
    expect([one.isReplayed, two.isReplayed].toSorted()).toEqual([false, true]);
    expect(await readOrder(one.order)).toMatchObject({ apiKeyId: null, expiresAt: at(10), subject: "Tea" });
    expect(await choose(one.order, "bsc", 1)).toEqual({ isQuoted: true });
  });

  test("the method cannot change after a transfer, even one that does not pay alone, nor after the expiry", async () => {
    const order = await create("ethereum", 0);
    await seedTransfer(db(), { address: addresses.bsc, baseUnits: units("bsc", "10") }, at(5));
    await match(6);
    expect(await choose(order, "bsc", 7)).toBeNull();
    const other = await create("ethereum", 7);
    expect(await choose(other, "bsc", 37)).toBeNull();
    expect(await choose({ id: "../../etc" }, "bsc", 1)).toBeNull();
  });

  test("at most five quotes, and a limited rate of choices; another order is not affected", async () => {
    const order = await create("ethereum", 0);
    for (const network of ["polygon", "arbitrum"]) {
      await seedAddress(db(), { merchantId: merchant.id, network }, start);
      env.rpcUrls.set(network, ["http://127.0.0.1:1"]);
    }
    const ways = [
      ["ethereum", "USDC"],
      ["bsc", "USDT"],
      ["bsc", "USDC"],
      ["polygon", "USDT"],
    ] as const;
    for (const [network, currency] of ways)
      expect(await choose(order, network, 1, currency)).toEqual({ isQuoted: true });
    expect(await choose(order, "arbitrum", 1)).toEqual({ problem: "enough" });
    expect(
      (await findSwitch(db(), { env }, order.id, at(2)))?.methods.map(({ network }) => network).toSorted(),
    ).toEqual(["bsc", "bsc", "ethereum", "ethereum", "polygon"]);
    for (let time = 5; time < 20; time++) await choose(order, time % 2 ? "bsc" : "ethereum", 1);
    expect(await choose(order, "bsc", 1)).toEqual({ problem: "often" });
    expect(await choose(order, "bsc", 2)).toEqual({ isQuoted: true });
    expect(await quotesOf(order)).toHaveLength(5);
  });

  test("two concurrent switches create one quote", async () => {
    const order = await create("ethereum", 0);
    await Promise.all([1, 2, 3, 4].map(() => choose(order, "bsc", 5)));
    expect(await quotesOf(order)).toHaveLength(2);
    expect(await readOrder(order)).toMatchObject({ version: 2 });
  });

  test("a dedicated address is held for the left quote too, and part of the amount on it is counted there", async () => {
    const address = await seedAddress(db(), { merchantId: merchant.id, network: "bsc", kind: "dedicated" }, start);
    const order = await create("ethereum", 0);
    await choose(order, "bsc", 1);
    expect(await detail(order)).toMatchObject({ network: "bsc", actual_amount: 10 });
    await choose(order, "ethereum", 2);
    const part = await seedTransfer(db(), { address, baseUnits: units("bsc", "4") }, at(3));
    await finalize(part.id);
    await match(4);
    const underpaid = { status: "pending", exception: "underpaid", network: "bsc", paid_amount: 4 };
    expect(await detail(order)).toMatchObject(underpaid);
  });
});

test("the amount of every method is known before the choice: exact, or an estimate if it is converted or can get digits", async () => {
  const amountsOf = async (id: string) => {
    const found = await findSwitch(db(), { env, rateSources: [] }, id, at(1));
    return new Map(found?.methods.map(({ network, currency, amount }) => [`${network} ${currency}`, amount]));
  };
  const shared = await amountsOf((await create("ethereum", 0)).id);
  expect(shared.get("bsc USDC")).toEqual({ decimal: "10", isEstimate: true });
  const checkout = { network: null, currency: null, amount: null, price: { fiat: "EUR", amount: "9" } };
  const rest = {
    subject: null,
    metadata: null,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
    expiresInSeconds: null,
  };
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  const setRate = (rate: string) =>
    writeMerchantPrice(
      db(),
      { merchantId: merchant.id, fiat: "EUR", mode: "fixed", markUpBasisPoints: 0, fixedRate: parseRate(rate) ?? 0n },
      start,
    );
  await setRate("0.9");
  const { order } = await createCheckout(db(), choosing, caller, { mchOrderId: "priced", checkout, ...rest }, start);
  const page = await findPageFacts(db(), reader, order.id, at(1));
  if (!page || page === "tampered" || !("methods" in page)) return expect.fail("The order has no choice");
  expect(page.methods.length).toBeGreaterThan(1);
  for (const { amount } of page.methods) expect(amount).toEqual({ decimal: "10", isEstimate: true });
  await choose(order, "bsc", 1);
  await setRate("0.5");
  const later = await amountsOf(order.id);
  expect(later.get("ethereum USDT")).toMatchObject({ decimal: "10" });
  expect(later.get("ethereum USDC")).toEqual({ decimal: "18", isEstimate: true });
});

test("a price keeps its rate in each currency from when it was first chosen there, on every network", async () => {
  const setRate = (rate: string) =>
    writeMerchantPrice(
      db(),
      { merchantId: merchant.id, fiat: "EUR", mode: "fixed", markUpBasisPoints: 0, fixedRate: parseRate(rate) ?? 0n },
      start,
    );
  await setRate("0.5");
  const row = getNetwork("ethereum");
  const terms = {
    mchOrderId: "priced",
    network: row,
    token: getToken(row, "USDT"),
    price: { fiat: "EUR", units: 1_999n, decimals: 2 },
  };
  const rest = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };
  const { order } = await createOrder(
    db(),
    creating,
    { merchantId: merchant.id, apiKeyId: merchant.keyId },
    { ...terms, ...rest },
    start,
  );
  expect(await detail(order)).toMatchObject({ currency: "USDT", amount: 39.98, rate: "0.5", fiat_amount: 19.99 });
  await setRate("0.8");
  await choose(order, "bsc", 1, "USDC");
  expect(await detail(order)).toMatchObject({ currency: "USDC", amount: 24.99, actual_amount: 24.99, rate: "0.8" });
  await setRate("0.9");
  await choose(order, "ethereum", 2, "USDC");
  expect(await detail(order)).toMatchObject({ network: "ethereum", currency: "USDC", amount: 24.99, rate: "0.8" });
  await choose(order, "bsc", 3);
  expect(await detail(order)).toMatchObject({ network: "bsc", currency: "USDT", amount: 39.98, rate: "0.5" });
  await choose(order, "bsc", 4, "USDC");
  const page = await findCheckout(db(), order.id);
  expect(page).toMatchObject({ price: { rate: "0.8" }, quote: { currency: "USDC" } });
});
