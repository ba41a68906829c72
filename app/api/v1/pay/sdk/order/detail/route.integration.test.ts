import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { callbacks, orders, transfers } from "@/db/schema";
import { seedAddress, seedCursor, seedMerchant, seedTransfer } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const URLS = { notify_url: "https://shop.example.com/cb", redirect_url: "https://shop.example.com/thanks" };
let address: Awaited<ReturnType<typeof seedAddress>>;
let count = 0;

beforeAll(async () => {
  address = await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
});

async function createOrder(change: Record<string, unknown> = {}) {
  count += 1;
  const terms = { currency: "USDT", network: "bsc", amount: 10 + count, mch_order_id: `detail-${count}`, ...change };
  const { body } = await api.post("/order/add", terms);
  if (!body.data) throw new Error(body.message);
  return { ...terms, created: body.data, tradeId: String(body.data["trade_id"]) };
}

/** Inserts a transfer that is credited to the order, in the same state as after matching. */
async function addTransfer(tradeId: string, change: Partial<typeof transfers.$inferInsert> & { baseUnits: bigint }) {
  const { pool } = api;
  const seeded = await seedTransfer(
    pool.db,
    { address, baseUnits: change.baseUnits, position: String(count++) },
    new Date(),
  );
  const [order] = await pool.db.select().from(orders).where(eq(orders.id, tradeId));
  const link = { orderId: tradeId, quoteId: order?.quoteId ?? null, matchedAt: new Date(), ...change };
  await pool.db.update(transfers).set(link).where(eq(transfers.id, seeded.id));
  return seeded;
}

describe("200", () => {
  test("200: a new order is shown with every promised field", async () => {
    const { created, tradeId, mch_order_id } = await createOrder(URLS);
    const { status, body } = await api.post("/order/detail", { trade_id: tradeId });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...created,
      ...URLS,
      mch_order_id,
      status: "pending",
      exception: null,
      version: 1,
      paid_amount: 0,
      tx_hash: null,
      transfers: [],
      callback: { status: "none", attempts: 0, last_http_status: null, delivered_at: null },
      subject: null,
      metadata: null,
      created_at: expect.any(Number),
      paid_at: null,
    });
  });

  test("200: either name finds an order, and both together", async () => {
    const { tradeId: trade_id, mch_order_id } = await createOrder();
    for (const names of [{ trade_id }, { mch_order_id }, { trade_id, mch_order_id }]) {
      const { status, body } = await api.post("/order/detail", names);
      expect(status).toBe(200);
      expect(body.data?.["trade_id"]).toBe(trade_id);
    }
  });

  test("200: a transfer on its way shows how far it is", async () => {
    const { tradeId } = await createOrder({ amount: 5_000 });
    await seedCursor(api.pool.db, "bsc", new Date(), 102);
    const { txId } = await addTransfer(tradeId, { baseUnits: 5_000n * 10n ** 18n, blockHeight: 100 });
    const { body } = await api.post("/order/detail", { trade_id: tradeId });
    expect(body.data?.["transfers"]).toEqual([
      {
        tx_hash: txId,
        amount: 5_000,
        status: "seen",
        confirmations: 3,
        required_confirmations: 5,
        seen_at: expect.any(Number),
        explorer_url: `https://bscscan.com/tx/${txId}`,
      },
    ]);
  });

  test("200: a paid order shows every digit that arrived, the transaction and the callback", async () => {
    const { tradeId } = await createOrder({ amount: 6_000, ...URLS });
    const units = 6_000n * 10n ** 18n + 1n;
    const now = new Date(1_790_000_000_000);
    const confirmed = { status: "confirmed" as const, confirmations: 5, confirmedAt: now };
    const { id, txId } = await addTransfer(tradeId, { baseUnits: units, ...confirmed });
    const paid = { status: "paid" as const, exception: "overpaid" as const, paidUnits: units, paidAt: now };
    await api.pool.db
      .update(orders)
      .set({ ...paid, settledByTransferId: id })
      .where(eq(orders.id, tradeId));
    await api.pool.db.insert(callbacks).values({
      id: `evt_${tradeId}`,
      merchantId: api.merchant.id,
      orderId: tradeId,
      type: "payment.confirmed",
      url: URLS.notify_url,
      origin: "https://shop.example.com:443",
      body: "{}",
      status: "delivered",
      attempts: 2,
      lastHttpStatus: 200,
      deliveredAt: now,
      createdAt: now,
    });
    const { body, text } = await api.post("/order/detail", { trade_id: tradeId });
    expect(text).toContain('"paid_amount":6000.000000000000000001,');
    expect(body.data).toMatchObject({
      status: "paid",
      exception: "overpaid",
      tx_hash: txId,
      paid_at: 1_790_000_000,
      transfers: [{ status: "confirmed", confirmations: 5 }],
      callback: { status: "delivered", attempts: 2, last_http_status: 200, delivered_at: 1_790_000_000 },
    });
  });
});

describe("400", () => {
  test.each([{}, { trade_id: null }, { trade_id: "", mch_order_id: "" }])("400: neither id in %j", async (names) => {
    const { status, body } = await api.post("/order/detail", names);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 10001, errors: [{ field: "trade_id" }, { field: "mch_order_id" }] });
  });

  test("400: ids must be texts", async () => {
    const { status, body } = await api.post("/order/detail", { trade_id: 5, mch_order_id: ["x"] });
    expect(status).toBe(400);
    expect(body.errors?.map(({ field }) => field)).toEqual(["trade_id", "mch_order_id"]);
  });
});

describe("404", () => {
  test("404: an unknown id, and a text that cannot be an id", async () => {
    for (const trade_id of ["01j0000000000000000000000a", "no id at all", "'; drop table orders"]) {
      const { status, body } = await api.post("/order/detail", { trade_id });
      expect(status).toBe(404);
      expect(body.code).toBe(10003);
    }
  });

  test("404: another merchant's order", async () => {
    const { tradeId: trade_id, mch_order_id } = await createOrder();
    const other = await seedMerchant(api.pool.db, new Date());
    for (const names of [{ trade_id }, { mch_order_id }]) {
      const { status, body } = await api.post("/order/detail", names, { "x-api-key": other.apiKey });
      expect(status).toBe(404);
      expect(body.code).toBe(10003);
    }
  });

  test("404: two names of two orders", async () => {
    const one = await createOrder();
    const two = await createOrder();
    const { status } = await api.post("/order/detail", { trade_id: one.tradeId, mch_order_id: two.mch_order_id });
    expect(status).toBe(404);
  });
});
