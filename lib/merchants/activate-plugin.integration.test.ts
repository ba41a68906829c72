import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { apiKeys, auditEvents } from "@/db/schema";
import { activatePlugin, allowPlugin, dismissPlugin } from "@/lib/merchants/activate-plugin";
import { changeKeyRules, createApiKey, revokeApiKey, rotateApiKey } from "@/lib/merchants/api-keys";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const now = new Date("2026-03-01T10:00:00Z");
const later = new Date("2026-03-01T11:00:00Z");
const context = { appSecret: TEST_APP_SECRET, mode: "live" as const };
const database = useTestDb();
const db = () => database.pool.db;

let shop: { merchantId: string; userId: string };
let stranger: { merchantId: string; userId: string };
beforeAll(async () => {
  const owner = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  shop = await createMerchantWithOwner(db(), owner, now);
  stranger = await createMerchantWithOwner(db(), { ...owner, email: "other@example.com" }, now);
});

const newKey = (isForPlugin: boolean) => createApiKey(db(), context, { ...shop, name: "Web shop", isForPlugin }, now);
const rotate = (id: string) => rotateApiKey(db(), context, { ...shop, id, overlapHours: 24 }, now);
const activate = (id: string, at = now) => activatePlugin(db(), { apiKeyId: id }, at);
const readKey = async (id: string) => (await db().select().from(apiKeys).where(eq(apiKeys.id, id)))[0];
const actionsOn = async (id: string) =>
  (await db().select().from(auditEvents).where(eq(auditEvents.merchantId, shop.merchantId)))
    .filter(({ detail }) => detail["apiKeyId"] === id)
    .map(({ action }) => action);
const refused = { problem: { code: "api_key_not_for_plugin" } };

test("a refused plugin may activate after a user allowed its key, and the request is closed", async () => {
  const key = await newKey(false);
  await expect(activate(key.id)).rejects.toMatchObject(refused);
  await expect(activate(key.id, later)).rejects.toMatchObject(refused);
  expect(await readKey(key.id)).toMatchObject({ callbackFormat: "standard", pluginRequestedAt: now });
  expect(await allowPlugin(db(), { ...shop, id: key.id }, now)).toBe(true);
  const allowed = { callbackFormat: "plugin-v1", isForPlugin: true, pluginRequestedAt: null };
  expect(await readKey(key.id)).toMatchObject(allowed);
  expect(await activate(key.id)).toEqual({ id: shop.merchantId, name: "Tea House" });
  expect(await actionsOn(key.id)).toEqual(["api_key.created", "api_key.plugin_requested", "api_key.changed"]);
});

test("a dismissed request changes nothing else, and a plugin that repeats it opens it again", async () => {
  const key = await newKey(false);
  await expect(activate(key.id)).rejects.toMatchObject(refused);
  for (let time = 0; time < 2; time++) expect(await dismissPlugin(db(), { ...shop, id: key.id }, now)).toBe(true);
  const dismissed = { callbackFormat: "standard", isForPlugin: false, pluginRequestedAt: null };
  expect(await readKey(key.id)).toMatchObject(dismissed);
  await expect(activate(key.id, later)).rejects.toMatchObject(refused);
  expect(await readKey(key.id)).toMatchObject({ pluginRequestedAt: later });
  expect(await actionsOn(key.id)).toEqual([
    ...["api_key.created", "api_key.plugin_requested", "api_key.plugin_dismissed", "api_key.plugin_requested"],
  ]);
});

test("a successor of a key that was made for a plugin is for a plugin too", async () => {
  const key = await newKey(true);
  const successor = await rotate(key.id);
  expect(await activate(successor?.id ?? "")).toMatchObject({ id: shop.merchantId });
  for (const id of [key.id, successor?.id ?? ""])
    expect(await readKey(id)).toMatchObject({ callbackFormat: "plugin-v1", isForPlugin: true });
});

test("a request for a key is closed when its successor is allowed or gets the plugin format", async () => {
  const key = await newKey(false);
  await expect(activate(key.id)).rejects.toMatchObject(refused);
  const successor = await rotate(key.id);
  const rules = {
    ...shop,
    id: successor?.id ?? "",
    mustSign: false,
    scopes: [],
    cidrs: [],
    isForPlugin: false,
    isForAgents: false,
  };
  await changeKeyRules(db(), { ...rules, callbackFormat: "standard" }, now);
  expect(await readKey(key.id)).toMatchObject({ pluginRequestedAt: now });
  await changeKeyRules(db(), { ...rules, callbackFormat: "plugin-v1" }, now);
  expect(await readKey(key.id)).toMatchObject({ callbackFormat: "plugin-v1", pluginRequestedAt: null });
});

test("requests are decided only for valid keys of one's own shop", async () => {
  const key = await newKey(false);
  await expect(activate(key.id)).rejects.toMatchObject(refused);
  expect(await allowPlugin(db(), { ...stranger, id: key.id }, now)).toBe(false);
  expect(await dismissPlugin(db(), { ...stranger, id: key.id }, now)).toBe(false);
  expect(await readKey(key.id)).toMatchObject({ callbackFormat: "standard", pluginRequestedAt: now });
  await revokeApiKey(db(), { ...shop, id: key.id }, now);
  expect(await allowPlugin(db(), { ...shop, id: key.id }, now)).toBe(false);
  expect(await dismissPlugin(db(), { ...shop, id: key.id }, now)).toBe(false);
  await expect(activate(key.id)).rejects.toMatchObject({ problem: { code: "api_key_dead" } });
});
