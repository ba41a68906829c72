import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys, auditEvents } from "@/db/schema";
import { seedMerchant } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const NOT_FOR_PLUGIN =
  'This API key was not made for a plugin. In the back office, create a key with "For a plugin", or allow this key under Settings → Plugins, then save the settings of the plugin again.';

type Rules = Partial<Pick<typeof apiKeys.$inferSelect, "isForPlugin" | "callbackFormat">>;

/** Creates a merchant whose key has rules, and returns it with the means to activate a plugin and to read the key and its audit log. */
async function seedKey(rules: Rules) {
  const { db } = api.pool;
  const merchant = await seedMerchant(db, new Date());
  const isKey = eq(apiKeys.id, merchant.keyId);
  if (Object.keys(rules).length > 0) await db.update(apiKeys).set(rules).where(isKey);
  return {
    ...merchant,
    activate: (body: object) => api.post("/plugin/activate", body, { "x-api-key": merchant.apiKey }),
    readKey: async () => (await db.select().from(apiKeys).where(isKey))[0],
    readAudit: () => db.select().from(auditEvents).where(eq(auditEvents.merchantId, merchant.id)),
  };
}

test("200: callbacks of a key that was made for a plugin have the plugin format from then on, which is recorded once", async () => {
  const key = await seedKey({ isForPlugin: true });
  for (let time = 0; time < 2; time++) {
    const { status, body } = await key.activate({ plugin_type: "wordpress", plugin_version: "1.0.0" });
    expect([status, body.code]).toEqual([200, 0]);
    expect(body.data).toEqual({ merchant_id: key.id, mch_id: key.id, name: "Test shop", status: 1 });
  }
  expect(await key.readKey()).toMatchObject({ callbackFormat: "plugin-v1", pluginRequestedAt: null });
  expect(await key.readAudit()).toMatchObject([
    { action: "api_key.changed", detail: { callbackFormat: "plugin-v1", by: "plugin/activate" } },
  ]);
});

test("200: a key whose callbacks already have the plugin format keeps it", async () => {
  const key = await seedKey({ callbackFormat: "plugin-v1" });
  const { status, body } = await key.activate({ plugin_type: "php-sdk" });
  expect([status, body.code]).toEqual([200, 0]);
  expect(await key.readKey()).toMatchObject({ callbackFormat: "plugin-v1", isForPlugin: false });
  expect(await key.readAudit()).toEqual([]);
});

test("409: an ordinary key keeps its callback format, the message says what to do, and the request is recorded once", async () => {
  const key = await seedKey({});
  for (let time = 0; time < 2; time++) {
    const { status, body } = await key.activate({ plugin_type: "php-sdk" });
    expect([status, body.code, body.message]).toEqual([409, 10004, NOT_FOR_PLUGIN]);
    expect(body.data).toBeUndefined();
  }
  const stored = await key.readKey();
  expect(stored).toMatchObject({ callbackFormat: "standard", isForPlugin: false, pluginRequestedAt: expect.any(Date) });
  expect(await key.readAudit()).toMatchObject([{ action: "api_key.plugin_requested", userId: null }]);
});

test("401: a key that was revoked since it was last used changes nothing and leaves no request", async () => {
  const key = await seedKey({});
  const headers = { "x-api-key": key.apiKey };
  expect((await api.post("/merchant/detail", {}, headers)).status).toBe(200);
  await api.pool.db
    .update(apiKeys)
    .set({ endsAt: new Date(0) })
    .where(eq(apiKeys.id, key.keyId));
  expect((await key.activate({})).status).toBe(401);
  expect(await key.readKey()).toMatchObject({ callbackFormat: "standard", pluginRequestedAt: null });
});
