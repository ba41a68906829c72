import { and, eq, isNull, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { Db } from "@/db/client";
import { listWaiting } from "@/db/queries/networks/waiting";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { auditEvents, merchants, quotes, transfers } from "@/db/schema";
import { asStored, toDetailData } from "@/lib/domain/orders/order-wire";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { setOrderTerms } from "@/lib/merchants/order-terms";
import { chooseMethod } from "@/lib/orders/choose-method";
import { type CheckoutRequest, type CompareTerms, createCheckout } from "@/lib/orders/create-checkout";
import { findCheckout, findSwitch } from "@/lib/orders/find-checkout";
import { renewOrder } from "@/lib/orders/renew-order";
import { seedAddress, seedTransfer } from "@/testing/database/seed";
import {
  addReceivingAddresses,
  addresses,
  at,
  create,
  creating,
  ctx,
  db,
  finalize,
  match,
  merchant,
  open,
  pass,
  readOrder,
  start,
  units,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

const env = { rpcUrls: new Map(["ethereum", "bsc"].map((id) => [id, ["http://127.0.0.1:1"]])) };
const choosing = { ...creating, ...ctx, env };
const compare: CompareTerms = (before, now) => [
  ["amount", before.checkout.amount, now.checkout.amount],
  ["network", before.checkout.network, now.checkout.network],
];
const requestFor = (amount: string, network: string | null = "bsc"): CheckoutRequest & { integration: "epusdt" } => ({
  mchOrderId: "again",
  notifyUrl: "https://shop.example.com/",
  redirectUrl: null,
  locale: null,
  subject: null,
  metadata: null,
  expiresInSeconds: null,
  integration: "epusdt",
  echo: { amount, fiat: "" },
  checkout: { network, currency: "USDT", amount, price: null },
});

async function ask(amount = "10", network: string | null = "bsc") {
  const caller = { merchantId: merchant.id, apiKeyId: null };
  return (await createCheckout(db(), choosing, caller, requestFor(amount, network), start, compare)).order;
}
async function change(
  { id }: { id: string },
  amount: string,
  minutes: number,
  network: string | null = "bsc",
  on: Db = db(),
) {
  await db().execute(sql`update cursors set heard_at = ${at(minutes).toISOString()}::timestamptz`);
  const renewal = { id, merchantId: merchant.id, request: requestFor(amount, network), compare };
  return renewOrder(on, choosing, renewal, at(minutes));
}
const quotesOf = ({ id }: { id: string }) =>
  db().select().from(quotes).where(eq(quotes.orderId, id)).orderBy(quotes.id);
const liveOf = ({ id }: { id: string }) =>
  db().$count(quotes, and(eq(quotes.orderId, id), isNull(quotes.supersededAt)));
const detail = async ({ id }: { id: string }) => {
  const order = await findOrderDetail(db(), { id });
  return order && JSON.parse(JSON.stringify(toDetailData(order, asStored(ctx))));
};

/**
 * Pays the first quote of an order, even if the order now requests a different amount, with a transfer that is seen and final immediately.
 */
async function send(order: { id: string }, minutes: number, which = 0) {
  const quote = (await quotesOf(order))[which];
  if (!quote) throw new Error("An order without a quote");
  const address = quote.network === "bsc" ? addresses.bsc : addresses.ethereum;
  const sent = await seedTransfer(db(), { address, baseUnits: quote.baseUnits }, at(minutes));
  await finalize(sent.id);
}

test("page, detail and choice show only the new terms; the earlier amount stays held as long as before", async () => {
  const order = await ask("10", null);
  await chooseMethod(db(), choosing, order.id, { network: "bsc", currency: "USDT" }, at(1));
  await chooseMethod(db(), choosing, order.id, { network: "ethereum", currency: "USDT" }, at(2));
  const before = await quotesOf(order);
  expect(await change(order, "25", 10, null)).toBe(true);
  expect(await detail(order)).toMatchObject({ network: "ethereum", amount: 25, expires_at: at(40).getTime() / 1_000 });
  const page = await findCheckout(db(), order.id);
  expect(page).toMatchObject({ quote: { network: "ethereum", baseUnits: 25_000_000n }, otherQuotes: [] });
  expect(page?.version).toBeGreaterThan(order.version + 2);
  expect((await findSwitch(db(), { env }, order.id, at(11)))?.quoted).toMatchObject([{ network: "ethereum" }]);
  const after = await quotesOf(order);
  expect(after.slice(0, 2).map(({ id, reservedUntil }) => ({ id, reservedUntil }))).toEqual(
    before.map(({ id, reservedUntil }) => ({ id, reservedUntil })),
  );
  const { baseUnits } = (await create("bsc", 12)).quote;
  expect(before.map((quote) => quote.baseUnits)).not.toContain(baseUnits);
  const lines = await db().select().from(auditEvents).where(eq(auditEvents.orderId, order.id));
  expect(lines.map(({ action }) => action)).toContain("order.changed");
});

test("a network on which only earlier terms are held is watched as closely as before", async () => {
  const order = await ask("10", "bsc");
  expect((await listWaiting(db(), ["bsc"], at(1))).get("bsc")?.hasPending).toBe(true);
  expect(await change(order, "10", 2, "ethereum")).toBe(true);
  expect((await listWaiting(db(), ["bsc"], at(3))).get("bsc")?.hasPending).toBe(true);
  await send(order, 4);
  await match(5);
  expect(await detail(order)).toMatchObject({ network: "ethereum", exception: "underpaid", paid_amount: 10 });
});

test("the page shows how much of the new amount arrived by the earlier terms, and both together pay it", async () => {
  const order = await ask();
  await change(order, "25", 2);
  await send(order, 3);
  await match(4);
  expect(await detail(order)).toMatchObject({ status: "pending", exception: "underpaid", amount: 25, paid_amount: 10 });
  expect((await findCheckout(db(), order.id))?.transfers).toMatchObject([{ countedUnits: units("bsc", "10") }]);
  await send(order, 5, 1);
  await match(6);
  expect(await detail(order)).toMatchObject({ status: "paid", exception: "overpaid", paid_amount: 35 });
  // None of the holds is released early: the payer of one quote may still pay the other.
  await pass(150);
  expect((await quotesOf(order)).map(({ releasedAt }) => releasedAt)).toEqual([null, null]);
});

test("a seen but unmatched transfer keeps the terms, and so does a matched one", async () => {
  const order = await ask();
  await send(order, 1);
  expect(await change(order, "25", 2)).toBe(false);
  await match(3);
  expect(await change(order, "25", 4)).toBe(false);
  expect(await detail(order)).toMatchObject({ status: "paid", exception: null, amount: 10 });
  expect(await quotesOf(order)).toHaveLength(1);
});

test("dust on a dedicated address keeps neither the terms nor an expired order from a new time", async () => {
  await open("dedicated");
  const order = await ask();
  const dust = await seedTransfer(db(), { address: addresses.bsc, baseUnits: units("bsc", "0.05") }, at(1));
  await finalize(dust.id);
  await pass(31);
  expect(await detail(order)).toMatchObject({ status: "expired", exception: null, paid_amount: 0.05 });
  expect(await change(order, "10", 32)).toBe(true);
  expect(await detail(order)).toMatchObject({ status: "pending", exception: null, paid_amount: 0.05 });
  await addReceivingAddresses("dedicated");
  expect(await change(order, "25", 33)).toBe(true);
  expect(await detail(order)).toMatchObject({ status: "pending", amount: 25 });
});

test("a transfer that is matched while the terms change waits for them and counts by its value", async () => {
  const order = await ask();
  const { matching } = await db().transaction(async (tx) => {
    expect(await change(order, "25", 2, "bsc", tx)).toBe(true);
    await send(order, 3);
    const matching = matchTransfers(db(), ctx, "bsc", at(4));
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 10_000 });
    return { matching };
  });
  expect(await matching).toBe(1);
  expect(await detail(order)).toMatchObject({ status: "pending", exception: "underpaid", amount: 25, paid_amount: 10 });
});

