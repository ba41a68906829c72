import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { insertChannel } from "@/db/queries/notifications/channels";
import { insertOrder } from "@/db/queries/orders/order-creation";
import {
  accountEmails,
  auditEvents,
  callbackAttempts,
  callbacks,
  merchants,
  notifications,
  orders,
  quotes,
  transfers,
  usedOrderNumbers,
} from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { keepRetention } from "@/lib/orders/keep-retention";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedCursor, seedMerchant, seedOrder, seedPerson, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-11-20T10:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let address: Awaited<ReturnType<typeof seedAddress>>;
beforeEach(async () => {
  merchant = await seedMerchant(db(), now);
  address = await seedAddress(db(), { merchantId: merchant.id }, now);
  await seedCursor(db(), "ethereum", now);
});

/** Inserts a closed order created this many days ago whose hold was released soon afterwards. */
async function oldOrder(days: number, units: bigint) {
  const order = await seedOrder(db(), { address, baseUnits: units }, daysAgo(days));
  const released = new Date(order.reservedUntil.getTime() + 180_000);
  await db().update(quotes).set({ releasedAt: released }).where(eq(quotes.orderId, order.id));
  await db().update(orders).set({ status: "expired" }).where(eq(orders.id, order.id));
  return order;
}

/** Simulates that a minute has passed since the numbers were stored. */
const aMinuteLater = () => db().execute(sql`update used_order_numbers set used_at = used_at - interval '2 minutes'`);
const exists = async (id: string) => (await db().$count(orders, eq(orders.id, id))) === 1;

