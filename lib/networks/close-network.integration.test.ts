import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { findOldestUnreadQuoteTime } from "@/db/queries/networks/cursors";
import { auditEvents, cursors, orders, quotes, transfers } from "@/db/schema";
import { assignDepositAddress } from "@/lib/deposits/give-address";
import { getNetwork } from "@/lib/domain/networks";
import { COMMAND_LINE } from "@/lib/domain/networks/closure";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { closeNetwork, reopenNetwork } from "@/lib/networks/close-network";
import { chooseMethod } from "@/lib/orders/choose-method";
import { createCheckout } from "@/lib/orders/create-checkout";
import { expireOrders } from "@/lib/orders/expire-orders";
import { findSwitch } from "@/lib/orders/find-checkout";
import { keepRetention } from "@/lib/orders/keep-retention";
import { releaseHolds } from "@/lib/orders/release-holds";
import { seedAddress, seedCursor, seedMerchant, seedTransfer } from "@/testing/database/seed";
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
  open,
  orderOf,
  owner,
  readOrder,
  readQuote,
  readTransfer,
  useHoldingShop,
} from "@/testing/holding-shop";
import { inSentences } from "@/testing/problem-sentences";

useHoldingShop();

const DAY = 24 * 60;
const operator = { userId: null, name: COMMAND_LINE };
const env = { rpcUrls: new Map(["ethereum", "bsc"].map((id) => [id, ["http://127.0.0.1:1"]])) };
const choosing = { ...creating, env };

async function close(minutes: number, network = "bsc", reason = "No node answers") {
  const closed = await closeNetwork(db(), { network, reason, by: operator }, at(minutes));
  if ("problem" in closed) throw new Error(inEnglish(closed.problem));
  return closed;
}
const reopen = (minutes: number) => reopenNetwork(db(), { network: "bsc", by: operator }, at(minutes));
const choose = ({ id }: { id: string }, network: string, minutes: number) =>
  chooseMethod(db(), choosing, id, { network, currency: "USDT" }, at(minutes));
const expire = (minutes: number) => expireOrders(db(), ctx, at(minutes));
const release = (minutes: number) => releaseHolds(db(), ctx, at(minutes));

/** Creates a transfer that was sent at minute `sentAt` and that the worker reads at minute `minutes`. */
async function found(baseUnits: bigint, minutes: number, sentAt: number) {
  const row = await seedTransfer(db(), { address: addresses.bsc, baseUnits, blockTime: at(sentAt) }, at(minutes));
  await finalize(row.id);
  await match(minutes);
  return row;
}

describe("a closed network takes no quotes", () => {
  test("an order, a checkout and a deposit address are refused with 10006 until it is reopened", async () => {
    const before = await create("bsc", 0);
    await close(1);
    const refusal = { code: 10006, message: expect.stringContaining("an operator closed it on 2026-01-01 12:01 UTC") };
    await expect(create("bsc", 2)).rejects.toMatchObject(refusal);
    const methods = async () =>
      (await listPaymentMethods(db(), env, { merchantId: merchant.id }, at(2))).map((m) => m.network);
    expect(await methods()).toEqual(["ethereum"]);
    const bsc = getNetwork("bsc");
    const terms = { amount: "5", price: null, network: "bsc", currency: "USDT" as const };
    const request = { mchOrderId: "checkout", checkout: terms, notifyUrl: null, redirectUrl: null, locale: null };
    const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
    const checkout = () =>
      createCheckout(
        db(),
        choosing,
        caller,
        { ...request, subject: null, metadata: null, expiresInSeconds: null },
        at(2),
      );
    await expect(checkout()).rejects.toMatchObject({ code: 10006 });
    const deposit = () =>
      assignDepositAddress(db(), choosing, caller, { customerRef: "c", network: bsc, notifyUrl: null }, at(2));
    await seedAddress(db(), { merchantId: merchant.id, network: "bsc", kind: "dedicated" }, at(0));
    await expect(deposit()).rejects.toMatchObject({ code: 10006, message: expect.stringContaining("reopens it") });
    expect(await db().$count(quotes)).toBe(1);

    await reopen(3);
    expect(await methods()).toEqual(["ethereum", "bsc"]);
    await deposit();
    await checkout();
    expect((await create("bsc", 4)).id).not.toBe(before.id);
  });

  test("a payer cannot switch to it, nor back to a quote on it, and it is not listed", async () => {
    const order = await create("ethereum", 0);
    await choose(order, "bsc", 1);
    await choose(order, "ethereum", 2);
    const other = await create("ethereum", 2, "20");
    await close(3);
    expect(inSentences(await choose(order, "bsc", 4))).toEqual({ problem: "closed" });
    expect(inSentences(await choose(other, "bsc", 4))).toEqual({ problem: "closed" });
    const offered = await findSwitch(db(), { env }, order.id, at(4));
    expect(offered?.methods).toMatchObject([{ network: "ethereum" }, { network: "ethereum" }]);
    await reopen(5);
    expect(await choose(order, "bsc", 6)).toEqual({ isQuoted: true });
  });
});

