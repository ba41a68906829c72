import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insertScannedTransfers } from "@/db/queries/transfers/observations";
import { findTransfer } from "@/db/queries/transfers/transfer-list";
import { callbacks, quotes, transfers } from "@/db/schema";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { moveOrder } from "@/lib/orders/move-order";
import { releaseHolds } from "@/lib/orders/release-holds";
import { seedCursor, seedTransfer } from "@/testing/database/seed";
import {
  addresses,
  at,
  create,
  ctx,
  db,
  finalize,
  type HoldingNetwork,
  match,
  merchant,
  NETWORKS,
  open,
  orderOf,
  owner,
  pass,
  pay,
  readOrder,
  readQuote,
  readTransfer,
  useHoldingShop,
} from "@/testing/holding-shop";

useHoldingShop();

describe("a payment is credited to the order that held its amount when it was sent", () => {
  test("an order that is paid, another of the same price, and the first payer pays once more: the first is overpaid", async () => {
    const first = await create("ethereum", 0);
    await pay(first, 1);
    await match(1);
    expect(await readOrder(first)).toMatchObject({ status: "paid", exception: null });
    const stranger = await create("ethereum", 2);
    const again = await pay(first, 3);
    await match(3);
    expect(await orderOf(again)).toBe(first.id);
    expect(await readOrder(first)).toMatchObject({ status: "paid", exception: "overpaid" });
    expect(await readOrder(stranger)).toMatchObject({ status: "pending" });
    expect(await db().$count(callbacks, eq(callbacks.orderId, first.id))).toBe(1);
  });

  test("two networks share an address: a payment on the wrong network is credited to no other order, and is recognized", async () => {
    const first = await create("ethereum", 0);
    const stranger = await create("bsc", 1);
    const astray = await pay(first, 2, "bsc");
    await match(2);
    expect(await readOrder(stranger)).toMatchObject({ status: "pending" });
    expect(await readTransfer(astray)).toMatchObject({
      orderId: null,
      unmatchedReason: "other_network",
      meantOrderId: first.id,
    });
  });

  test("a transfer to a cancelled order is unmatched, that order is suggested first, and a user can assign it", async () => {
    const first = await create("ethereum", 0);
    await cancelOrder(db(), ctx, owner, first.id, at(1));
    const stranger = await create("ethereum", 2);
    const sent = await pay(first, 3);
    await match(3);
    expect(await readOrder(stranger)).toMatchObject({ status: "pending" });
    const transfer = await readTransfer(sent);
    expect(transfer).toMatchObject({ orderId: null, unmatchedReason: "order_cancelled", meantOrderId: first.id });
    const listed = await findTransfer(db(), merchant.id, sent.id);
    if (!listed) throw new Error("The transfer is not listed");
    const likely = (await suggestOrders(db(), merchant.id, [listed])).get(sent.id);
    expect(likely?.[0]?.order.id).toBe(first.id);
    const given = await assignTransfer(db(), ctx, owner, { transferId: sent.id, orderId: first.id }, at(4));
    expect(given).toEqual({ status: "paid" });
    expect(await readOrder(first)).toMatchObject({ status: "paid", exception: "manual", settledByTransferId: sent.id });
  });

  test("after marking as paid manually the first transfer becomes the one that settled it; only more is overpaid", async () => {
    const first = await create("ethereum", 0);
    await markOrderPaid(db(), ctx, owner, { orderId: first.id, reason: "said so" }, at(1));
    const stranger = await create("ethereum", 2);
    const sent = await pay(first, 3);
    await match(3);
    expect(await readOrder(stranger)).toMatchObject({ status: "pending" });
    expect(await readOrder(first)).toMatchObject({ exception: "manual", settledByTransferId: sent.id });
    await pay(first, 4);
    await match(4);
    expect(await readOrder(first)).toMatchObject({ exception: "overpaid", settledByTransferId: sent.id });
    expect(await readOrder(stranger)).toMatchObject({ status: "pending" });
  });

  test("a late payment goes to the first order, also when a second one was made and paid meanwhile", async () => {
    const first = await create("ethereum", 0);
    await pass(31);
    const second = await create("ethereum", 32);
    await pay(second, 33);
    const late = await pay(first, 90);
    await match(90);
    expect(await orderOf(late)).toBe(first.id);
    expect(await readOrder(first)).toMatchObject({ status: "paid", exception: "late" });
    expect(await readOrder(second)).toMatchObject({ status: "paid", exception: null });
  });

  test("a payer who pays twice overpays, though the order was paid before the second was sent", async () => {
    const first = await create("ethereum", 0);
    await pay(first, 1);
    await match(1);
    const again = await pay(first, 40);
    await match(40);
    expect(await orderOf(again)).toBe(first.id);
    expect(await readOrder(first)).toMatchObject({ exception: "overpaid", paidUnits: 2n * first.quote.baseUnits });
  });

  test("a transfer that is read after its hold was released, when another order has the amount, is still credited to the first", async () => {
    const first = await create("ethereum", 0);
    await pass(220);
    expect((await readQuote(first))?.releasedAt).toEqual(at(220));
    const second = await create("ethereum", 221);
    expect(second.quote.baseUnits).toBe(first.quote.baseUnits);
    const row = await seedTransfer(
      db(),
      { address: addresses.ethereum, baseUnits: first.quote.baseUnits, blockTime: at(100) },
      at(222),
    );
    await finalize(row.id);
    await match(222);
    expect(await orderOf(row)).toBe(first.id);
    expect(await readOrder(second)).toMatchObject({ status: "pending" });
  });
});

