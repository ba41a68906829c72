import { eq } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { auditEvents, orders, quotes, transfers } from "@/db/schema";
import { createDb } from "@/db/session";
import { ORDER_CHANGED } from "@/lib/domain/channels";
import { expireOrders } from "@/lib/orders/expire-orders";
import { moveOrder } from "@/lib/orders/move-order";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedManyOrders, seedOrder, seedTransfer } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { testDb, db, shop, ctx, now, later } = useShop();

/** Returns the number of statements of one expiry round. */
async function statementsOfARound(): Promise<{ statements: number; expired: number }> {
  let statements = 0;
  const one = postgres(testDb.url, {
    max: 1,
    onnotice: () => {},
    debug: () => {
      statements += 1;
    },
  });
  await one`select 1`;
  statements = 0;
  const expired = await expireOrders(createDb(one), ctx, later(31));
  await one.end();
  return { statements, expired };
}

test("two thousand orders that expire together need no more statements than two", async () => {
  await seedManyOrders(db(), { address: shop.address, first: 1, count: 1 }, now);
  await seedCursor(db(), "ethereum", later(31));
  const one = await statementsOfARound();
  expect(one.expired).toBe(1);
  await seedManyOrders(db(), { address: shop.address, first: 2, count: 2_000 }, now);
  const many = await statementsOfARound();
  expect(many.expired).toBe(2_000);
  expect(many.statements).toBeLessThanOrEqual(2 * one.statements);
});

test("open pages of all of them are notified, each with its new version", async () => {
  await seedManyOrders(db(), { address: shop.address, first: 1, count: 700 }, now);
  await seedCursor(db(), "ethereum", later(31));
  const events = new Set<string>();
  const { unlisten } = await testDb.pool.sql.listen(ORDER_CHANGED, (payload) => {
    for (const one of payload.split("\n")) events.add(one);
  });
  await expireOrders(db(), ctx, later(31));
  await expect.poll(() => events.size).toBe(700);
  expect(events).toContain("many-1 2");
  expect(events).toContain("many-700 2");
  await unlisten();
});

/** Inserts orders in every state in which they can expire, some with transfers. Their amounts identify them. */
async function seedEveryKind(): Promise<void> {
  const own = await seedAddress(db(), { merchantId: shop.merchant.id, kind: "dedicated" }, now);
  const underpaid = await seedOrder(db(), { address: own, baseUnits: 500n }, now);
  const partly = await seedTransfer(db(), { address: own, baseUnits: 200n }, now);
  const link = { orderId: underpaid.id, quoteId: underpaid.quoteId, matchedAt: now };
  await db()
    .update(transfers)
    .set({ ...link, status: "confirmed", confirmedAt: now })
    .where(eq(transfers.id, partly.id));
  await db().update(orders).set({ exception: "underpaid", paidUnits: 200n }).where(eq(orders.id, underpaid.id));
  const back = await seedOrder(db(), { address: shop.address, baseUnits: 501n }, now);
  const gone = await seedTransfer(db(), { address: shop.address, baseUnits: 501n }, now);
  const dropped = { orderId: back.id, quoteId: back.quoteId, matchedAt: now, status: "dropped" as const };
  await db().update(transfers).set(dropped).where(eq(transfers.id, gone.id));
  await seedOrder(db(), { address: shop.address, baseUnits: 502n }, now);
  await seedOrder(db(), { address: shop.address, baseUnits: 503n, expiresInSeconds: 86_400 }, now);
  const states = [
    { status: "confirming" as const },
    { status: "cancelled" as const },
    { status: "paid" as const, paidAt: now, paidUnits: 506n },
  ];
  for (const [index, state] of states.entries()) {
    const { id } = await seedOrder(db(), { address: shop.address, baseUnits: 504n + BigInt(index) }, now);
    await db().update(orders).set(state).where(eq(orders.id, id));
  }
}

