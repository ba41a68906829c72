import { beforeAll, expect, test, vi } from "vitest";
import { getContext } from "@/app/context";
import { insertPluginKey } from "@/db/queries/plugins/plugins";
import { newId } from "@/lib/domain/id";
import * as epusdt from "@/lib/integrations/epusdt/signature";
import * as vault from "@/lib/merchants/vault";
import { revokePluginKey } from "@/lib/plugins/plugin-settings";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { goSign } from "@/testing/integrations/epusdt-client";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ trustedProxies: 1 });
const db = () => api.pool.db;
const OTHER_KEYS = 40;
const open = vi.spyOn(vault, "open");
const verifier = vi.spyOn(epusdt, "epusdtVerifier");
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
let count = 0;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId, network: "bsc" }, now);
  plugin = await seedPlugin(db(), { merchantId, integration: "epusdt" }, now);
  for (let made = 0; made < OTHER_KEYS; made++) {
    const id = newId(now);
    const keyCipher = vault.encrypt(TEST_APP_SECRET, `plugin_keys:${id}`, `other ${made}`);
    await insertPluginKey(db(), { id, merchantId, integration: "epusdt", shown: "othe", keyCipher }, now);
  }
});

type Fields = Record<string, string>;
const fieldsOf = (change: Fields = {}): Fields => ({
  order_id: `U-${++count}`,
  amount: "28.8",
  trade_type: "usdt.bep20",
  fiat: "USD",
  notify_url: "https://shop.example.com/notify",
  ...change,
});
const post = async (from: string, fields: Fields) => {
  const path = `${api.origin}/epusdt/api/v1/order/cancel-transaction`;
  const headers = { "content-type": "application/json", "x-forwarded-for": from };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(fields) });
  return (await answer.json()) as { status_code: number; message: string };
};
const signed = (fields = fieldsOf()) => ({ ...fields, signature: goSign(fields, plugin.key) });
const forged = () => ({ ...fieldsOf(), signature: "0".repeat(32) });

test("an address whose signatures keep failing is refused before any key is compared, also with concurrent requests", async () => {
  await post("192.0.2.1", forged());
  verifier.mockClear();
  const answers = await Promise.all(Array.from({ length: 60 }, () => post("192.0.2.1", forged())));
  const codes = answers.map((answer) => answer.status_code);
  expect(codes.filter((code) => code === 401).length).toBeLessThanOrEqual(21);
  expect(codes.filter((code) => code === 429).length).toBeGreaterThanOrEqual(39);
  expect(verifier.mock.calls.length).toBeLessThanOrEqual(24);
  expect(await post("192.0.2.1", forged())).toMatchObject({
    status_code: 429,
    message: expect.stringContaining("failed to authenticate"),
  });
  // A different address is served, and a request that names its shop is accepted from every address.
  expect((await post("192.0.2.2", signed())).status_code).not.toBe(429);
  expect((await post("192.0.2.1", signed(fieldsOf({ pid: plugin.publicId })))).status_code).not.toBe(429);
});

test("keys are decrypted once, and a revoked one is refused at once", async () => {
  const before = signed();
  expect((await post("198.51.100.1", before)).status_code).not.toBe(401);
  open.mockClear();
  expect((await post("198.51.100.1", forged())).status_code).toBe(401);
  expect(open).not.toHaveBeenCalled();
  const { now } = getContext();
  const [own] = await db().query.pluginKeys.findMany({ where: (key, { eq }) => eq(key.shown, plugin.key.slice(0, 4)) });
  await revokePluginKey(db(), { ...plugin, id: own?.id ?? "" }, now());
  expect((await post("198.51.100.1", signed())).status_code).toBe(401);
});

test("fields are bounded before they are hashed", async () => {
  verifier.mockClear();
  expect(await post("203.0.113.1", { ...forged(), name: "x".repeat(4_097) })).toMatchObject({
    status_code: 400,
    message: expect.stringContaining("4096 characters; got 4097"),
  });
  expect(await post("203.0.113.1", { ...forged(), ["x".repeat(65)]: "x" })).toMatchObject({ status_code: 400 });
  expect(verifier).not.toHaveBeenCalled();
});