describe("an amount is held until its time is over", () => {
  test("and two minutes more, regardless of its order; what settled on a shared address until an hour after", async () => {
    const paid = await create("ethereum", 0, "1");
    const cancelled = await create("ethereum", 0, "2");
    const manual = await create("ethereum", 0, "3");
    await pay(paid, 1);
    await match(1);
    await cancelOrder(db(), ctx, owner, cancelled.id, at(1));
    await markOrderPaid(db(), ctx, owner, { orderId: manual.id, reason: "cash" }, at(1));
    const live = async () =>
      (await Promise.all([paid, cancelled, manual].map(readQuote))).map((quote) => quote?.releasedAt === null);
    await pass(62);
    expect(await live()).toEqual([true, true, true]);
    await pass(63);
    expect(await live()).toEqual([false, true, true]);
    await pass(211);
    expect(await live()).toEqual([false, true, true]);
    await pass(212);
    expect(await live()).toEqual([false, false, false]);
  });

  test("the database itself refuses to give an amount up earlier", async () => {
    const order = await create("ethereum", 0);
    const early = db()
      .update(quotes)
      .set({ releasedAt: at(211) })
      .where(eq(quotes.id, order.quote.id));
    await expect(early).rejects.toThrow();
  });

  test("and nothing at its address is not matched yet", async () => {
    const order = await create("ethereum", 0);
    const sent = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: 5n }, at(10));
    for (const network of NETWORKS) await seedCursor(db(), network, at(300));
    await releaseHolds(db(), ctx, at(300));
    await moveOrder(db(), ctx, order.id, { type: "timePassed" }, at(300));
    await releaseHolds(db(), ctx, at(300));
    expect((await readQuote(order))?.releasedAt).toBeNull();
    await pass(301);
    expect((await readTransfer(sent))?.matchedAt).not.toBeNull();
    expect((await readQuote(order))?.releasedAt).toEqual(at(301));
  });
});