test("old finished records are deleted with everything that belongs to them; others stay", async () => {
  const old = await oldOrder(120, 5n);
  const young = await oldOrder(80, 6n);
  const waits = await oldOrder(120, 7n);
  const touched = await oldOrder(120, 8n);
  await db().update(orders).set({ status: "pending" }).where(eq(orders.id, waits.id));
  await seedTransfer(db(), { address, baseUnits: 8n }, now);
  await db().update(transfers).set({ orderId: touched.id, quoteId: touched.quoteId, matchedAt: now });
  await keepRetention(db(), 90, now);
  expect(await exists(old.id)).toBe(true);
  await aMinuteLater();
  expect(await keepRetention(db(), 90, now)).toBe(1);
  expect(await Promise.all([old, young, waits, touched].map(({ id }) => exists(id)))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(await db().$count(quotes, eq(quotes.orderId, old.id))).toBe(0);
  expect(await keepRetention(db(), 90, now)).toBe(0);
});

test("money stays, and so do the orders it reached, however old", async () => {
  const reached = [await oldOrder(400, 5n), await oldOrder(400, 6n)];
  for (const [index, order] of reached.entries()) {
    const sent = await seedTransfer(db(), { address, baseUnits: BigInt(index + 5) }, daysAgo(400));
    const paid = { orderId: order.id, quoteId: order.quoteId, matchedAt: daysAgo(400), status: "confirmed" as const };
    await db().update(transfers).set(paid).where(eq(transfers.id, sent.id));
  }
  const [whole, part] = reached;
  await db()
    .update(orders)
    .set({ status: "paid", paidAt: daysAgo(400) })
    .where(eq(orders.id, whole?.id ?? ""));
  await keepRetention(db(), 90, now);
  await aMinuteLater();
  expect(await keepRetention(db(), 90, now)).toBe(0);
  expect(await Promise.all([whole, part].map((order) => exists(order?.id ?? "")))).toEqual([true, true]);
  const ids = reached.map(({ id }) => id);
  expect(await db().$count(transfers, inArray(transfers.orderId, ids))).toBe(2);
});

test("an order that money is assigned to after its number was written down stays, and so does the money", async () => {
  const old = await oldOrder(120, 5n);
  await keepRetention(db(), 90, now);
  const sent = await seedTransfer(db(), { address, baseUnits: 5n }, daysAgo(120));
  const paid = { orderId: old.id, quoteId: old.quoteId, matchedAt: now, status: "confirmed" as const };
  await db().update(transfers).set(paid).where(eq(transfers.id, sent.id));
  await db().update(orders).set({ status: "paid", paidAt: now, changedAt: now }).where(eq(orders.id, old.id));
  await aMinuteLater();
  expect(await keepRetention(db(), 90, now)).toBe(0);
  expect(await exists(old.id)).toBe(true);
  expect(await db().$count(transfers, eq(transfers.id, sent.id))).toBe(1);
});

test("the number of an order that went stays used for ever", async () => {
  const old = await oldOrder(120, 5n);
  await keepRetention(db(), 90, now);
  await aMinuteLater();
  await keepRetention(db(), 90, now);
  expect(await exists(old.id)).toBe(false);
  const again = {
    id: newId(now),
    quoteId: newId(now),
    apiKeyId: merchant.keyId,
    merchantId: merchant.id,
    mchOrderId: old.id,
    network: "ethereum",
    currency: "USDT" as const,
    token: old.token,
    amountUnits: 5n,
    unitsPerStep: 1n,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
    expiresInSeconds: null,
  };
  expect(await insertOrder(db(), again, now)).toBeNull();
  const used = await db().select().from(usedOrderNumbers).where(eq(usedOrderNumbers.mchOrderId, old.id));
  expect(used).toMatchObject([{ orderId: old.id, isPruned: true }]);
});

test("without a setting nothing goes", async () => {
  const old = await oldOrder(4_000, 5n);
  await keepRetention(db(), null, now);
  await aMinuteLater();
  expect(await keepRetention(db(), null, now)).toBe(0);
  expect(await exists(old.id)).toBe(true);
});

test("history is partitioned by month, created in advance by any number of workers, and deleted by whole months", async () => {
  await Promise.all([1, 2, 3].map(() => keepRetention(db(), null, now)));
  const notify = (at: Date) => insertAuditEvent(db(), { merchantId: merchant.id, action: "file.downloaded" }, at);
  for (const at of [daysAgo(400), now, new Date("2026-12-05T00:00:00Z"), new Date("2027-01-31T23:59:59Z")])
    await notify(at);
  const partitions = async () => {
    const rows = await db().execute<{ name: string }>(
      sql`select tableoid::regclass::text as name from audit_events where action = 'file.downloaded' order by at`,
    );
    return rows.map(({ name }) => name);
  };
  expect(await partitions()).toEqual([
    ...["audit_events_default", "audit_events_default", "audit_events_2026_12", "audit_events_2027_01"],
  ]);
  await keepRetention(db(), 90, new Date("2027-04-15T00:00:00Z"));
  expect(await partitions()).toEqual(["audit_events_2027_01"]);
  expect(await db().$count(auditEvents, eq(auditEvents.merchantId, merchant.id))).toBe(1);
});

test("delivered events are deleted after 30 days, unsent emails after two; pending ones stay", async () => {
  const merchantId = merchant.id;
  const userId = await seedPerson(db(), { merchantId, email: "reported@example.com" }, now);
  const channel = {
    id: "reported",
    merchantId,
    userId,
    way: "email",
    shown: "reported@example.com",
    targetCipher: "",
  } as const;
  const report = { language: "en", timeZone: "UTC", reportHour: 8, codeHash: null, codeExpiresAt: null };
  await insertChannel(db(), { ...channel, ...report }, now);
  const reported = { merchantId, channelId: "reported", kind: "orderPaid", facts: {} } as const;
  await db()
    .insert(notifications)
    .values([
      { ...reported, id: "old", factKey: "1", createdAt: daysAgo(31), sentAt: daysAgo(31) },
      { ...reported, id: "new", factKey: "2", createdAt: daysAgo(29), sentAt: daysAgo(29) },
      { ...reported, id: "pending", factKey: "3", createdAt: daysAgo(31), dueAt: now },
    ]);
  const mail = { kind: "passwordReset", email: "reported@example.com", facts: {}, language: "en", dueAt: now } as const;
  await db()
    .insert(accountEmails)
    .values([
      { ...mail, id: "old", createdAt: daysAgo(3) },
      { ...mail, id: "new", createdAt: daysAgo(1) },
    ]);
  await keepRetention(db(), null, now);
  expect((await db().select().from(notifications)).map(({ id }) => id).toSorted()).toEqual(["new", "pending"]);
  expect((await db().select().from(accountEmails)).map(({ id }) => id)).toEqual(["new"]);
});

test("a shop can delete unpaid orders sooner than the installation does; another shop's stay", async () => {
  const mine = await oldOrder(120, 5n);
  const young = await oldOrder(95, 6n);
  const other = await seedMerchant(db(), now);
  const at = await seedAddress(db(), { merchantId: other.id }, now);
  const theirs = await seedOrder(db(), { address: at, baseUnits: 5n }, daysAgo(120));
  await db()
    .update(quotes)
    .set({ releasedAt: daysAgo(119) })
    .where(eq(quotes.orderId, theirs.id));
  await db().update(orders).set({ status: "expired" }).where(eq(orders.id, theirs.id));
  const tried = { merchantId: merchant.id, callbackId: "sent", number: 1, startedAt: daysAgo(120), durationMs: 5 };
  const sent = {
    orderId: mine.id,
    type: "order.expired",
    url: "https://shop.example/",
    origin: "https://shop.example:443",
  } as const;
  await db()
    .insert(callbacks)
    .values({ ...sent, id: "sent", merchantId: merchant.id, body: "{}", status: "delivered", createdAt: daysAgo(120) });
  await db().insert(callbackAttempts).values(tried);
  await db().update(merchants).set({ unpaidDays: 100 }).where(eq(merchants.id, merchant.id));
  for (const days of [null, 365]) await keepRetention(db(), days, now);
  await aMinuteLater();
  expect(await keepRetention(db(), null, now)).toBe(1);
  expect(await Promise.all([mine, young, theirs].map(({ id }) => exists(id)))).toEqual([false, true, true]);
  expect(await db().$count(callbackAttempts)).toBe(0);
  await db().update(merchants).set({ unpaidDays: null });
  await keepRetention(db(), null, now);
  await aMinuteLater();
  expect(await keepRetention(db(), null, now)).toBe(0);
});
