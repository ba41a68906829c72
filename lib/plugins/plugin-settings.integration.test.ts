import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import {
  findPluginByPublicId,
  findPluginByToken,
  listKeysOfIntegration,
  listPlugins,
} from "@/db/queries/plugins/plugins";
import { findLastFiat } from "@/db/queries/rates/rates";
import { auditEvents, merchantPrices, pluginKeys, receivingAddresses } from "@/db/schema";
import { createPluginKeyOpener } from "@/lib/callbacks/plugin-key-opener";
import { readPlatformKeys } from "@/lib/domain/keys/key-pair";
import { INSTALLED } from "@/lib/integrations/installed";
import { open } from "@/lib/merchants/vault";
import { listPlatformKeys } from "@/lib/plugins/platform-keys";
import { hashToken } from "@/lib/plugins/plugin-key";
import {
  changePlugin,
  grantPluginKey,
  revokePluginKey,
  rotatePluginKey,
  switchOffPlugin,
  switchOnPlugin,
  whyNotEnabled,
} from "@/lib/plugins/plugin-settings";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { inSentences } from "@/testing/problem-sentences";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date();
let merchantId: string;
let plugin: Awaited<ReturnType<typeof seedPlugin>>;

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "audit_events", "users");
  merchantId = (await seedMerchant(db(), now)).id;
  plugin = await seedPlugin(db(), { merchantId, integration: "epay" }, now);
});

test("the values for a plugin are shown once: the key is stored encrypted, in its own row", async () => {
  expect(plugin.publicId).toMatch(/^\d{9}$/);
  expect(plugin.key).toMatch(/^[0-9A-Za-z]{32}$/);
  const [row] = await db().select().from(pluginKeys);
  expect(JSON.stringify(row)).not.toContain(plugin.key);
  expect(open(TEST_APP_SECRET, `plugin_keys:${row?.id}`, row?.keyCipher ?? "")).toBe(plugin.key);
  const [shown] = await listPlugins(db(), merchantId, now);
  expect(shown).toMatchObject({ integration: "epay", isOn: true, settings: {}, fiat: "CNY" });
  expect(JSON.stringify(shown)).not.toContain(plugin.key);
  expect(JSON.stringify(await db().select().from(auditEvents))).not.toContain(plugin.key);
});

test("of key pairs only the public key of the shop and the private key of the platform are stored, encrypted", async () => {
  const of = { merchantId, integration: "epay-rsa" } as const;
  const paired = await seedPlugin(db(), of, now);
  const [row] = await db().select().from(pluginKeys).where(eq(pluginKeys.integration, "epay-rsa"));
  const stored = open(TEST_APP_SECRET, `plugin_keys:${row?.id}`, row?.keyCipher ?? "");
  const { shopPublicKey, platformPrivateKey } = readPlatformKeys(stored);
  expect(publicKeyOf(paired.key)).toBe(shopPublicKey);
  expect(publicKeyOf(platformPrivateKey)).toBe(paired.platformKey);
  expect(stored).not.toContain(paired.key);
  const rows = JSON.stringify([row, await db().select().from(auditEvents)]);
  for (const secret of [paired.key, platformPrivateKey]) expect(rows).not.toContain(secret);
  const shown = createHash("sha256").update(Buffer.from(shopPublicKey, "base64")).digest("hex").slice(0, 8);
  expect(row?.shown).toBe(shown);
});

test("the platform's public key of each live key pair can be read at any time", async () => {
  const of = { merchantId, integration: "epay-rsa" } as const;
  const paired = await seedPlugin(db(), of, now);
  const ctx = {
    pool: testDb.pool,
    integrations: INSTALLED,
    openPluginKey: createPluginKeyOpener({ appSecret: TEST_APP_SECRET, log: pino({ level: "silent" }) }),
  };
  expect([...(await listPlatformKeys(ctx, merchantId, now)).values()]).toEqual([paired.platformKey]);
  const rotated = await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...paired, overlapHours: 1 }, now);
  const during = new Set((await listPlatformKeys(ctx, merchantId, now)).values());
  expect(during).toEqual(new Set([paired.platformKey, rotated?.platformKey]));
  const later = new Date(now.getTime() + 2 * 3_600_000);
  expect([...(await listPlatformKeys(ctx, merchantId, later)).values()]).toEqual([rotated?.platformKey]);
  expect([...(await listPlatformKeys(ctx, "other", now)).values()]).toEqual([]);
});

/** Returns the public key, SPKI, of a private key, PKCS#8; both bare base64. */
function publicKeyOf(privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}

