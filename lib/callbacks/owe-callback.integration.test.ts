import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { callbacks } from "@/db/schema";
import { oweCallback } from "@/lib/callbacks/owe-callback";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const ctx = { publicUrl: "https://pay.example.com" };
const now = new Date("2026-01-01T12:00:00.123Z");
const list = (orderId: string) => db().select().from(callbacks).where(eq(callbacks.orderId, orderId));
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeEach(async () => {
  await db().execute(sql`truncate merchants, orders, quotes, audit_events cascade`);
  const { id: merchantId } = await seedMerchant(db(), now);
  address = await seedAddress(db(), { merchantId, network: "bsc" }, now);
});

const seed = (notifyUrl?: string) =>
  seedOrder(db(), { address, baseUnits: 10_500_000_000_000_000_001n, ...(notifyUrl ? { notifyUrl } : {}) }, now);

test("a paid order owes one callback with the order as order/detail shows it, due at once", async () => {
  const order = await seed("https://Shop.example.com:443/paid?x=1");
  await oweCallback(db(), ctx, order.id, now);
  const [callback] = await list(order.id);
  expect(callback).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    merchantId: address.merchantId,
    type: "payment.confirmed",
    url: "https://Shop.example.com:443/paid?x=1",
    origin: "https://shop.example.com",
    status: "pending",
    attempts: 0,
    nextAttemptAt: now,
  });
  const body = JSON.parse(callback?.body ?? "");
  expect(body).toMatchObject({ id: callback?.id, type: "payment.confirmed", timestamp: "2026-01-01T12:00:00.123Z" });
  expect(Object.keys(body)).toEqual(["id", "type", "timestamp", "data"]);
  expect(body.data).toMatchObject({
    trade_id: order.id,
    network: "bsc",
    payment_url: `https://pay.example.com/pay/${order.id}`,
    callback: { status: "pending", attempts: 0, last_http_status: null, delivered_at: null },
  });
  expect(callback?.body).toContain('"amount":10.500000000000000001');
});

test("owed twice, it is there once, and the first stays", async () => {
  const order = await seed("https://shop.example.com/paid");
  await oweCallback(db(), ctx, order.id, now);
  const [first] = await list(order.id);
  await oweCallback(db(), ctx, order.id, new Date(now.getTime() + 1_000));
  expect(await list(order.id)).toEqual([first]);
});

test("without a notify_url nothing is owed", async () => {
  const order = await seed();
  await oweCallback(db(), ctx, order.id, now);
  expect(await list(order.id)).toEqual([]);
});

test("it stands and falls with the transaction, and senders are woken when that commits", async () => {
  const order = await seed("https://shop.example.com/paid");
  let wakes = 0;
  const listening = await testDb.pool.sql.listen("callback_due", () => {
    wakes += 1;
  });
  const failing = db().transaction(async (tx) => {
    await oweCallback(tx, ctx, order.id, now);
    throw new Error("taken back");
  });
  await expect(failing).rejects.toThrow("taken back");
  expect(await list(order.id)).toEqual([]);
  await db().transaction((tx) => oweCallback(tx, ctx, order.id, now));
  await vi.waitFor(() => expect(wakes).toBe(1));
  await listening.unlisten();
});

test("an order that is not there is an error", async () => {
  await expect(oweCallback(db(), ctx, "0".repeat(26), now)).rejects.toThrow("not stored");
});
