import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { searchOrderIds } from "@/db/queries/orders/order-search";
import { apiKeys, orders } from "@/db/schema";
import { createDb } from "@/db/session";
import { seedAddress, seedManyOrders, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const MANY = 20_000;
let count = 0;

beforeAll(async () => {
  for (const network of ["bsc", "ethereum"])
    await seedAddress(api.pool.db, { merchantId: api.merchant.id, network }, new Date());
});

async function createOrder(change: Record<string, unknown> = {}): Promise<string> {
  count += 1;
  const terms = { currency: "USDT", network: "bsc", amount: 10 + count, mch_order_id: `list-${count}`, ...change };
  const { body } = await api.post("/order/add", terms);
  return String(body.data?.["trade_id"]);
}

interface ListedPage {
  orders: Record<string, unknown>[];
  next_cursor: string | null;
}

async function list(search: Record<string, unknown>): Promise<ListedPage> {
  const { status, body } = await api.post("/order/list", search);
  expect([status, body.message]).toEqual([200, "success"]);
  return body.data as unknown as ListedPage;
}

/** Returns the `trade_id` of every order that a search finds, page by page. `between` runs after each page. */
async function listAll(search: Record<string, unknown>, between = async () => {}): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: ListedPage = await list({ ...search, cursor });
    found.push(...page.orders.map(({ trade_id }) => String(trade_id)));
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null);
  return found;
}