test("switched off and on again it is the same plugin with the same key", async () => {
  expect(await switchOffPlugin(db(), plugin, now)).toBe(true);
  expect(await switchOffPlugin(db(), plugin, now)).toBe(false);
  expect(await listKeysOfIntegration(db(), "epay", 10, now)).toEqual([]);
  expect(await switchOnPlugin(db(), PLUGIN_SETTINGS, plugin, now)).toBeNull();
  expect(await findPluginByPublicId(db(), "epay", plugin.publicId)).toMatchObject({ isOn: true, merchantId });
  expect(await findPluginByPublicId(db(), "epusdt", plugin.publicId)).toBeNull();
  expect(await listKeysOfIntegration(db(), "epay", 10, now)).toHaveLength(1);
  const actions = await db().select({ action: auditEvents.action }).from(auditEvents).orderBy(auditEvents.id);
  expect(actions.map(({ action }) => action).toSorted()).toEqual([
    "plugin.switched_off",
    "plugin.switched_on",
    "plugin.switched_on",
    "plugin_key.issued",
  ]);
});

test("one whose key was revoked gets another when it is enabled again", async () => {
  const [key] = await listKeysOfIntegration(db(), "epay", 10, now);
  await revokePluginKey(db(), { ...plugin, id: key?.id ?? "" }, now);
  const issued = await switchOnPlugin(db(), PLUGIN_SETTINGS, plugin, now);
  expect(issued?.publicId).toBe(plugin.publicId);
  expect(issued?.key).not.toBe(plugin.key);
});

test("the currency is the one that was selected, when it is first enabled and each time after", async () => {
  const other = await seedPlugin(db(), { merchantId, integration: "epusdt", fiat: null }, now);
  const fiatOf = async (integration: string) =>
    (await listPlugins(db(), merchantId, now)).find((one) => one.integration === integration)?.fiat;
  expect([await fiatOf("epay"), await fiatOf("epusdt")]).toEqual(["CNY", null]);
  await switchOffPlugin(db(), other, now);
  await switchOnPlugin(db(), PLUGIN_SETTINGS, { ...other, fiat: "EUR" }, now);
  expect(await fiatOf("epusdt")).toBe("EUR");
  expect(await findLastFiat(db(), merchantId)).toBe("CNY");
  await switchOnPlugin(db(), PLUGIN_SETTINGS, { ...other, fiat: "USD" }, new Date(now.getTime() + 1_000));
  expect(await findLastFiat(db(), merchantId)).toBe("USD");
});

test("a store of connected applications has no price currency", async () => {
  const grant = { label: "Shop", host: "shop.example", site: null, permissions: [] };
  await grantPluginKey(db(), PLUGIN_SETTINGS, { ...plugin, integration: "greenfield", ...grant }, now);
  const plugins = await listPlugins(db(), merchantId, now);
  expect(plugins.find(({ integration }) => integration === "greenfield")).toMatchObject({ isOn: true, fiat: null });
});

test("a currency that was set before it had to be selected is kept when a store without one is enabled again", async () => {
  const store = await seedPlugin(db(), { merchantId, integration: "greenfield", fiat: "CNY" }, now);
  await switchOffPlugin(db(), store, now);
  await switchOnPlugin(db(), PLUGIN_SETTINGS, { ...store, fiat: null }, now);
  const plugins = await listPlugins(db(), merchantId, now);
  expect(plugins.find(({ integration }) => integration === "greenfield")).toMatchObject({ isOn: true, fiat: "CNY" });
});

test("nothing can be enabled without a receiving address, or while all are paused", async () => {
  const reason = async () => inSentences(await whyNotEnabled(db(), merchantId, now));
  expect(await reason()).toContain("no active receiving address");
  const { id } = await seedAddress(db(), { merchantId }, now);
  expect(await whyNotEnabled(db(), merchantId, now)).toBeNull();
  await db().update(receivingAddresses).set({ pausedAt: now }).where(eq(receivingAddresses.id, id));
  expect(await reason()).toContain("no active receiving address");
});

test("its rules are set only by users of its shop, and an unknown currency is refused", async () => {
  const rules = { fiat: null, settings: { takesKeyInUrl: true } };
  expect(await changePlugin(db(), PLUGIN_SETTINGS, plugin, rules, now)).toBeNull();
  expect((await listPlugins(db(), merchantId, now))[0]).toMatchObject(rules);
  expect(inSentences(await changePlugin(db(), PLUGIN_SETTINGS, plugin, { ...rules, fiat: "XXQ" }, now))).toContain(
    '"XXQ" is not a supported currency',
  );
  const [change] = await db().select().from(auditEvents).where(eq(auditEvents.action, "plugin.changed"));
  const before = { takesKeyInUrl: false, fiat: "CNY" };
  expect(change?.detail).toEqual({ name: "epay", before, after: { takesKeyInUrl: true, fiat: null } });
  const other = await seedMerchant(db(), now);
  const stranger = { ...plugin, merchantId: other.id };
  expect(inSentences(await changePlugin(db(), PLUGIN_SETTINGS, stranger, rules, now))).toContain("never enabled");
  const [key] = await db().select().from(pluginKeys).where(eq(pluginKeys.merchantId, merchantId));
  expect(await revokePluginKey(db(), { ...stranger, id: key?.id ?? "" }, now)).toBe(false);
});

