import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { orders } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { searchRecords } from "@/lib/search/search-records";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date();
const NUMBER = "A-1001";
let merchantId = "";
let other = "";
let order: Awaited<ReturnType<typeof seedOrder>>;
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeAll(async () => {
  merchantId = (await seedMerchant(db(), now)).id;
  other = (await seedMerchant(db(), now)).id;
  address = await seedAddress(db(), { merchantId }, now);
  order = await seedOrder(db(), { address, baseUnits: 5n }, now);
  await db().update(orders).set({ mchOrderId: NUMBER }).where(eq(orders.id, order.id));
});

const found = async (text: string, merchant = merchantId) =>
  (await searchRecords(db(), merchant, text)).map(({ kind, href }) => `${kind} ${href}`);

test("records are found by exact values, with their pages; other shops' are not", async () => {
  const { id } = order;
  const transfer = await seedTransfer(db(), { address, baseUnits: 7n, position: "a" }, now);
  const [callback = ""] = await seedCallbacks(db(), { merchantId, url: "https://shop.example.com/" }, now);
  const named = [
    [id, `order /dashboard/orders/${id}`],
    [` ${id.toUpperCase()} `, `order /dashboard/orders/${id}`],
    [NUMBER, `order /dashboard/orders/${id}`],
    [transfer.txId, `transfer /dashboard/transfers/${transfer.id}`],
    [callback, `callback /dashboard/callbacks/${callback}`],
    [address.address, `receiving /dashboard/transfers?q=${address.address}`],
    [transfer.fromAddress, `sender /dashboard/transfers?q=${transfer.fromAddress}`],
  ] as const;
  for (const [text, cursor] of named) {
    expect([text, await found(text)]).toEqual([text, expect.arrayContaining([cursor])]);
    expect([text, await found(text, other)]).toEqual([text, []]);
  }
});

test.each(["", "ab", "%%%", "x".repeat(200), "\0\0\0\0", "no such thing", newId(now)])(
  "%j names nothing",
  async (text) => {
    expect(await found(text)).toEqual([]);
  },
);

test("every way is by an index", async () => {
  await seedCallbacks(db(), { merchantId, url: "https://shop.example.com/", count: 2_000 }, now);
  await db().execute("analyze orders");
  const facts = await explain(testDb.pool.sql, (watched) => searchRecords(watched, merchantId, `0x${"ab".repeat(32)}`));
  expect(facts.scanned).toEqual([]);
  expect(facts.indexes).toEqual(
    expect.arrayContaining([
      "orders_merchant_id_mch_order_id_key",
      "transfers_identity_key",
      "transfers_from_address_idx",
    ]),
  );
});
