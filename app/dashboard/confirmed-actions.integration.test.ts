import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createContext } from "@/app/context";
import { markPaid } from "@/app/dashboard/orders/[tradeId]/actions";
import { addChannel, confirmChannel, removeChannel } from "@/app/dashboard/settings/notifications/actions";
import { allowConnection, switchOn } from "@/app/dashboard/settings/plugins/actions";
import { setDecimals, setPrice } from "@/app/dashboard/settings/prices/actions";
import { assign } from "@/app/dashboard/transfers/actions";
import { keepSession } from "@/app/session";
import { listChannels } from "@/db/queries/notifications/channels";
import { listPlugins } from "@/db/queries/plugins/plugins";
import { setFactorAsked } from "@/db/queries/users/memberships";
import { accountEmails, orders, receivingAddresses, transfers } from "@/db/schema";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { setOrderTerms } from "@/lib/merchants/order-terms";
import { grantPluginKey, revokePluginKey, rotatePluginKey } from "@/lib/plugins/plugin-settings";
import { beginTotp, finishTotp } from "@/lib/users/change-factors";
import { openSession } from "@/lib/users/session";
import { totpCode } from "@/lib/users/totp";
import { useTestDb } from "@/testing/database/clone";
import { TEST_APP_SECRET } from "@/testing/database/seed";
import { PLUGIN_SETTINGS } from "@/testing/integrations/seed";
import { PASSWORD, type SeededShop, seedShop } from "@/testing/office/shop";
import { inSentences } from "@/testing/problem-sentences";
import { TEST_ENV } from "@/testing/web";

/** The cookies of the only browser of this test. */
const jar = vi.hoisted(() => new Map<string, string>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (jar.has(name) ? { name, value: jar.get(name) } : undefined),
    set: (name: string, value: string) => void jar.set(name, value),
  }),
  headers: async () => new Headers({ "user-agent": "curl/8", "x-forwarded-for": "192.0.2.9" }),
}));
vi.mock("next-intl/server", async () => {
  const [{ createTranslator }, { en }] = await Promise.all([import("next-intl"), import("@/components/messages/en")]);
  const getTranslations = async (namespace: keyof typeof en) =>
    createTranslator({ locale: "en", messages: en, namespace });
  return { getTranslations, getLocale: async () => "en" };
});
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));

const database = useTestDb();
const db = () => database.pool.db;
const now = () => new Date();
let shop: SeededShop;

beforeAll(() => {
  globalThis.stablegateContext = createContext({ ...TEST_ENV, databaseUrl: database.url });
});
beforeEach(async () => {
  shop = await seedShop(db(), `shop${Math.random().toString(36).slice(2)}`, now());
  await become("owner");
  await db().delete(accountEmails);
});
afterAll(() => globalThis.stablegateContext?.close());

async function become(role: "owner" | "admin" | "viewer"): Promise<void> {
  jar.clear();
  const visitor = { ip: "192.0.2.9", userAgent: "curl/8" };
  await keepSession((await openSession(db(), shop.members[role], visitor, now())) ?? "");
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const emailOf = (role: string) => `${role}@${shop.name}.example.com`;
const channelsOf = (userId: string) => listChannels(db(), { merchantId: shop.merchantId, userId });
const mails = async () => {
  const rows = await db().select().from(accountEmails).orderBy(accountEmails.id);
  return rows.map(({ email, facts }) => [email, facts["action"], facts["what"]]);
};

test("a session alone neither adds nor removes a notification channel: the password is asked again", async () => {
  const own = await channelsOf(shop.members.owner.id);
  const telegram = { way: "telegram", token: "123456:abcdefghijkl", chatId: "1" };
  expect(inSentences(await addChannel(formOf(telegram)))).toEqual({
    errors: [{ field: "password", message: expect.any(String) }],
  });
  expect(await addChannel(formOf({ ...telegram, password: "wrong" }))).toMatchObject({
    errors: [{ field: "password" }],
  });
  expect(await removeChannel(formOf({ id: shop.channel }))).toMatchObject({ errors: [{ field: "password" }] });
  expect(await channelsOf(shop.members.owner.id)).toEqual(own);
  expect(await removeChannel(formOf({ id: shop.channel, password: PASSWORD }))).toEqual({ ok: true });
  expect(await channelsOf(shop.members.owner.id)).toHaveLength(own.length - 1);
});

test("owners are mailed about channels, prices, order terms, plugin keys and tokens of applications", async () => {
  const { merchantId } = shop;
  const owner = emailOf("owner");
  const admin = emailOf("admin");
  await become("admin");
  const both = (action: string, what: string) => [
    [owner, action, what],
    [admin, action, what],
  ];
  const expectMails = async (action: string, what: string) => {
    const sent = await mails();
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(expect.arrayContaining(both(action, what)));
    await db().delete(accountEmails);
  };
  const decided = { fiat: "EUR", mode: "fixed", markUp: "", fixedRate: "0.1" };
  expect(await setPrice(formOf({ ...decided, password: PASSWORD }))).toMatchObject({ ok: true });
  await expectMails("prices.changed", "EUR");
  expect(await setDecimals(formOf({ decimals: "3", password: PASSWORD }))).toMatchObject({ ok: true });
  await expectMails("price_decimals.changed", "");
  const by = { merchantId, userId: shop.members.admin.id };
  await grantPluginKey(
    db(),
    PLUGIN_SETTINGS,
    { ...by, integration: "greenfield", label: "Shop", host: "evil.example", site: null, permissions: [] },
    now(),
  );
  const granted = await mails();
  expect(granted).toEqual(expect.arrayContaining(both("plugin_key.granted", "greenfield, evil.example")));
  await db().delete(accountEmails);
  await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...by, integration: "epay", overlapHours: 1 }, now());
  await expectMails("plugin_key.rotated", "epay");
  await revokePluginKey(db(), { ...by, integration: "epay", id: shop.pluginKey }, now());
  await expectMails("plugin_key.revoked", "epay");
  expect(await setOrderTerms(db(), { ...by, expiresIn: "45" }, now())).toBe(true);
  await expectMails("order_terms.changed", "");
});