/** Returns the stored rows of all orders and their history, without random values. */
async function stored() {
  const kept = await db()
    .select({
      units: quotes.baseUnits,
      status: orders.status,
      exception: orders.exception,
      version: orders.version,
      paidUnits: orders.paidUnits,
      changedAt: orders.changedAt,
      paidAt: orders.paidAt,
      isShown: eq(orders.quoteId, quotes.id),
      releasedAt: quotes.releasedAt,
    })
    .from(orders)
    .innerJoin(quotes, eq(quotes.orderId, orders.id))
    .orderBy(quotes.baseUnits);
  const history = await db()
    .select({ units: quotes.baseUnits, action: auditEvents.action, detail: auditEvents.detail, at: auditEvents.at })
    .from(auditEvents)
    .innerJoin(quotes, eq(quotes.orderId, auditEvents.orderId))
    .orderBy(quotes.baseUnits);
  return { kept, history };
}

test("many together end exactly as each alone would: status, exception, version and history", async () => {
  await seedEveryKind();
  for (const { id } of await db().select().from(orders)) {
    await moveOrder(db(), ctx, id, { type: "timePassed" }, later(31));
  }
  const single = await stored();
  expect(single.history).toHaveLength(3);
  await empty(db(), "orders", "quotes", "transfers", "audit_events");
  await seedEveryKind();
  await seedCursor(db(), "ethereum", later(31));
  expect(await expireOrders(db(), ctx, later(31))).toBe(3);
  expect(await stored()).toEqual(single);
});

test("two concurrent workers expire each order once", async () => {
  await seedManyOrders(db(), { address: shop.address, first: 1, count: 300 }, now);
  await seedCursor(db(), "ethereum", later(31));
  const counts = await Promise.all([1, 2, 3].map(() => expireOrders(db(), ctx, later(31))));
  expect(counts.reduce((sum, count) => sum + count)).toBe(300);
  expect(await db().$count(auditEvents)).toBe(300);
  expect(await db().$count(orders, eq(orders.version, 2))).toBe(300);
});

test("orders of a network that is not read that far hold up none of another's", async () => {
  const onBsc = await seedAddress(db(), { merchantId: shop.merchant.id, network: "bsc" }, now);
  await seedManyOrders(db(), { address: shop.address, first: 1, count: 3_000 }, now);
  const other = await seedOrder(db(), { address: onBsc, baseUnits: 9n }, now);
  await seedCursor(db(), "ethereum", later(1));
  await seedCursor(db(), "bsc", later(31));
  expect(await expireOrders(db(), ctx, later(31))).toBe(1);
  expect((await db().select().from(orders).where(eq(orders.id, other.id)))[0]?.status).toBe("expired");
});

test("an order waits for an unconfirmed payment whose block is dated before the order, and for no other transfer", async () => {
  await seedCursor(db(), "ethereum", later(31));
  const order = await seedOrder(db(), { address: shop.address, baseUnits: 5n }, now);
  const older = await seedOrder(db(), { address: shop.address, baseUnits: 6n }, now);
  const early = { address: shop.address, blockTime: later(-360) };
  const match = (id: string, more: Partial<typeof transfers.$inferInsert> = {}) =>
    db()
      .update(transfers)
      .set({ matchedAt: later(5), unmatchedReason: "late", ...more })
      .where(eq(transfers.id, id));
  const payment = await seedTransfer(db(), { ...early, baseUnits: 5n }, later(5));
  await match(payment.id);
  const seenBefore = await seedTransfer(db(), { ...early, baseUnits: 6n }, later(-5));
  await match(seenBefore.id);
  expect(await expireOrders(db(), ctx, later(31))).toBe(1);
  const statusOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;
  expect([await statusOf(order.id), await statusOf(older.id)]).toEqual(["pending", "expired"]);
  await match(payment.id, { status: "confirmed", confirmedAt: later(32) });
  expect(await expireOrders(db(), ctx, later(32))).toBe(1);
  expect(await statusOf(order.id)).toBe("expired");
});
