import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { orders, quotes, receivingAddresses } from "@/db/schema";
import { parseRate } from "@/lib/domain/rates/price";
import { expireOrders } from "@/lib/orders/expire-orders";
import { keepRetention } from "@/lib/orders/keep-retention";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { seedAddress, seedCursor, seedMerchant, tamperAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const db = () => api.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
let count = 0;
let addresses: Record<string, { id: string }> = {};

beforeAll(async () => {
  for (const network of ["ethereum", "bsc"]) await seedCursor(db(), network, new Date());
});
beforeEach(async () => {
  await db().update(receivingAddresses).set({ removedAt: new Date() });
  addresses = {};
  for (const network of ["ethereum", "bsc"])
    addresses[network] = await seedAddress(db(), { merchantId: api.merchant.id, network }, new Date());
});

type Data = Record<string, unknown>;
const termsOf = (change: Data = {}) => ({ amount: 10.5, mch_order_id: `checkout-${++count}`, ...change });

async function make(change: Data = {}): Promise<Data & { trade_id: string }> {
  const { status, body } = await api.post("/order/checkout", termsOf(change));
  expect([status, body.message]).toEqual([200, "success"]);
  return body.data as Data & { trade_id: string };
}

async function detail(tradeId: string): Promise<Data> {
  return (await api.post("/order/detail", { trade_id: tradeId })).body.data ?? {};
}

/**
 * Submits the page's form.
 * @returns the URL to which the payer is redirected
 */
async function choose(tradeId: string, method: string): Promise<string | null> {
  const body = new URLSearchParams({ method });
  const answer = await fetch(`${api.origin}/pay/${tradeId}`, { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(303);
  return answer.headers.get("location");
}

const page = async (tradeId: string) => (await fetch(`${api.origin}/pay/${tradeId}`)).text();
const quotesOf = (id: string) => db().select().from(quotes).where(eq(quotes.orderId, id));
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const asExpired = (id: string, secondsAgo: number) =>
  db()
    .update(orders)
    .set({ expiresAt: later(-secondsAgo) })
    .where(eq(orders.id, id));

describe("200: before the payer chooses", () => {
  test("200: the answer leads to the page, and nothing is asked for anywhere yet", async () => {
    const made = await make({ subject: "Two chairs" });
    expect(made).toMatchObject({
      mch_order_id: `checkout-${count}`,
      checkout_url: `https://pay.example.com/pay/${made.trade_id}`,
      amount: 10.5,
      expiration_time: expect.any(Number),
    });
    const open = await detail(made.trade_id);
    expect(open).toMatchObject({
      status: "pending",
      currency: null,
      network: null,
      actual_amount: null,
      address: null,
      amount: 10.5,
      paid_amount: 0,
      subject: "Two chairs",
      tx_hash: null,
    });
    expect(open).not.toHaveProperty("fiat");
    const { body } = await api.post("/order/list", { limit: 1 });
    expect(body.data?.["orders"]).toEqual([open]);
    expect((await api.post("/order/list", { limit: 1, network: "ethereum" })).body.data?.["orders"]).not.toContainEqual(
      open,
    );
    expect(await quotesOf(made.trade_id)).toEqual([]);
  });

  test("200: a repeat gets the same order, also when nothing new could be made; other terms and order/add are refused", async () => {
    const terms = termsOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/order/checkout", terms)));
    const ids = new Set(answers.map(({ body }) => body.data?.["trade_id"]));
    expect(ids.size).toBe(1);
    await db().update(receivingAddresses).set({ pausedAt: new Date() });
    const again = await api.post("/order/checkout", terms);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    await db().update(receivingAddresses).set({ pausedAt: null });
    const other = await api.post("/order/checkout", { ...terms, network: "bsc" });
    expect([other.status, other.body.code, other.body.errors?.[0]?.field]).toEqual([409, 10004, "network"]);
    const add = await api.post("/order/add", { ...terms, network: "bsc", currency: "USDT" });
    expect([add.status, add.body.code, add.body.data?.["trade_id"]]).toEqual([409, 10004, [...ids][0]]);
    const made = termsOf({ network: "bsc", currency: "USDT" });
    await api.post("/order/add", made);
    const checkout = await api.post("/order/checkout", made);
    expect([checkout.status, checkout.body.code]).toEqual([409, 10004]);
    expect(checkout.body.message).toContain("order/add");
  });

  test("200: it expires though no network is read, and takes no choice afterwards", async () => {
    const { trade_id } = await make();
    await asExpired(trade_id, 30);
    await expireOrders(db(), ctx, new Date());
    expect(await detail(trade_id)).toMatchObject({ status: "pending" });
    expect(await choose(trade_id, "ethereum:USDT")).toBe(`/pay/${trade_id}`);
    expect(await quotesOf(trade_id)).toEqual([]);
    expect(await expireOrders(db(), ctx, later(60))).toBe(1);
    expect(await detail(trade_id)).toMatchObject({ status: "expired", network: null });
    expect(await page(trade_id)).toContain("No payment method was selected in time");
  });

  test("200: it can be cancelled and deleted, but not marked as paid", async () => {
    const { trade_id, mch_order_id } = await make();
    const actor = { merchantId: api.merchant.id, userId: "u", role: "owner" } as const;
    const paid = await markOrderPaid(db(), ctx, actor, { orderId: trade_id, reason: "cash" }, new Date());
    expect(paid).toMatchObject({ problem: { code: "order_without_quote" } });
    const { status, body } = await api.post("/order/cancel", { trade_id });
    expect([status, body.data?.["status"], body.data?.["network"]]).toEqual([200, "cancelled", null]);
    expect(await page(trade_id)).toContain("cancelled this order");
    await keepRetention(db(), 1, later(3 * 86_400));
    await db().execute(sql`update used_order_numbers set used_at = used_at - interval '1 hour'`);
    await keepRetention(db(), 1, later(3 * 86_400));
    expect(await db().select().from(orders).where(eq(orders.id, trade_id))).toEqual([]);
    const reuse = await api.post("/order/checkout", { amount: 10.5, mch_order_id });
    expect([reuse.status, reuse.body.code]).toEqual([409, 10004]);
  });
});

describe("200: the payer's choice", () => {
  test("200: many concurrent choices create one quote per method, and one of them is current", async () => {
    const { trade_id } = await make();
    const before = await page(trade_id);
    for (const value of ["ethereum:USDT", "ethereum:USDC", "bsc:USDT", "bsc:USDC"])
      expect(before).toContain(`value="${value}"`);
    const methods = ["bsc:USDC", "ethereum:USDT", "bsc:USDT", "ethereum:USDC"];
    const positions = await Promise.all([...methods, ...methods].map((method) => choose(trade_id, method)));
    expect(new Set(positions)).toEqual(new Set([`/pay/${trade_id}`]));
    const made = await quotesOf(trade_id);
    expect(made.map(({ network, currency }) => `${network}:${currency}`).toSorted()).toEqual(methods.toSorted());
    const chosen = await detail(trade_id);
    const quote = made.find(
      ({ network, currency }) => network === chosen["network"] && currency === chosen["currency"],
    );
    expect(chosen).toMatchObject({
      network: quote?.network,
      currency: quote?.currency,
      amount: 10.5,
      actual_amount: Number(quote?.microUnits) / 1e6,
    });
    // At each address, the amount in one of the two currencies equals the price.
    expect(made.map(({ microUnits }) => Number(microUnits) / 1e6).toSorted()).toEqual([10.5, 10.5, 10.5001, 10.5001]);
    expect(chosen["address"]).toEqual(expect.any(String));
    expect(quote?.reservedUntil.getTime()).toBe((Number(chosen["expiration_time"]) + 10_800) * 1_000);
    expect(await page(trade_id)).toContain("Waiting for payment");
  });

  test("200: only methods that the merchant left open are offered, and a network that closed meanwhile is refused with a message", async () => {
    const { trade_id } = await make({ currency: "usdc" });
    const shown = await page(trade_id);
    expect(shown).toContain('value="bsc:USDC"');
    expect(shown).not.toContain(":USDT");
    expect(await choose(trade_id, "bsc:USDT")).toBe(`/pay/${trade_id}?problem=closed`);
    await db().execute(sql`update cursors set problem = 'down' where network = 'bsc'`);
    expect(await choose(trade_id, "bsc:USDC")).toBe(`/pay/${trade_id}?problem=closed`);
    expect(await choose(`${trade_id}?lang=pt`, "bsc:USDC")).toBe(`/pay/${trade_id}?problem=closed&lang=pt-BR`);
    await db().execute(sql`update cursors set problem = null`);
    const reported = await (await fetch(`${api.origin}/pay/${trade_id}?problem=closed`)).text();
    expect(reported).toContain("is not available right now");
    expect(await choose(trade_id, "bsc:USDC")).toBe(`/pay/${trade_id}`);
    expect(await detail(trade_id)).toMatchObject({ network: "bsc", currency: "USDC" });
  });

  test("200: two orders with one price get different amounts, and a forged address is paused and not used", async () => {
    const one = await make();
    const two = await make();
    const three = await make();
    for (const { trade_id } of [one, two]) await choose(trade_id, "bsc:USDT");
    expect(await detail(two.trade_id)).toMatchObject({ amount: 10.5, actual_amount: 10.5001 });
    await tamperAddress(db(), String(addresses["bsc"]?.id), `0x${"ee".repeat(20)}`);
    expect(await choose(three.trade_id, "bsc:USDT")).toBe(`/pay/${three.trade_id}?problem=taken`);
    expect(await quotesOf(three.trade_id)).toEqual([]);
    const [address] = await db()
      .select()
      .from(receivingAddresses)
      .where(eq(receivingAddresses.id, String(addresses["bsc"]?.id)));
    expect(address?.pausedAt).not.toBeNull();
    expect(await choose(three.trade_id, "ethereum:USDT")).toBe(`/pay/${three.trade_id}`);
  });

  test("200: without anything to choose, the quote is created at once", async () => {
    const { trade_id } = await make({ network: "BEP20", currency: "USDT" });
    expect(await detail(trade_id)).toMatchObject({ network: "bsc", currency: "USDT", address: expect.any(String) });
  });
});

describe("a fiat price", () => {
  const setRate = (rate: string) =>
    writeMerchantPrice(
      db(),
      {
        merchantId: api.merchant.id,
        fiat: "EUR",
        mode: "fixed",
        markUpBasisPoints: 0,
        fixedRate: parseRate(rate) ?? 0n,
      },
      new Date(),
    );

  test("503: without any rate nothing is made; 200: the rate is the one of the moment of the choice, and stays", async () => {
    const priced = { amount: undefined, fiat: "eur", fiat_amount: 19.99 };
    const refused = await api.post("/order/checkout", termsOf(priced));
    expect([refused.status, refused.body.code]).toEqual([503, 10006]);
    await setRate("0.5");
    const { trade_id } = await make(priced);
    const unrated = { amount: null, fiat: "EUR", fiat_amount: 19.99, rate: null, rate_source: null, rate_at: null };
    expect(await detail(trade_id)).toMatchObject(unrated);
    expect(await page(trade_id)).toContain("19.99 EUR");
    await setRate("0.8");
    await choose(trade_id, "ethereum:USDC");
    await setRate("0.9");
    expect(await detail(trade_id)).toMatchObject({
      amount: 24.99,
      rate: "0.8",
      rate_source: "fixed",
      fiat_amount: 19.99,
    });
  });
});

describe("refused", () => {
  test("400: no address at all, or none on the network that was named", async () => {
    const stranger = await seedMerchant(db(), new Date());
    const headers = { "x-api-key": stranger.apiKey };
    for (const change of [{}, { network: "bsc" }, { currency: "USDT" }]) {
      const { status, body } = await api.post("/order/checkout", termsOf(change), headers);
      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 10001, "network"]);
    }
  });

  test("400: all invalid fields together", async () => {
    const { status, body } = await api.post("/order/checkout", { currency: "DOGE", network: "nowhere", amount: -1 });
    expect(status).toBe(400);
    expect(body.errors?.map(({ field }) => field)).toEqual(["currency", "network", "amount", "mch_order_id"]);
  });

  test("401: without a key", async () => {
    expect((await api.post("/order/checkout", termsOf(), { "x-api-key": null })).status).toBe(401);
  });

  test("503: while all networks are unavailable", async () => {
    await db().execute(sql`update cursors set problem = 'down'`);
    const { status, body } = await api.post("/order/checkout", termsOf());
    await db().execute(sql`update cursors set problem = null`);
    expect([status, body.code]).toEqual([503, 10006]);
    expect(body.message).toContain("is currently accepting new orders");
  });
});

describe("200: the payer chooses again", () => {
  const reload = async (tradeId: string) => (await fetch(`${api.origin}/pay/${tradeId}?choose=1`)).text();

  test("200: the page works without scripts, shows what each method involves, and stays on the page", async () => {
    const { body } = await api.post("/order/add", termsOf({ network: "bsc", currency: "USDT" }));
    const id = String(body.data?.["trade_id"]);
    const shown = await page(id);
    expect(shown).toContain(`href="/pay/${id}?choose=1&amp;lang=en"`);
    const picker = await reload(id);
    expect(picker).toContain('value="ethereum:USDC"');
    expect(picker).toContain("network fee about 0.05 to 4 USD");
    expect(picker).toContain("Final in about 3 minutes");
    expect(picker).not.toContain("http-equiv");
    const tag = (html: string) => /data-tag="([^"]+)"/.exec(html)?.[1];
    expect(tag(picker)).toBe(tag(shown));
    expect(await choose(id, "ethereum:USDC")).toBe(`/pay/${id}`);
    expect(await page(id)).toContain("Already sent 10.50 USDT on BNB Smart Chain (BEP20)?");
    expect(await choose(id, "solana:USDC")).toBe(`/pay/${id}?problem=closed`);
    expect(await (await fetch(`${api.origin}/pay/${id}?problem=closed`)).text()).toContain(
      "is not available right now",
    );
  });

  test("200: a finished order is shown as it is, with any link", async () => {
    const { body } = await api.post("/order/add", termsOf({ network: "bsc", currency: "USDT" }));
    const id = String(body.data?.["trade_id"]);
    await api.post("/order/cancel", { trade_id: id });
    expect(await reload(id)).toContain("Order cancelled");
    expect(await choose(id, "ethereum:USDC")).toBe(`/pay/${id}`);
    expect(await quotesOf(id)).toHaveLength(1);
  });
});