describe("expiry does not wait for a closed network", () => {
  test("an order expires a minute after its time, however far the cursor is behind", async () => {
    await seedCursor(db(), "bsc", at(5));
    const order = await create("bsc", 0);
    expect(await expire(40)).toBe(0);
    await close(20);
    expect(await expire(30.5)).toBe(0);
    expect(await expire(31)).toBe(1);
    expect(await readOrder(order)).toMatchObject({ status: "expired", exception: null });
  });

  test("an order that can be paid on an open network too waits for that one alone", async () => {
    await seedCursor(db(), "bsc", at(5));
    await seedCursor(db(), "ethereum", at(10));
    const first = await create("bsc", 0);
    await choose(first, "ethereum", 1);
    const second = await create("ethereum", 0, "20");
    await choose(second, "bsc", 1);
    await close(20);
    expect(await expire(40)).toBe(0);
    await seedCursor(db(), "ethereum", at(30));
    expect(await expire(40)).toBe(2);
  });

  test("a transfer on it that is not matched delays no order", async () => {
    await seedCursor(db(), "bsc", at(5));
    const order = await create("bsc", 0);
    await seedTransfer(db(), { address: addresses.bsc, baseUnits: order.quote.baseUnits }, at(4));
    await close(20);
    expect(await expire(31)).toBe(1);
    await match(32);
    expect(await readOrder(order)).toMatchObject({ status: "confirming" });
  });

  test("a network that the networks table has lost can be closed by its id", async () => {
    const order = await create("bsc", 0);
    for (const table of [orders, quotes, cursors]) await db().update(table).set({ network: "lostchain" });
    await db().execute(sql`update receiving_addresses set network = 'lostchain' where network = 'bsc'`);
    expect(await expire(40)).toBe(0);
    expect(await close(20, "lostchain")).toMatchObject({ network: "lostchain", isNew: true, pendingCount: 1 });
    expect(await expire(31)).toBe(1);
    expect(await release(212)).toBe(1);
    expect((await create("ethereum", 213)).quote.baseUnits).toBe(order.quote.baseUnits / 10n ** 12n);
  });
});

describe("holds on a closed network end by time", () => {
  test("an amount is free again on the other network of the family two minutes after the end, not before", async () => {
    await seedCursor(db(), "bsc", at(5));
    await seedCursor(db(), "ethereum", at(500));
    const order = await create("bsc", 0);
    await expire(31);
    expect(await release(500)).toBe(0);
    await close(20);
    await expire(31);
    expect(await release(211)).toBe(0);
    expect((await create("ethereum", 211)).quote.baseUnits).toBe(10_000_100n);
    expect(await release(212)).toBe(1);
    expect(await readQuote(order)).toMatchObject({ reservedUntil: at(210), releasedAt: at(212) });
    expect((await create("ethereum", 213)).quote.baseUnits).toBe(10_000_000n);
  });

  test("a dedicated address serves the other network again", async () => {
    await open("dedicated");
    await seedCursor(db(), "bsc", at(5));
    await seedCursor(db(), "ethereum", at(500));
    await create("bsc", 0);
    await expect(create("ethereum", 211)).rejects.toMatchObject({ code: 10006 });
    await close(20);
    await expire(31);
    await expect(create("ethereum", 211)).rejects.toMatchObject({ code: 10006 });
    await release(212);
    expect((await create("ethereum", 213)).quote.kind).toBe("dedicated");
  });

  test("also of an order whose payment there never becomes final, on all its networks; on an open network it waits", async () => {
    for (const network of ["bsc", "ethereum"]) await seedCursor(db(), network, at(500));
    const stuck = await create("bsc", 0);
    const waits = await create("ethereum", 0, "20");
    await choose(stuck, "ethereum", 1);
    await seedTransfer(db(), { address: addresses.bsc, baseUnits: stuck.quote.baseUnits }, at(2));
    await seedTransfer(db(), { address: addresses.ethereum, baseUnits: waits.quote.baseUnits }, at(2));
    await match(3);
    for (const order of [stuck, waits]) expect(await readOrder(order)).toMatchObject({ status: "confirming" });
    expect(await release(500)).toBe(0);
    await close(500);
    expect(await release(500)).toBe(2);
    expect(await readOrder(stuck)).toMatchObject({ status: "confirming" });
    expect((await readQuote(waits))?.releasedAt).toBeNull();
  });

  test("also with a transfer at the address that is not matched", async () => {
    const order = await create("bsc", 0);
    await seedTransfer(db(), { address: addresses.bsc, baseUnits: 1n }, at(4));
    await close(20);
    await expire(31);
    expect(await release(212)).toBe(1);
    expect((await readQuote(order))?.releasedAt).toEqual(at(212));
  });
});