test("a plugin is enabled only in a selected currency, and only for a shop with a receiving address", async () => {
  const { merchantId } = shop;
  const plugin = { integration: "epusdt", password: PASSWORD };
  const query = "permissions=btcpay.store.canviewinvoices&redirect=https%3A%2F%2Fshop.example%2F";
  const pluginsOf = async () =>
    (await listPlugins(db(), merchantId, now())).map(({ integration, fiat }) => [integration, fiat]);
  expect(await switchOn(formOf(plugin))).toEqual({
    errors: [{ field: "fiat", code: "price_currency_missing", params: {} }],
  });
  await db().update(receivingAddresses).set({ pausedAt: now() }).where(eq(receivingAddresses.merchantId, merchantId));
  const refused = { errors: [{ field: "", code: "protocol_without_address", params: {} }] };
  expect(await switchOn(formOf({ ...plugin, fiat: "EUR" }))).toEqual(refused);
  expect(await allowConnection(formOf({ query, password: PASSWORD }))).toEqual(refused);
  expect(await pluginsOf()).toEqual([["epay", "CNY"]]);
  await db().update(receivingAddresses).set({ pausedAt: null }).where(eq(receivingAddresses.merchantId, merchantId));
  expect(await switchOn(formOf({ ...plugin, fiat: "EUR" }))).toMatchObject({ ok: { issued: expect.any(Object) } });
  expect(await allowConnection(formOf({ query, password: PASSWORD }))).toMatchObject({
    ok: { ticket: expect.any(String) },
  });
  expect(await pluginsOf()).toEqual(
    expect.arrayContaining([
      ["epusdt", "EUR"],
      ["greenfield", null],
    ]),
  );
});

test("owners are mailed when a channel begins to work and when it is removed", async () => {
  const { owner } = shop.members;
  const id = shop.channel;
  expect(await confirmChannel(formOf({ id, code: "123456" }))).toEqual({ ok: true });
  const [channel] = await channelsOf(owner.id);
  expect(await mails()).toEqual([[emailOf("owner"), "notifications.channel_verified", channel?.shown]]);
  await db().delete(accountEmails);
  await removeChannel(formOf({ id, password: PASSWORD }));
  expect(await mails()).toEqual([[emailOf("owner"), "notifications.channel_removed", channel?.shown]]);
});

test("marking as paid and assigning ask for a second factor where the shop requires one, and only there", async () => {
  const { owner } = shop.members;
  const paying = { orderId: shop.orders.open, reason: "paid in cash" };
  const assigning = { transferId: shop.transfers.unmatched, orderId: shop.orders.short };
  const started = await beginTotp(db(), {
    appSecret: TEST_APP_SECRET,
    user: { id: owner.id, email: emailOf("owner") },
  });
  if ("problem" in started) throw new Error(inEnglish(started.problem));
  const code = totpCode(started.secret, now());
  await finishTotp(db(), { appSecret: TEST_APP_SECRET, userId: owner.id, code }, now());
  await setFactorAsked(db(), shop.merchantId, true);
  const refused = (field: string) => ({ errors: [{ field, code: `${field}_missing`, params: {} }] });
  for (const [act, fields] of [
    [markPaid, paying],
    [assign, assigning],
  ] as const) {
    expect(await act(formOf(fields))).toEqual(refused("password"));
    expect(await act(formOf({ ...fields, password: PASSWORD }))).toEqual(refused("code"));
  }
  const [order] = await db().select().from(orders).where(eq(orders.id, paying.orderId));
  const [transfer] = await db().select().from(transfers).where(eq(transfers.id, assigning.transferId));
  expect([order?.status, transfer?.orderId]).toEqual(["pending", null]);
  await setFactorAsked(db(), shop.merchantId, false);
  expect(await markPaid(formOf(paying))).toEqual({ ok: true });
  expect(await assign(formOf(assigning))).toMatchObject({ ok: { status: expect.any(String) } });
});
