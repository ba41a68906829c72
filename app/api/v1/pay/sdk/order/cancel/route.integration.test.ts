import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { apiKeys, auditEvents, orders, quotes, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { seedAddress, seedMerchant, seedTransfer } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
let address: Awaited<ReturnType<typeof seedAddress>>;
let count = 0;

beforeAll(async () => {
  address = await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
});

async function createOrder(): Promise<{ trade_id: string; mch_order_id: string }> {
  count += 1;
  const mch_order_id = `cancel-${count}`;
  const { body } = await api.post("/order/add", { currency: "USDT", network: "bsc", amount: 10 + count, mch_order_id });
  return { trade_id: String(body.data?.["trade_id"]), mch_order_id };
}

test("200: an order that waits is cancelled, by either name; asked again it stays so, and the record names the key", async () => {
  const { trade_id, mch_order_id } = await createOrder();
  const first = await api.post("/order/cancel", { mch_order_id });
  expect([first.status, first.body.data?.["status"]]).toEqual([200, "cancelled"]);
  const again = await api.post("/order/cancel", { trade_id });
  expect(again.body.data).toEqual(first.body.data);
  const records = await api.pool.db.select().from(auditEvents).where(eq(auditEvents.orderId, trade_id));
  expect(records).toMatchObject([
    { action: "order.cancelled", userId: null, detail: { apiKeyId: api.merchant.keyId } },
  ]);
});

test.each([
  ...["/api/v1/pay/order/cancel", "/api/v1/pay/sdk/order/cancel"],
  ...["/api/v1/pay/order/cancel-by-trade-id", "/api/v1/pay/sdk/order/cancel-by-trade-id"],
])("200: an order is cancelled by %s", async (path) => {
  const { mch_order_id, trade_id } = await createOrder();
  const headers = { "content-type": "application/json", "x-api-key": api.merchant.apiKey };
  const { status, body } = await api.request(path, { method: "POST", headers, body: JSON.stringify({ trade_id }) });
  expect([status, body.code]).toEqual([200, 0]);
  expect(body.data).toMatchObject({ trade_id, mch_order_id, status: "cancelled" });
});

test("409: a key cannot cancel after a transfer was seen, and the message says what to do", async () => {
  const { trade_id } = await createOrder();
  const seen = await seedTransfer(api.pool.db, { address, baseUnits: 1n, position: newId(new Date()) }, new Date());
  const [order] = await api.pool.db.select().from(orders).where(eq(orders.id, trade_id));
  const link = { orderId: trade_id, quoteId: order?.quoteId ?? null, matchedAt: new Date() };
  await api.pool.db.update(transfers).set(link).where(eq(transfers.id, seen.id));
  const { status, body } = await api.post("/order/cancel", { trade_id });
  expect([status, body.code, body.data]).toEqual([409, 10004, { trade_id, status: "pending" }]);
  expect(body.message).toMatch(/has arrived.*back office/);
});

test.each(["seen", "confirmed"] as const)(
  "409: a payment that is %s and not matched yet keeps an order from being cancelled; dropped, it does not",
  async (status) => {
    const { trade_id } = await createOrder();
    const [quote] = await api.pool.db.select().from(quotes).where(eq(quotes.orderId, trade_id));
    const { baseUnits = 0n } = quote ?? {};
    const paid = await seedTransfer(api.pool.db, { address, baseUnits, position: newId(new Date()) }, new Date());
    await api.pool.db.update(transfers).set({ status }).where(eq(transfers.id, paid.id));
    const { status: http, body } = await api.post("/order/cancel", { trade_id });
    expect([http, body.code, body.data]).toEqual([409, 10004, { trade_id, status: "pending" }]);
    expect(body.message).toMatch(/has arrived.*back office/);
    await api.pool.db.update(transfers).set({ status: "dropped" }).where(eq(transfers.id, paid.id));
    expect((await api.post("/order/cancel", { trade_id })).body.data?.["status"]).toBe("cancelled");
  },
);

test.each(["confirming", "paid", "expired"] as const)("409: an order that is %s is not cancelled", async (status) => {
  const { trade_id } = await createOrder();
  const paidAt = status === "paid" ? new Date() : null;
  await api.pool.db.update(orders).set({ status, paidAt }).where(eq(orders.id, trade_id));
  const answer = await api.post("/order/cancel", { trade_id });
  expect([answer.status, answer.body.code]).toEqual([409, 10004]);
  const detail = await api.post("/order/detail", { trade_id });
  expect(detail.body.data?.["status"]).toBe(status);
});

test("404: another merchant's order is none", async () => {
  const { trade_id } = await createOrder();
  const stranger = await seedMerchant(api.pool.db, new Date());
  const { status, body } = await api.post("/order/cancel", { trade_id }, { "x-api-key": stranger.apiKey });
  expect([status, body.code]).toEqual([404, 10003]);
});

test("400: without a name there is nothing to cancel", async () => {
  expect((await api.post("/order/cancel", {})).body.code).toBe(10001);
});

test("401: a key that was revoked since it was last seen cancels nothing", async () => {
  const { trade_id } = await createOrder();
  await api.pool.db
    .update(apiKeys)
    .set({ endsAt: new Date(0) })
    .where(eq(apiKeys.id, api.merchant.keyId));
  expect((await api.post("/order/cancel", { trade_id })).status).toBe(401);
  await api.pool.db.update(apiKeys).set({ endsAt: null }).where(eq(apiKeys.id, api.merchant.keyId));
  expect((await api.post("/order/detail", { trade_id })).body.data?.["status"]).toBe("pending");
});
