import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys, auditEvents } from "@/db/schema";
import { seedMerchant } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();

test("200: callbacks of the key are written for plugins from then on, and that is on record once", async () => {
  const { db } = api.pool;
  for (let time = 0; time < 2; time++) {
    const { status, body } = await api.post("/plugin/activate", { platform: "woocommerce" });
    expect([status, body.code]).toEqual([200, 0]);
    expect(body.data).toEqual({ merchant_id: api.merchant.id, name: "Test shop", status: "active" });
  }
  const [key] = await db.select().from(apiKeys).where(eq(apiKeys.id, api.merchant.keyId));
  expect(key?.callbackFormat).toBe("plugin-v1");
  const written = await db.select().from(auditEvents).where(eq(auditEvents.merchantId, api.merchant.id));
  expect(written).toMatchObject([{ action: "api_key.changed", detail: { callbackFormat: "plugin-v1" } }]);
});

test("401: a key that died since it was last seen changes nothing", async () => {
  const merchant = await seedMerchant(api.pool.db, new Date());
  const headers = { "x-api-key": merchant.apiKey };
  expect((await api.post("/merchant/detail", {}, headers)).status).toBe(200);
  const isKey = eq(apiKeys.id, merchant.keyId);
  await api.pool.db
    .update(apiKeys)
    .set({ endsAt: new Date(0) })
    .where(isKey);
  expect((await api.post("/plugin/activate", {}, headers)).status).toBe(401);
  const [key] = await api.pool.db.select().from(apiKeys).where(isKey);
  expect(key?.callbackFormat).toBe("standard");
});
