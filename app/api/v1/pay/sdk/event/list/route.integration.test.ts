import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { callbacks, events } from "@/db/schema";
import { enqueueCallbacks } from "@/lib/callbacks/callback-sender";
import { newId } from "@/lib/domain/id";
import { createLog } from "@/lib/log";
import { moveOrder } from "@/lib/orders/move-order";
import { detailData } from "@/testing/callbacks/seed";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const ctx = { publicUrl: "https://pay.example.com", log: createLog("test", "fatal") };
let address: Awaited<ReturnType<typeof seedAddress>>;
let units = 10n ** 18n;

beforeAll(async () => {
  address = await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
});

interface Listed {
  events: { id: string; type: string; data: { trade_id: string } }[];
  next: number;
}

async function list(after: number, limit = 100): Promise<Listed> {
  const { status, body } = await api.post("/event/list", { after, limit });
  expect([status, body.message]).toEqual([200, "success"]);
  return body.data as unknown as Listed;
}

/** Creates an order and marks it as paid, as a user does. */
async function payOrder(notifyUrl: string | null): Promise<string> {
  units += 10n ** 14n;
  const reported = notifyUrl === null ? {} : { notifyUrl };
  const { id } = await seedOrder(api.pool.db, { address, baseUnits: units, ...reported }, new Date());
  const cause = { type: "markedPaid", userId: "u", reason: "test" } as const;
  expect(await moveOrder(api.pool.db, ctx, id, cause, new Date())).toBe("paid");
  return id;
}

test("200: events with and without a callback are listed, oldest first, as in callbacks", async () => {
  const ids = [await payOrder("https://shop.example.com/cb"), await payOrder(null)];
  const first = await list(0, 1);
  const second = await list(first.next, 1);
  expect([first.events.length, second.events.length]).toEqual([1, 1]);
  expect([...first.events, ...second.events].map(({ data }) => data.trade_id)).toEqual(ids);
  expect(await list(second.next)).toEqual({ events: [], next: second.next });
  const { text } = await api.post("/event/list", { limit: 2 });
  const [callback] = await api.pool.db
    .select()
    .from(callbacks)
    .where(eq(callbacks.orderId, ids[0] ?? ""));
  expect(text).toContain(callback?.body);
  expect(
    await api.pool.db
      .select()
      .from(callbacks)
      .where(eq(callbacks.orderId, ids[1] ?? "")),
  ).toEqual([]);
  expect(await list(0, 1)).toEqual(first);
});

test("200: a merchant cannot read another merchant's events", async () => {
  await payOrder(null);
  const stranger = await seedMerchant(api.pool.db, new Date());
  const { body } = await api.post("/event/list", {}, { "x-api-key": stranger.apiKey });
  expect(body.data).toEqual({ events: [], next: 0 });
  await payOrder(null);
  const theirs = await seedAddress(api.pool.db, { merchantId: stranger.id, network: "bsc" }, new Date());
  const { id } = await seedOrder(api.pool.db, { address: theirs, baseUnits: units }, new Date());
  await moveOrder(api.pool.db, ctx, id, { type: "markedPaid", userId: "u", reason: "test" }, new Date());
  const after = await api.post("/event/list", {}, { "x-api-key": stranger.apiKey });
  expect(after.body.data).toMatchObject({ events: [{ data: { trade_id: id } }], next: 1 });
});

test("a reader that pages with cursors misses no event, while many write concurrently and some slowly", async () => {
  const { db } = api.pool;
  const begin = (await list(0)).next;
  const orders: string[] = [];
  for (let count = 0; count < 40; count++) {
    units += 10n ** 14n;
    orders.push((await seedOrder(db, { address, baseUnits: units }, new Date())).id);
  }
  let isDone = false;
  /** Reads all events from the first one, and continues until no writer is active. */
  const readOn = async () => {
    const seen: string[] = [];
    for (let [cursor, isLast] = [begin, false]; ; ) {
      const page = await list(cursor, 3);
      cursor = page.next;
      seen.push(...page.events.map(({ data }) => data.trade_id));
      if (isLast && page.events.length === 0) return seen.toSorted();
      isLast = isDone;
    }
  };
  const readers = Promise.all([readOn(), readOn(), readOn()]);
  const write = (orderId: string, version: number) =>
    db.transaction(async (tx) => {
      const event = { merchantId: api.merchant.id, orderId, type: "payment.confirmed", version, url: null } as const;
      await enqueueCallbacks(tx, [{ ...event, data: detailData({ trade_id: orderId }) }], new Date());
      // Keeps this transaction open while other transactions write events and the readers read them.
      for (let turn = 0; turn < version; turn++) await tx.execute("select 1");
    });
  await Promise.all(orders.map((id, index) => write(id, 1 + (index % 8) * 5)));
  isDone = true;
  for (const seen of await readers) expect(seen).toEqual(orders.toSorted());
  const isOwn = eq(events.merchantId, api.merchant.id);
  const numbers = (await db.select({ number: events.number }).from(events).where(isOwn)).map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("an event of a change is written once, also when it is repeated", async () => {
  const { db } = api.pool;
  units += 10n ** 14n;
  const { id: orderId } = await seedOrder(db, { address, baseUnits: units }, new Date());
  const url = "https://shop.example.com/cb";
  const payload = { merchantId: api.merchant.id, orderId, type: "payment.confirmed", version: 2, url } as const;
  const event = { ...payload, data: detailData() };
  await enqueueCallbacks(db, [event], new Date());
  await enqueueCallbacks(db, [event], new Date());
  expect(await db.$count(events, eq(events.orderId, orderId))).toBe(1);
  expect(await db.$count(callbacks, eq(callbacks.orderId, orderId))).toBe(1);
});

test.each([
  ["after", "x"],
  ["after", -1],
  ["limit", 101],
])("400: %s %s is refused with a message", async (field, value) => {
  const { status, body } = await api.post("/event/list", { [field]: value });
  expect([status, body.errors]).toMatchObject([400, [{ field }]]);
});

test("401: without a key, or with one that is none, nothing is listed", async () => {
  expect((await api.post("/event/list", {}, { "x-api-key": null })).status).toBe(401);
  expect((await api.post("/event/list", {}, { "x-api-key": newId(new Date()) })).status).toBe(401);
});
