import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDb, workerName } from "@/db/client";
import { auditEvents, callbackOrigins, callbacks } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { resendCallback, resendFailedCallbacks } from "@/lib/callbacks/resend-callback";
import { freeHeldByLost } from "@/lib/watch/network-reader";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { seedCallbacks, senderContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { explain } from "@/testing/database/explain";
import { seedMerchant, seedPerson } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const begin = new Date();
const later = (seconds: number) => new Date(begin.getTime() + seconds * 1_000);
let merchantId = "";
let userId = "";
let shop: Receiver;
let status = 200;

const read = async (id: string) => (await db().select().from(callbacks).where(eq(callbacks.id, id)))[0];
const send = async (at: Date) => {
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => at),
  );
  await sender.tick();
  await sender.drain();
};
const addUser = (merchant: string) => seedPerson(db(), { merchantId: merchant }, begin);
const seed = async (change: { count?: number; status?: "failed" } = {}, at = begin) =>
  seedCallbacks(db(), { merchantId, url: `${shop.origin}/paid`, ...change }, at);
const first = (ids: string[]) => ids[0] ?? "";

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "callback_origins");
  merchantId = (await seedMerchant(db(), later(-60))).id;
  userId = await addUser(merchantId);
  status = 200;
  shop = await startReceiver((response) => answerWith(status)(response));
});

afterEach(() => shop.close());

test("a delivered callback can be sent again: same id, same body, counted on", async () => {
  const callbackId = first(await seed());
  await send(begin);
  expect(await resendCallback(db(), { merchantId, callbackId, userId }, later(10))).toBe(true);
  expect(await read(callbackId)).toMatchObject({ status: "pending", nextAttemptAt: later(10), seriesAttempts: 0 });
  await send(later(10));
  expect(await read(callbackId)).toMatchObject({ status: "delivered", attempts: 2, seriesAttempts: 1 });
  const [one, two] = shop.received;
  expect(two?.body).toBe(one?.body);
  expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
});

test("a failed callback gets a new series of attempts, and the user who requested it is recorded", async () => {
  status = 410;
  const callbackId = first(await seed());
  await send(begin);
  expect(await read(callbackId)).toMatchObject({ status: "failed" });
  status = 500;
  await resendCallback(db(), { merchantId, callbackId, userId }, later(10));
  await send(later(10));
  expect(await read(callbackId)).toMatchObject({ status: "pending", attempts: 2, seriesAttempts: 1 });
  const events = await db().select().from(auditEvents).where(eq(auditEvents.userId, userId));
  expect(events).toMatchObject([{ action: "callback.resent", detail: { callbackId } }]);
});

test("a pending callback is sent at once, even while its origin is paused", async () => {
  const callbackId = first(await seed());
  await db()
    .insert(callbackOrigins)
    .values({ origin: shop.origin, failures: 9, pausedUntil: later(60) });
  await send(later(10));
  expect(shop.received).toEqual([]);
  expect(await resendCallback(db(), { merchantId, callbackId, userId }, later(10))).toBe(true);
  await send(later(10));
  expect(await read(callbackId)).toMatchObject({ status: "delivered" });
});

test("a callback that is being sent at this moment is left alone", async () => {
  const callbackId = first(await seed());
  await db()
    .update(callbacks)
    .set({ leaseOwner: "x", leaseUntil: later(60), nextAttemptAt: later(60) });
  expect(await resendCallback(db(), { merchantId, callbackId, userId }, later(10))).toBe(false);
  expect(await read(callbackId)).toMatchObject({ leaseOwner: "x" });
});

test("another merchant's callback does not exist", async () => {
  const callbackId = first(await seed({ status: "failed" }));
  const other = (await seedMerchant(db(), begin)).id;
  const key = { merchantId: other, callbackId, userId: await addUser(other) };
  expect(await resendCallback(db(), key, later(10))).toBe(false);
  expect(await read(callbackId)).toMatchObject({ status: "failed" });
});

test("the failed callbacks of a filter are sent again, only those, and with a second press none", async () => {
  const days = (number: number) => new Date(Date.UTC(2026, 2, number, 12));
  const before = await seed({ status: "failed", count: 2 }, days(1));
  const inside = await seed({ status: "failed", count: 20 }, days(2));
  const after = await seed({ status: "failed", count: 2 }, days(3));
  const elsewhere = { merchantId, url: "https://other.example.com/paid", status: "failed" as const };
  const others = await seedCallbacks(db(), elsewhere, days(2));
  const filter = { host: new URL(shop.origin).host, from: "2026-03-02", to: "2026-03-02" };
  expect(await resendFailedCallbacks(db(), { merchantId, userId, filter }, later(10))).toBe(20);
  expect(await resendFailedCallbacks(db(), { merchantId, userId, filter }, later(10))).toBe(0);
  const rows = await db().select().from(callbacks).where(eq(callbacks.status, "pending"));
  expect(rows.map(({ id }) => id).toSorted()).toEqual(inside.toSorted());
  for (const id of [...before, ...after, ...others]) expect(await read(id)).toMatchObject({ status: "failed" });
  const events = await db().select().from(auditEvents).where(eq(auditEvents.action, "callbacks.resent"));
  expect(events).toMatchObject([{ userId, detail: { ...filter, count: 20 } }]);
});

test("two concurrent requests resend each failed callback once", async () => {
  await seed({ status: "failed", count: 30 });
  const press = () => resendFailedCallbacks(db(), { merchantId, userId, filter: {} }, later(10));
  const counts = await Promise.all([press(), press()]);
  expect(counts.toSorted()).toEqual([0, 30]);
});

test("an index serves every statement", async () => {
  const callbackId = first(await seed());
  await send(begin);
  const facts = await explain(testDb.pool.sql, async (tx) => {
    await resendCallback(tx, { merchantId, callbackId, userId }, later(10));
    await resendFailedCallbacks(tx, { merchantId, userId, filter: { from: "2026-03-02" } }, later(10));
  });
  expect(facts.scanned).toEqual([]);
});

test("callbacks claimed by a dead worker are due at once; those of a living one are left alone", async () => {
  const [dead, living] = ["one:1:deadbeef", "two:2:0badf00d"] as const;
  const owners = [dead, living, living];
  const ids = await seedCallbacks(db(), { merchantId, url: "https://shop.example.com/", count: 3 }, begin);
  for (const [index, id] of ids.entries()) {
    const lease = { leaseOwner: owners[index] ?? "", leaseUntil: later(30) };
    await db()
      .update(callbacks)
      .set({ ...lease, nextAttemptAt: lease.leaseUntil })
      .where(eq(callbacks.id, id));
  }
  const worker = openDb(testDb.url, { work: "worker", max: 1, applicationName: workerName(living) });
  await worker.sql`select 1`;
  expect(await freeHeldByLost(db(), begin)).toEqual({ sessions: 0, callbacks: 1 });
  await worker.close();
  const held = await db().select().from(callbacks).where(eq(callbacks.leaseOwner, living));
  expect(held).toHaveLength(2);
  expect(await db().$count(callbacks, eq(callbacks.nextAttemptAt, begin))).toBe(1);
});