describe("after a network is reopened", () => {
  test("transfers found by its cursor are credited to the orders whose holds existed when they were sent", async () => {
    await seedCursor(db(), "bsc", at(5));
    await seedCursor(db(), "ethereum", at(1_000));
    const first = await create("bsc", 0);
    await close(20);
    await expire(31);
    await release(212);
    const onOther = await create("ethereum", 213);
    await expire(500);
    await release(500);
    await reopen(500);
    await seedCursor(db(), "bsc", at(6));
    const second = await create("bsc", 501);
    expect(second.quote.baseUnits).toBe(first.quote.baseUnits);

    const inTime = await found(first.quote.baseUnits, 502, 10);
    expect(await orderOf(inTime)).toBe(first.id);
    expect(await readOrder(first)).toMatchObject({ status: "paid", exception: null });
    const late = await found(first.quote.baseUnits, 503, 200);
    expect(await orderOf(late)).toBe(first.id);
    expect(await readOrder(first)).toMatchObject({ status: "paid", exception: "overpaid" });
    const between = await found(first.quote.baseUnits, 504, 230);
    expect(await readTransfer(between)).toMatchObject({ orderId: null });
    const current = await found(first.quote.baseUnits, 505, 505);
    expect(await orderOf(current)).toBe(second.id);
    expect((await readOrder(onOther))?.paidUnits).toBe(0n);
  });

  test("orders and holds wait for its cursor again", async () => {
    await seedCursor(db(), "bsc", at(5));
    const order = await create("bsc", 0);
    await close(10);
    await reopen(20);
    expect(await expire(40)).toBe(0);
    await seedCursor(db(), "bsc", at(30));
    expect(await expire(40)).toBe(1);
    expect(await release(300)).toBe(0);
    await seedCursor(db(), "bsc", at(210));
    expect(await release(300)).toBe(1);
    expect((await readQuote(order))?.releasedAt).toEqual(at(300));
  });

  test("a network that was never read is read from its oldest hold on, though that hold ended", async () => {
    const order = await create("bsc", 0);
    await close(20);
    await expire(31);
    await release(212);
    await reopen(300);
    expect(await findOldestUnreadQuoteTime(db(), "bsc")).toEqual(order.createdAt);
    expect(await findOldestUnreadQuoteTime(db(), "ethereum")).toBeNull();
  });
});

test("its orders are pruned only once its cursor has passed their holds and all found transfers are matched", async () => {
  await seedCursor(db(), "bsc", at(5));
  const order = await create("bsc", 0);
  await close(20);
  await expire(31);
  await release(212);
  const exists = async () => (await readOrder(order)) !== undefined;
  const prune = async () => {
    for (const round of [1, 2]) {
      await keepRetention(db(), 90, at(200 * DAY));
      await db().execute(sql`update used_order_numbers set used_at = used_at - ${round} * interval '2 minutes'`);
    }
    await keepRetention(db(), 90, at(200 * DAY));
  };
  await prune();
  expect(await exists()).toBe(true);
  await reopen(200 * DAY);
  await prune();
  expect(await exists()).toBe(true);
  // The worker has read the block of a payment, but has not matched the payment yet.
  await seedCursor(db(), "bsc", at(210));
  const sent = await seedTransfer(
    db(),
    { address: addresses.bsc, baseUnits: order.quote.baseUnits, blockTime: at(300) },
    at(200 * DAY),
  );
  await prune();
  expect(await exists()).toBe(true);
  await db().delete(transfers).where(eq(transfers.id, sent.id));
  await prune();
  expect(await exists()).toBe(false);
});