test("the market is read for the currency of the prices as soon as it is enabled or set", async () => {
  const pricedIn = async () => (await db().select().from(merchantPrices)).map(({ fiat }) => fiat).toSorted();
  expect(await pricedIn()).toEqual(["CNY"]);
  const rules = { fiat: "USD", settings: {} };
  expect(await changePlugin(db(), PLUGIN_SETTINGS, plugin, rules, now)).toBeNull();
  expect(await changePlugin(db(), PLUGIN_SETTINGS, plugin, { ...rules, fiat: null }, now)).toBeNull();
  expect(await pricedIn()).toEqual(["CNY", "USD"]);
});

test("a new key works at once, the old one for the selected time, and neither is shown again", async () => {
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const issued = await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...plugin, overlapHours: 24 }, later(1));
  expect(issued?.publicId).toBe(plugin.publicId);
  expect(issued?.key).not.toBe(plugin.key);
  const liveAt = async (at: Date) => (await listPlugins(db(), merchantId, at))[0]?.keys.map(({ endsAt }) => endsAt);
  const end = later(86_401);
  expect(await liveAt(later(1))).toEqual([null, end]);
  expect(await liveAt(end)).toEqual([null]);
  await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...plugin, overlapHours: 0 }, later(2));
  expect(await liveAt(later(2))).toEqual([null]);
  expect(
    await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...plugin, integration: "epusdt", overlapHours: 0 }, now),
  ).toBeNull();
});

describe("a token that an application is given", () => {
  const grant = {
    label: "WooCommerce · shop.example",
    host: "shop.example",
    site: "https://shop.example",
    permissions: ["btcpay.store.canviewinvoices"],
  };
  const tokens = () => db().select().from(pluginKeys).where(eq(pluginKeys.integration, "greenfield"));
  const assign = async (who = plugin) =>
    grantPluginKey(db(), PLUGIN_SETTINGS, { ...who, integration: "greenfield", ...grant }, now);

  test("enables the protocol, is stored as a hash with its permissions, and is recorded without its value", async () => {
    const { publicId, key } = await assign();
    expect(await findPluginByPublicId(db(), "greenfield", publicId)).toMatchObject({ isOn: true, merchantId });
    expect(await findPluginByToken(db(), hashToken(key), now)).toMatchObject({ permissions: grant.permissions });
    const [kept] = await tokens();
    expect(kept).toMatchObject({ label: grant.label, permissions: grant.permissions, keyCipher: null });
    const events = await db().select().from(auditEvents).orderBy(auditEvents.id);
    const [granted] = events.filter(({ action }) => action === "plugin_key.granted");
    const { label, host, permissions: scopes } = grant;
    expect(granted?.detail).toEqual({ name: "greenfield", pluginKeyId: kept?.id, label, host, scopes });
    expect(JSON.stringify(events)).not.toContain(key);
  });

  test("is independent: neither another application's nor the shop's new key ends it, and enabling is recorded once", async () => {
    const first = await assign();
    const second = await assign();
    expect(first.publicId).toBe(second.publicId);
    const own = { ...plugin, integration: "greenfield" as const };
    const manual = await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...own, overlapHours: 0 }, now);
    await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...own, overlapHours: 0 }, now);
    const isLive = async (key = "") => (await findPluginByToken(db(), hashToken(key), now)) !== null;
    expect(await Promise.all([first.key, second.key, manual?.key].map(isLive))).toEqual([true, true, false]);
    const switches = await db().select().from(auditEvents).where(eq(auditEvents.action, "plugin.switched_on"));
    expect(switches.filter(({ detail }) => (detail as { name: string }).name === "greenfield")).toHaveLength(1);
  });

  test("two concurrent requests create one store", async () => {
    const given = await Promise.all([assign(), assign(), assign()]);
    expect(new Set(given.map(({ publicId }) => publicId)).size).toBe(1);
    expect(new Set(given.map(({ key }) => key)).size).toBe(3);
    expect(await tokens()).toHaveLength(3);
  });
});
