import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { callbacks } from "@/db/schema";
import { enqueueCallbacks, type NewCallbackEvent } from "@/lib/callbacks/callback-sender";
import { CALLBACK_DUE } from "@/lib/domain/channels";
import { exactNumber } from "@/lib/domain/orders/order-wire";
import { detailData } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-01-01T12:00:00.123Z");
const list = (orderId: string) => db().select().from(callbacks).where(eq(callbacks.orderId, orderId));
let address: Awaited<ReturnType<typeof seedAddress>>;
let nextUnits = 10_500_000_000_000_000_000n;

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events");
  const { id: merchantId } = await seedMerchant(db(), now);
  address = await seedAddress(db(), { merchantId, network: "bsc" }, now);
});

async function pending(url: string): Promise<NewCallbackEvent> {
  nextUnits += 1_000_000_000_000n;
  const { id: orderId } = await seedOrder(db(), { address, baseUnits: nextUnits }, now);
  const data = detailData({ trade_id: orderId, amount: exactNumber("10.500000000000000001") });
  return { merchantId: address.merchantId, orderId, type: "payment.confirmed", version: 2, url, data };
}

test("an enqueued event is one callback, due at once, with all digits", async () => {
  const events = await pending("https://Shop.example.com:443/paid?x=1");
  await enqueueCallbacks(db(), [events], now);
  const [callback] = await list(events.orderId);
  expect(callback).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-z]{28}$/),
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
  expect(body.data.trade_id).toBe(events.orderId);
  expect(callback?.body).toContain('"amount":10.500000000000000001');
});

test("a repeat is stored once, and the first one stays", async () => {
  const events = await pending("https://shop.example.com/paid");
  await enqueueCallbacks(db(), [events], now);
  const [first] = await list(events.orderId);
  await enqueueCallbacks(db(), [events], new Date(now.getTime() + 1_000));
  expect(await list(events.orderId)).toEqual([first]);
});

test("when one of many exists already, the others are written", async () => {
  const events = [await pending("https://a.example.com/"), await pending("https://b.example.com/")];
  await enqueueCallbacks(db(), events.slice(0, 1), now);
  await enqueueCallbacks(db(), events, now);
  for (const { orderId, url } of events) expect(await list(orderId)).toMatchObject([{ url, nextAttemptAt: now }]);
});

test("it commits or rolls back with the transaction, and senders are notified when that commits", async () => {
  const events = await pending("https://shop.example.com/paid");
  let wakes = 0;
  const listening = await testDb.pool.sql.listen(CALLBACK_DUE, () => {
    wakes += 1;
  });
  const failing = db().transaction(async (tx) => {
    await enqueueCallbacks(tx, [events], now);
    throw new Error("taken back");
  });
  await expect(failing).rejects.toThrow("taken back");
  expect(await list(events.orderId)).toEqual([]);
  await db().transaction((tx) => enqueueCallbacks(tx, [events], now));
  await vi.waitFor(() => expect(wakes).toBe(1));
  await listening.unlisten();
});
