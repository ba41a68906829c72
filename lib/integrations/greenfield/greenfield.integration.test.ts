import { beforeAll, describe, expect, test } from "vitest";
import { pluginKeys } from "@/db/schema";
import { revokePluginKey, rotatePluginKey, switchOffPlugin, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
let store: Awaited<ReturnType<typeof seedPlugin>>;

beforeAll(async () => {
  store = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "greenfield" }, new Date());
});

async function ask(path: string, token: string | null = store.key, scheme = "token") {
  const headers = token === null ? {} : { authorization: `${scheme} ${token}` };
  const { status, body } = await api.request(path, { headers });
  return { status, body: body as unknown as Record<string, unknown> };
}

test("200: a token can use what plugins need, only in its own store", async () => {
  const { status, body } = await ask("/greenfield/api/v1/api-keys/current");
  expect(status).toBe(200);
  expect(body["permissions"]).toEqual(
    [
      ...["canviewinvoices", "cancreateinvoice", "canviewstoresettings", "canmodifyinvoices"],
      "cancreatenonapprovedpullpayments",
      "webhooks.canmodifywebhooks",
    ].map((name) => `btcpay.store.${name}:${store.publicId}`),
  );
});

test.each(["/greenfield/api/v1/server/info", "/greenfield//api/v1/server/info", "/greenfield/api/v1/server/info/"])(
  "200: the server answers at %s",
  async (path) => {
    const { status, body } = await ask(path);
    expect([status, body["fullySynched"]]).toEqual([200, true]);
  },
);

test("200: the health needs no token, and is the same with one", async () => {
  for (const token of [null, store.key, "unknown"])
    expect(await ask("/greenfield/api/v1/health", token)).toEqual({ status: 200, body: { synchronized: true } });
});

test("200: the store has the shop's name, and settings of the types that clients read", async () => {
  const { body } = await ask(`/greenfield/api/v1/stores/${store.publicId}`);
  expect(body).toMatchObject({
    id: store.publicId,
    name: "Test shop",
    defaultCurrency: "CNY",
    invoiceExpiration: 1_800,
    monitoringExpiration: 10_800,
    paymentTolerance: 0,
  });
  expect(Object.entries(body).filter(([, value]) => value === null)).toEqual([]);
});

test("200: the server and the token are described as BTCPay does", async () => {
  expect((await ask("/greenfield/api/v1/server/info")).body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    onion: "",
    supportedPaymentMethods: ["USDT-ETHEREUM", "USDC-ETHEREUM", "USDT-BSC", "USDC-BSC"],
    fullySynched: true,
    syncStatus: [],
  });
  const { apiKey, label } = (await ask("/greenfield/api/v1/api-keys/current")).body;
  expect({ apiKey, label }).toEqual({ apiKey: store.key, label: "" });
});

test("200: a token's own store is found; 404: any other is not", async () => {
  const own = await ask(`/greenfield/api/v1/stores/${store.publicId}`);
  expect([own.status, own.body["id"]]).toEqual([200, store.publicId]);
  const other = await ask("/greenfield/api/v1/stores/unknown");
  expect([other.status, other.body["code"]]).toEqual([404, "store-not-found"]);
  const all = await ask("/greenfield/api/v1/stores");
  expect([all.status, all.body]).toEqual([200, [own.body]]);
  const nothing = await ask("/greenfield/api/v1/nothing");
  expect([nothing.status, nothing.body["code"]]).toEqual([404, "not-found"]);
});

test.each([
  ["no token", null, "token"],
  ["an unknown token", "x".repeat(32), "token"],
  ["a token that is sent as a bearer's", "", "Bearer"],
])("401: %s", async (_what, token, scheme) => {
  const { status, body } = await ask("/greenfield/api/v1/server/info", token === "" ? store.key : token, scheme);
  expect([status, body["code"]]).toEqual([401, "unauthenticated"]);
});

describe("the token", () => {
  test("is kept as its hash alone", async () => {
    const kept = await db().select().from(pluginKeys);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every(({ keyCipher, tokenHash }) => keyCipher === null && tokenHash !== null)).toBe(true);
    expect(JSON.stringify(kept)).not.toContain(store.key);
  });

  test("is dead as soon as the protocol is off or it is revoked, and a new one comes once none lives", async () => {
    const now = new Date();
    const rotated = await rotatePluginKey(db(), PLUGIN_SETTINGS, { ...store, overlapHours: 1 }, now);
    expect((await ask("/greenfield/api/v1/server/info", rotated?.key)).status).toBe(200);
    expect((await ask("/greenfield/api/v1/server/info")).status).toBe(200);
    await switchOffPlugin(db(), store, now);
    expect((await ask("/greenfield/api/v1/server/info", rotated?.key)).status).toBe(401);
    expect(await switchOnPlugin(db(), PLUGIN_SETTINGS, store, now)).toBeNull();
    expect((await ask("/greenfield/api/v1/server/info", rotated?.key)).status).toBe(200);
    for (const { id } of await db().select().from(pluginKeys)) await revokePluginKey(db(), { ...store, id }, now);
    expect((await ask("/greenfield/api/v1/server/info", rotated?.key)).status).toBe(401);
    const issued = await switchOnPlugin(db(), PLUGIN_SETTINGS, store, now);
    expect(issued?.publicId).toBe(store.publicId);
    expect((await ask("/greenfield/api/v1/server/info", issued?.key)).status).toBe(200);
  });
});

describe("requests of browsers", () => {
  const lead = async (path: string) => {
    const answer = await api.request(path, { redirect: "manual" });
    return [answer.status, answer.headers.get("location")];
  };

  test.each(["/greenfield/api-keys/authorize", "/greenfield//api-keys/authorize/", "/greenfield/api-keys//authorize"])(
    "302: %s leads to the page that asks the person, signed in",
    async (path) => {
      const query = "permissions=btcpay.store.canviewinvoices&redirect=https%3A%2F%2Fshop.example%2F%3Fa%26b";
      const [status, location] = await lead(`${path}?${query}`);
      expect(status).toBe(302);
      const url = new URL(String(location), "https://pay.example");
      expect([url.origin, url.pathname]).toEqual(["https://pay.example", "/login"]);
      expect(url.searchParams.get("next")).toBe(`/dashboard/settings/plugins/connect?${query}`);
    },
  );

  test.each(["/greenfield/i/01abc", "/greenfield/invoice?id=01abc&view=modal"])(
    "302: %s leads to the payment page",
    async (path) => expect(await lead(path)).toEqual([302, "/pay/01abc"]),
  );

  test.each(["/greenfield/i/..%2f..", "/greenfield/invoice?id=//evil.example", "/greenfield/invoice"])(
    "%s leads nowhere",
    async (path) => expect((await lead(path))[1]).toBeNull(),
  );
});