describe("200", () => {
  test("200: newest first, each as order/detail shows it", async () => {
    const ids = [await createOrder(), await createOrder({ currency: "USDC", network: "ethereum" })];
    const { orders: listed } = await list({ limit: 2 });
    expect(listed.map(({ trade_id }) => trade_id)).toEqual(ids.toReversed());
    for (const order of listed) {
      const { body } = await api.post("/order/detail", { trade_id: order["trade_id"] });
      expect(order).toEqual(body.data);
    }
  });

  test("200: while orders are made, those that were there are on exactly one page", async () => {
    const before: string[] = [];
    for (let index = 0; index < 7; index++) before.push(await createOrder());
    const found = await listAll({ limit: 3 }, async () => void (await createOrder()));
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(before));
  });

  test("200: by status, network, currency and time, and all of it together", async () => {
    const plain = await createOrder({ currency: "USDC" });
    const other = await createOrder({ network: "ethereum" });
    const cancelled = await createOrder();
    await api.post("/order/cancel", { trade_id: cancelled });
    expect(await listAll({ status: "cancelled" })).toEqual([cancelled]);
    const found = await listAll({ currency: "usdc", network: "BEP20" });
    expect([found.includes(plain), found.includes(other), found.includes(cancelled)]).toEqual([true, false, false]);
    expect(await listAll({ network: "erc20" })).toContain(other);
    expect(await listAll({ network: "ethereum", status: "cancelled" })).toEqual([]);
    const at = Date.UTC(2025, 0, 1) / 1_000;
    await api.pool.db
      .update(orders)
      .set({ createdAt: new Date(at * 1_000) })
      .where(sql`${orders.id} = ${plain}`);
    expect(await listAll({ created_from: at + 60 })).not.toContain(plain);
    expect(await listAll({ created_to: at })).toEqual([]);
    expect(await listAll({ created_from: at, created_to: at + 100_000_000 })).toContain(plain);
  });

  test("200: from a second on, and before a second; its number is a little older than an order", async () => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    const address = await seedAddress(api.pool.db, { merchantId: merchant.id }, new Date());
    const at = new Date("2026-01-01T10:00:05Z");
    const { id } = await seedOrder(api.pool.db, { address, baseUnits: 5n }, new Date(at.getTime() - 5_000));
    await api.pool.db.update(orders).set({ createdAt: at }).where(eq(orders.id, id));
    const search = { status: null, network: null, currency: null, cursor: null, limit: 1 };
    const ids = async (createdFrom: Date | null, createdTo: Date | null) =>
      (await searchOrderIds(api.pool.db, merchant.id, { ...search, createdFrom, createdTo })).ids;
    expect([await ids(at, null), await ids(null, at)]).toEqual([[id], []]);
    const next = new Date(at.getTime() + 1);
    expect([await ids(next, null), await ids(null, next)]).toEqual([[], [id]]);
  });

  test("200: a page holds 20 where nothing else is asked for, and after a last one that is full there is none", async () => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    const address = await seedAddress(api.pool.db, { merchantId: merchant.id }, new Date());
    for (let units = 1n; units <= 22n; units++) await seedOrder(api.pool.db, { address, baseUnits: units }, new Date());
    const page = async (search: object) =>
      (await api.post("/order/list", search, { "x-api-key": merchant.apiKey })).body.data as unknown as ListedPage;
    expect((await page({})).orders).toHaveLength(20);
    const first = await page({ limit: 11 });
    const last = await page({ limit: 11, cursor: first.next_cursor });
    expect([last.orders.length, last.next_cursor]).toEqual([11, null]);
  });

  test("200: a page contains no orders of another merchant", async () => {
    const stranger = await seedMerchant(api.pool.db, new Date());
    const { body } = await api.post("/order/list", {}, { "x-api-key": stranger.apiKey });
    expect(body.data).toEqual({ orders: [], next_cursor: null });
  });

  test("200: a page reads no more orders as their number grows, also with a selective filter", async () => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    const address = await seedAddress(api.pool.db, { merchantId: merchant.id }, new Date());
    await seedManyOrders(api.pool.db, { address, first: 1, count: MANY }, new Date());
    await api.pool.db.execute(sql`analyze`);
    const asked: { text: string; params: unknown[] }[] = [];
    const watched = postgres(api.url, { max: 1, debug: (_connection, text, params) => asked.push({ text, params }) });
    const search = { network: null, currency: null, createdFrom: null, createdTo: null, cursor: null, limit: 10 };
    for (const few of [{ status: "paid" }, { status: null, network: "bsc" }] as const) {
      asked.length = 0;
      const page = await searchOrderIds(createDb(watched), merchant.id, { ...search, ...few });
      expect(page).toEqual({ ids: [], nextCursor: expect.any(String) });
      const { text = "", params = [] } = asked.find((one) => one.text.includes("from orders")) ?? {};
      const [row] = await watched.unsafe(`explain (analyze, format json) ${text}`, params as never[]);
      const read = JSON.stringify(row).matchAll(/"Relation Name":\s*"(?:orders|quotes)".*?"Actual Rows":\s*(\d+)/g);
      const counts = [...read].map(([, rows]) => Number(rows));
      expect(counts).not.toEqual([]);
      expect(Math.max(...counts)).toBeLessThanOrEqual(2_001);
    }
    await watched.end();
  });
});

test.each([
  ["status", "done"],
  ["network", "nowhere"],
  ["currency", "EUR"],
  ["created_from", "yesterday"],
  ["created_to", -1],
  ["cursor", "x"],
  ["limit", 101],
  ["limit", 0],
])("400: %s %s is refused with a message", async (field, value) => {
  const { status, body } = await api.post("/order/list", { [field]: value });
  expect([status, body.code]).toEqual([400, 10001]);
  expect(body.errors).toMatchObject([{ field, message: expect.stringContaining(field) }]);
});

test("401: without a key nothing is listed, nor by one that was revoked a moment ago", async () => {
  expect((await api.post("/order/list", {}, { "x-api-key": null })).status).toBe(401);
  const merchant = await seedMerchant(api.pool.db, new Date());
  const headers = { "x-api-key": merchant.apiKey };
  expect((await api.post("/order/list", {}, headers)).status).toBe(200);
  await api.pool.db.update(apiKeys).set({ endsAt: new Date() }).where(eq(apiKeys.id, merchant.keyId));
  expect((await api.post("/order/list", {}, headers)).status).toBe(401);
});