test("terms that change while a transfer is matched wait for it and are refused", async () => {
  const order = await ask();
  await send(order, 1);
  const { changing } = await db().transaction(async (tx) => {
    expect(await matchTransfers(tx, ctx, "bsc", at(2))).toBe(1);
    const changing = change(order, "25", 3);
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 10_000 });
    return { changing };
  });
  expect(await changing).toBe(false);
  expect(await detail(order)).toMatchObject({ status: "paid", exception: null, amount: 10, paid_amount: 10 });
});

async function countWaiting(): Promise<number> {
  const [row] = await db().execute<{ waiting: number }>(
    sql`select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

test("twelve concurrent equal changes are one change", async () => {
  const order = await ask();
  const answers = await Promise.all(Array.from({ length: 12 }, () => change(order, "25", 1)));
  expect(answers).toEqual(Array.from({ length: 12 }, () => true));
  expect(await quotesOf(order)).toHaveLength(2);
  expect(await liveOf(order)).toBe(1);
});

test("an impossible change changes nothing: a network without an address, less than the minimum, no free address", async () => {
  const order = await ask();
  const before = await readOrder(order);
  await expect(change(order, "10", 1, "tron")).rejects.toMatchObject({ code: 10001 });
  await setOrderTerms(db(), { merchantId: merchant.id, userId: "ann", minAmount: "5" }, start);
  await expect(change(order, "4", 1)).rejects.toMatchObject({ code: 10001, errors: [{ field: "amount" }] });
  expect(await readOrder(order)).toEqual(before);
  expect(await liveOf(order)).toBe(1);
});

test("a dedicated address of its own is not free for the new terms of its order: they are refused, and the order asks as before", async () => {
  await db().execute(sql`update receiving_addresses set paused_at = ${start.toISOString()}::timestamptz`);
  const address = await seedAddress(db(), { merchantId: merchant.id, network: "bsc", kind: "dedicated" }, start);
  const order = await ask();
  const before = await readOrder(order);
  await expect(change(order, "25", 1)).rejects.toMatchObject({ code: 10006 });
  expect(await readOrder(order)).toEqual(before);
  const sent = await seedTransfer(db(), { address, baseUnits: units("bsc", "10") }, at(2));
  await finalize(sent.id);
  await match(3);
  expect(await detail(order)).toMatchObject({ status: "paid", exception: null });
  expect(await db().$count(transfers, eq(transfers.orderId, order.id))).toBe(1);
});

test("not in the moments until it is known that nothing came, nor of another shop; the new time begins with the change", async () => {
  const order = await ask();
  expect(await change(order, "25", 20)).toBe(true);
  expect((await readOrder(order))?.expiresAt).toEqual(at(50));
  await pass(45);
  expect(await readOrder(order)).toMatchObject({ status: "pending" });
  const other = { id: order.id, merchantId: "another", request: requestFor("30"), compare };
  expect(await renewOrder(db(), choosing, other, at(46))).toBe(false);
  expect(await change(order, "30", 50)).toBe(false);
  await pass(51);
  expect(await readOrder(order)).toMatchObject({ status: "expired" });
  expect(await change(order, "30", 52)).toBe(true);
  expect(await detail(order)).toMatchObject({ status: "pending", amount: 30, expires_at: at(82).getTime() / 1_000 });
});

test("an expired order is pending again, and its earlier amount is held as long as the new time", async () => {
  const order = await ask();
  await pass(31);
  expect(await readOrder(order)).toMatchObject({ status: "expired" });
  const [before] = await quotesOf(order);
  const shown = await findCheckout(db(), order.id);
  expect(await change(order, "10", 40)).toBe(true);
  const [held, ...more] = await quotesOf(order);
  expect(more).toEqual([]);
  expect(held).toMatchObject({ id: before?.id, baseUnits: before?.baseUnits, reservedUntil: at(70 + 180) });
  expect(await readOrder(order)).toMatchObject({ status: "pending", expiresAt: at(70), extensions: 0 });
  const page = await findCheckout(db(), order.id);
  expect(page).toMatchObject({ status: "pending", otherQuotes: [] });
  expect(page?.version).toBeGreaterThan(shown?.version ?? Number.POSITIVE_INFINITY);
  await send(order, 60);
  await match(61);
  expect(await detail(order)).toMatchObject({ status: "paid", exception: null, paid_amount: 10 });
  const actions = await db().select().from(auditEvents).where(eq(auditEvents.orderId, order.id));
  expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(["order.expired", "order.renewed"]));
});

test("a renewed order's shared amount is held for at least one hour after its new time", async () => {
  const order = await ask();
  await pass(31);
  await db().update(merchants).set({ lateWindowSeconds: 60 }).where(eq(merchants.id, merchant.id));
  expect(await change(order, "10", 200)).toBe(true);
  expect((await quotesOf(order)).map(({ reservedUntil }) => reservedUntil)).toEqual([at(230 + 60)]);
});

test("once its hold is over it asks for something new, and the page shows that alone", async () => {
  const order = await ask("10", null);
  for (const network of ["ethereum", "bsc"])
    await chooseMethod(db(), choosing, order.id, { network, currency: "USDT" }, at(1));
  await pass(31);
  await pass(213);
  const stranger = await create("bsc", 214);
  const gone = await quotesOf(order);
  expect(gone.map(({ releasedAt }) => releasedAt !== null)).toEqual([true, true]);
  expect(await change(order, "10", 220, null)).toBe(true);
  expect(await findCheckout(db(), order.id)).toMatchObject({
    status: "pending",
    quote: { network: "bsc" },
    otherQuotes: [],
  });
  const fresh = (await quotesOf(order))[2];
  expect(fresh).toMatchObject({ network: "bsc", reservedUntil: at(250 + 180), releasedAt: null });
  expect(fresh?.baseUnits).not.toBe(stranger.quote.baseUnits);
  await chooseMethod(db(), choosing, order.id, { network: "ethereum", currency: "USDT" }, at(221));
  expect(await quotesOf(order)).toHaveLength(4);
  await send(order, 222, 2);
  await match(223);
  expect(await detail(order)).toMatchObject({ status: "paid", exception: null, paid_amount: 10.0001 });
  expect(await readOrder(stranger)).toMatchObject({ status: "pending" });
});

test("a payer who had chosen nothing has a new time to choose", async () => {
  const order = await ask("10", null);
  await pass(60);
  expect(await readOrder(order)).toMatchObject({ status: "expired" });
  expect(await change(order, "10", 61, null)).toBe(true);
  await chooseMethod(db(), choosing, order.id, { network: "bsc", currency: "USDT" }, at(62));
  expect(await readOrder(order)).toMatchObject({ status: "pending", network: "bsc", expiresAt: at(91) });
});

test("not where a part came, or something was seen that may be for it; money that came late wins over a repeat", async () => {
  const part = await ask("10", "bsc");
  const late = await create("bsc", 0);
  const unread = await create("ethereum", 0);
  await change(part, "25", 2);
  await send(part, 3);
  await pass(40);
  expect(await readOrder(part)).toMatchObject({ status: "expired", exception: "underpaid" });
  expect(await change(part, "25", 41)).toBe(false);
  const renew = (id: string) => {
    const compareNothing = () => [];
    return renewOrder(
      db(),
      choosing,
      { id, merchantId: merchant.id, request: requestFor("10"), compare: compareNothing },
      at(41),
    );
  };
  await send(late, 40);
  await match(40);
  expect(await renew(late.id)).toBe(false);
  await send(unread, 40);
  expect(await renew(unread.id)).toBe(false);
  await match(41);
  expect(await readOrder(unread)).toMatchObject({ status: "paid", exception: "late" });
});

test("twenty concurrent repeats are one new time; when nothing is available it stays expired", async () => {
  const order = await ask();
  await pass(31);
  const answers = await Promise.all(Array.from({ length: 20 }, () => change(order, "10", 40)));
  expect(answers).toEqual(answers.map(() => true));
  const lines = await db().select().from(auditEvents).where(eq(auditEvents.orderId, order.id));
  expect(lines.filter(({ action }) => action === "order.renewed")).toHaveLength(1);
  await pass(71);
  await db().execute(sql`update receiving_addresses set paused_at = ${at(71).toISOString()}`);
  await expect(change(order, "10", 72)).rejects.toThrow("no active receiving address");
  expect(await readOrder(order)).toMatchObject({ status: "expired", expiresAt: at(70) });
});