describe("closing and reopening", () => {
  test("lists the open orders of the network", async () => {
    const confirming = await create("bsc", 0);
    const pending = await create("bsc", 0, "20");
    await seedTransfer(db(), { address: addresses.bsc, baseUnits: confirming.quote.baseUnits }, at(2));
    await match(3);
    await create("ethereum", 3);
    const closed = await close(4);
    expect(closed).toMatchObject({
      network: "bsc",
      isNew: true,
      closedAt: at(4),
      closedBy: COMMAND_LINE,
      reason: "No node answers",
      pendingCount: 1,
      heldCount: 2,
      heldUntil: at(210),
      confirmingCount: 1,
      confirming: [{ tradeId: confirming.id, mchOrderId: confirming.mchOrderId, merchantName: "Test shop" }],
    });
    expect(pending.status).toBe("pending");
  });

  test("leaves a line in the audit log of each merchant with an address there, and of the operator's own", async () => {
    const elsewhere = await seedMerchant(db(), at(0));
    const own = merchant;
    await seedAddress(db(), { merchantId: elsewhere.id, network: "tron", address: "T".padEnd(34, "a") }, at(0));
    const by = { userId: owner.userId, name: "ops@example.com" };
    await closeNetwork(db(), { network: "tron", reason: " gone ", by }, at(1));
    await reopenNetwork(db(), { network: "TRC20", by }, at(2));
    const detail = { network: "tron", operator: "ops@example.com" };
    const linesOf = ({ id }: { id: string }) =>
      db().select().from(auditEvents).where(eq(auditEvents.merchantId, id)).orderBy(auditEvents.at);
    for (const each of [own, elsewhere])
      expect(await linesOf(each)).toMatchObject([
        { userId: owner.userId, action: "network.closed", detail: { ...detail, reason: "gone" } },
        { userId: owner.userId, action: "network.reopened", detail },
      ]);
    expect(await db().$count(auditEvents)).toBe(4);
  });

  test("can be repeated: the first closing and its reason stay, and nothing is logged twice", async () => {
    expect(await close(1)).toMatchObject({ isNew: true });
    expect(await close(2, "bsc", "another reason")).toMatchObject({
      isNew: false,
      closedAt: at(1),
      reason: "No node answers",
    });
    expect(await reopen(3)).toEqual({ network: "bsc", isNew: true });
    expect(await reopen(4)).toEqual({ network: "bsc", isNew: false });
    expect(await db().$count(auditEvents)).toBe(2);
  });

  test("by two concurrent operators happens once", async () => {
    const names = ["one@example.com", "two@example.com"];
    const both = await Promise.all(
      names.map((name) => closeNetwork(db(), { network: "bsc", reason: name, by: { userId: null, name } }, at(1))),
    );
    const won = both.filter((one) => "isNew" in one && one.isNew);
    expect(won).toHaveLength(1);
    const closers = new Set(both.map((one) => ("closedBy" in one ? one.closedBy : null)));
    expect(closers.size).toBe(1);
    expect(await db().$count(auditEvents, eq(auditEvents.action, "network.closed"))).toBe(1);
    const opened = await Promise.all(names.map(() => reopen(2)));
    expect(opened.filter((one) => "isNew" in one && one.isNew)).toHaveLength(1);
    expect(await db().$count(auditEvents, eq(auditEvents.action, "network.reopened"))).toBe(1);
  });

  test("an unknown name, and a reason that is too long, change nothing", async () => {
    const unknown = { problem: '"polygn" is not a network of this version and was never used by this installation' };
    const closed = await closeNetwork(db(), { network: "polygn", reason: "", by: operator }, at(1));
    const reopened = await reopenNetwork(db(), { network: "polygn", by: operator }, at(1));
    expect(inSentences([closed, reopened])).toEqual([unknown, unknown]);
    const long = await closeNetwork(db(), { network: "bsc", reason: "x".repeat(201), by: operator }, at(1));
    expect(inSentences(long)).toEqual({ problem: "Use at most 200 characters" });
    expect(await db().$count(cursors)).toBe(0);
  });
});
