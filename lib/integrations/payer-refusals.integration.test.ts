import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { orders, receivingAddresses } from "@/db/schema";
import { switchOffPlugin, switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { signed } from "@/testing/integrations/epay-client";
import { PLUGIN_SETTINGS, seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

/** A payer's order costs ten views, so each address can create two in a short time. */
const api = useTestApi({ viewsPerMinute: 10, trustedProxies: 1 });
const db = () => api.pool.db;
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
let count = 0;

beforeAll(async () => {
  const now = new Date();
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
  plugin = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "epay", fiat: null }, now);
});

interface Sent {
  change?: Record<string, string>;
  key?: string;
  method?: string;
  /** The payer's address; a new one by default. */
  ip?: string;
}

/** Sends a shop's form from a payer's browser. */
async function submit({ change = {}, key = plugin.key, method = "POST", ip = `203.0.113.${++count}` }: Sent = {}) {
  const fields = signed(
    {
      pid: plugin.publicId,
      out_trade_no: `R-${++count}`,
      name: "VIP",
      money: "5",
      notify_url: "https://shop.example.com/notify",
      return_url: "https://shop.example.com/done",
      ...change,
    },
    key,
  );
  const url = `${api.origin}/epay/submit.php`;
  const init = { redirect: "manual", headers: { "accept-language": "en", "x-forwarded-for": ip } } as const;
  const answer = await (method === "GET"
    ? fetch(`${url}?${fields}`, init)
    : fetch(url, { ...init, method, body: fields }));
  const html = await answer.text();
  const [main = ""] = /<main.*<\/main>/s.exec(html) ?? [];
  const text = main.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return { status: answer.status, headers: answer.headers, html, text };
}

const expectForPayer = ({ text, html }: Awaited<ReturnType<typeof submit>>, sentence: string) => {
  expect(text).toContain(sentence);
  expect(text).toMatch(/Reference: \w{26}/);
  expect(text).not.toMatch(/Settings|pid|sign|network|currency|out_trade_no|notify_url/i);
  expect(html).not.toContain("?lang=");
};

test("a payer of a shop without a receiving address is sent to another way to pay", async () => {
  await db().update(receivingAddresses).set({ pausedAt: new Date() });
  const refused = await submit();
  await db().update(receivingAddresses).set({ pausedAt: null });
  expect(refused.status).toBe(400);
  expectForPayer(refused, "Go back to the shop and choose another way to pay");
});

test("so is a payer of a shop that disabled the plugin", async () => {
  await switchOffPlugin(db(), plugin, new Date());
  const refused = await submit();
  await switchOnPlugin(db(), PLUGIN_SETTINGS, plugin, new Date());
  expectForPayer(refused, "Go back to the shop and choose another way to pay");
});

test("a payer whose shop signed or filled in its request incorrectly is sent back to the shop, without the reason", async () => {
  const lead = "The shop sent an invalid payment request. Go back to the shop";
  expectForPayer(await submit({ key: "wrong" }), lead);
  expectForPayer(await submit({ change: { money: "1,5" } }), lead);
  expectForPayer(await submit({ change: { notify_url: "ftp://x" }, method: "GET" }), lead);
});

test("a payer who submits a paid order again is asked not to pay again", async () => {
  const change = { out_trade_no: "R-paid" };
  const first = await submit({ change });
  expect(first.status).toBe(302);
  const id = first.headers.get("location")?.split("/").at(-1) ?? "";
  await db().update(orders).set({ status: "paid", paidAt: new Date() }).where(eq(orders.id, id));
  const again = await submit({ change });
  expect(again.text).toContain("This order is already paid");
  expectForPayer(again, "Do not pay again.");
});

test("a payer above the limit is asked to try again: after a form by a page that does not reload, else by one that does", async () => {
  const ip = "198.51.100.7";
  for (const _ of [1, 2]) expect((await submit({ ip })).status).toBe(302);
  const form = await submit({ ip });
  expect(form.status).toBe(429);
  expect(Number(form.headers.get("retry-after"))).toBeGreaterThan(0);
  expectForPayer(form, "Go back to the shop and try again in a minute");
  expect(form.html).not.toContain("<script>");
  const link = await submit({ ip, method: "GET" });
  expect(link.status).toBe(429);
  expect(link.html).toContain("<script>");
});