describe("a transaction that runs again after a reorg", () => {
  const again = async (row: Awaited<ReturnType<typeof seedTransfer>>, change: object, minutes: number) => {
    const { fromAddress: from, toAddress: to, ...rest } = { ...row, ...change };
    const block = { blockHash: "0xanother", blockTime: at(minutes) };
    const ids = new Map([[addresses.ethereum.address, addresses.ethereum.id]]);
    await insertScannedTransfers(db(), [{ ...rest, from, to, ...block }], ids, at(minutes));
  };

  test.each([
    ["after the drop was looked at", true],
    ["before it was", false],
  ])("and pays another amount is matched again, %s", async (_when, isMatchedBetween) => {
    const first = await create("ethereum", 0, "10");
    const second = await create("ethereum", 0, "20");
    const row = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: first.quote.baseUnits }, at(1));
    await match(1);
    expect(await readOrder(first)).toMatchObject({ status: "confirming" });
    await db().update(transfers).set({ status: "dropped", matchedAt: null }).where(eq(transfers.id, row.id));
    if (isMatchedBetween) await match(2);
    await again(row, { baseUnits: second.quote.baseUnits }, 2);
    await match(3);
    expect(await orderOf(row)).toBe(second.id);
    expect(await readOrder(first)).toMatchObject({ status: "pending" });
    expect(await readOrder(second)).toMatchObject({ status: "confirming" });
  });

  test("and pays what it paid before stays with its order; one that a user assigned stays there", async () => {
    const first = await create("ethereum", 0);
    const row = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: first.quote.baseUnits }, at(1));
    const other = await seedTransfer(db(), { address: addresses.ethereum, baseUnits: 7n }, at(1));
    await match(1);
    await assignTransfer(db(), ctx, owner, { transferId: other.id, orderId: first.id }, at(1));
    await db().update(transfers).set({ status: "dropped", matchedAt: null });
    await match(2);
    await again(row, {}, 2);
    await again(other, { baseUnits: 8n }, 2);
    await match(3);
    expect(await orderOf(row)).toBe(first.id);
    expect(await readTransfer(other)).toMatchObject({ orderId: first.id, isAssigned: true, baseUnits: 8n });
  });
});

test("no transfer sent within one order's hold is credited to another, after any orders, cancellations, marks and payments", async () => {
  const step = fc.record({
    after: fc.integer({ min: 1, max: 90 }),
    what: fc.constantFrom("create", "create", "create", "pay", "pay", "pay", "astray", "cancel", "mark", "pass"),
    network: fc.constantFrom(...NETWORKS),
    which: fc.nat(50),
    delay: fc.integer({ min: 0, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      await open();
      const made: QuotedOrder[] = [];
      const sent: { id: string; meant: QuotedOrder; minutes: number; holds: boolean; right: boolean }[] = [];
      const cancelled = new Set<string>();
      let minutes = 0;
      for (const { after, what, network, which, delay } of steps) {
        minutes += after;
        const order = made[which % Math.max(1, made.length)];
        if (what === "create") made.push(await create(network, minutes));
        else if (what === "pass" || !order) await pass(minutes);
        else if (what === "cancel") {
          const done = await cancelOrder(db(), ctx, owner, order.id, at(minutes));
          if ("status" in done) cancelled.add(order.id);
        } else if (what === "mark")
          await markOrderPaid(db(), ctx, owner, { orderId: order.id, reason: "so" }, at(minutes));
        else {
          const to =
            what === "astray" ? (order.network === "bsc" ? "ethereum" : "bsc") : (order.network as HoldingNetwork);
          const quote = await readQuote(order);
          const holds = quote !== undefined && at(minutes) <= quote.reservedUntil;
          const row = await pay(order, minutes, to);
          sent.push({ id: row.id, meant: order, minutes, holds, right: to === order.network });
          if (delay < 40) await match(minutes);
        }
      }
      await pass(minutes + 1);
      for (const { id, meant, holds, right } of sent) {
        const credited = await orderOf({ id });
        if (!holds) continue;
        // A transfer that arrived while the order was cancelled stays unmatched, even if a user marks the order as paid
        // later.
        if (right && !cancelled.has(meant.id)) expect(credited).toBe(meant.id);
        else if (!right) expect(credited).toBeNull();
        else expect([null, meant.id]).toContain(credited);
      }
    }),
    { numRuns: 20, seed: 8 },
  );
}, 180_000);
