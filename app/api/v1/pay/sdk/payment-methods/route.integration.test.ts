import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { cursors, receivingAddresses } from "@/db/schema";
import { seedAddress, seedCursor, seedMerchant } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const methods = async () => {
  const { status, body } = await api.post("/payment-methods", {});
  expect(status).toBe(200);
  return body.data?.["methods"];
};

test("200: the methods that a merchant can currently receive, and nothing else", async () => {
  const { db } = api.pool;
  const removed = await seedAddress(db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
  await db.update(receivingAddresses).set({ removedAt: new Date() }).where(eq(receivingAddresses.id, removed.id));
  const stranger = await seedMerchant(db, new Date());
  await seedAddress(db, { merchantId: stranger.id, network: "ethereum" }, new Date());
  expect(await methods()).toEqual([]);
  const bsc = await seedAddress(db, { merchantId: api.merchant.id, network: "bsc" }, new Date());
  await seedAddress(db, { merchantId: api.merchant.id, network: "ethereum" }, new Date());
  // The operator has disabled this network.
  await seedAddress(db, { merchantId: api.merchant.id, network: "polygon" }, new Date());
  const both = [
    { network: "ethereum", currencies: ["USDT", "USDC"] },
    { network: "bsc", currencies: ["USDT", "USDC"] },
  ];
  expect(await methods()).toEqual(both);
  await db.update(receivingAddresses).set({ pausedAt: new Date() }).where(eq(receivingAddresses.id, bsc.id));
  expect(await methods()).toEqual(both.slice(0, 1));
  await seedCursor(db, "ethereum", new Date());
  expect(await methods()).toEqual(both.slice(0, 1));
  await db.update(cursors).set({ problem: "all endpoints are away" }).where(eq(cursors.network, "ethereum"));
  expect(await methods()).toEqual([]);
  await db.update(cursors).set({ problem: null, respondedAt: new Date(Date.now() - 6 * 60_000) });
  expect(await methods()).toEqual([]);
});

test("401: without a key nothing is returned", async () => {
  expect((await api.post("/payment-methods", {}, { "x-api-key": null })).status).toBe(401);
});
