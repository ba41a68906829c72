import { and, eq, isNotNull } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { pluginKeys } from "@/db/schema";
import { grantPluginKey, revokePluginKey } from "@/lib/plugins/plugin-settings";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
let store: Awaited<ReturnType<typeof seedPlugin>>;

beforeAll(async () => {
  const now = new Date();
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
  store = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "greenfield" }, now);
});

const connect = (host: string) => {
  const grant = { label: `Shop · ${host}`, host, site: `https://${host}`, permissions: [] };
  return grantPluginKey(db(), PLUGIN_SETTINGS, { ...store, ...grant }, new Date());
};

async function createInvoice(token: string, checkout: object): Promise<string> {
  const { status, body } = await api.request(`/greenfield/api/v1/stores/${store.publicId}/invoices`, {
    method: "POST",
    headers: { authorization: `token ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: "5", currency: "USDT", checkout }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as unknown as { id: string }).id;
}

/** Returns the origins that may show the payment page of an order in a frame. */
async function ancestorsOf(id: string): Promise<string> {
  const page = await fetch(`${api.origin}/pay/${id}`);
  const html = await page.text();
  const [, ancestors = ""] = /frame-ancestors ([^;]*)/.exec(page.headers.get("content-security-policy") ?? "") ?? [];
  expect(page.headers.get("x-frame-options")).toBe(ancestors === "'none'" ? "DENY" : null);
  expect(/data-parents="([^"]*)"/.exec(html)?.[1] ?? "'none'").toBe(ancestors);
  return ancestors;
}

test("a connected site may frame the pages of the plugin's orders, and of no other, until its token is revoked", async () => {
  const { key } = await connect("shop.example");
  await connect("second.example");
  await connect("second.example");
  const chosen = await createInvoice(key, { paymentMethods: ["USDT-BSC"] });
  const open = await createInvoice(key, { paymentMethods: ["USDT-BSC", "USDC-BSC"] });
  const both = "https://second.example https://shop.example";
  for (const id of [chosen, open]) expect(await ancestorsOf(id)).toBe(both);
  const { body } = await api.post("/order/add", { mch_order_id: "n-1", amount: 3, currency: "USDT", network: "bsc" });
  expect(await ancestorsOf(String(body.data?.["trade_id"]))).toBe("'none'");

  const sites = await db()
    .select()
    .from(pluginKeys)
    .where(and(eq(pluginKeys.merchantId, store.merchantId), isNotNull(pluginKeys.site)));
  const revoke = async (site: string) => {
    for (const { id } of sites.filter((one) => one.site === site))
      expect(await revokePluginKey(db(), { ...store, id }, new Date())).toBe(true);
  };
  await revoke("https://shop.example");
  expect(await ancestorsOf(chosen)).toBe("https://second.example");
  await revoke("https://second.example");
  for (const id of [chosen, open]) expect(await ancestorsOf(id)).toBe("'none'");
});
