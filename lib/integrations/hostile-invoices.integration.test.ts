import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { callbacks, orders } from "@/db/schema";
import { createIntegrationSigner } from "@/lib/callbacks/sign-for-integration";
import { parseRate } from "@/lib/domain/rates/price";
import { INSTALLED } from "@/lib/integrations/installed";
import { addressVerifier } from "@/lib/merchants/vault";
import { chooseMethod } from "@/lib/orders/choose-method";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { seedAddress, seedCursor, TEST_APP_SECRET } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true });
const db = () => api.pool.db;
const log = pino({ level: "silent" });
const SECRET = "a-secret-for-hostile-invoices";
const counts = { made: 0, refused: 0, verified: 0, changed: 0 };
let store: Awaited<ReturnType<typeof seedPlugin>>;
let signer: ReturnType<typeof createIntegrationSigner>;

const post = async (path: string, body: string, token = store.key) => {
  const headers = { authorization: `token ${token}`, "content-type": "application/json" };
  const url = `${api.origin}/greenfield/api/v1/stores/${store.publicId}${path}`;
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  await seedCursor(db(), "bsc", now);
  for (let number = 0; number < 3; number++) await seedAddress(db(), { merchantId, network: "bsc" }, now);
  store = await seedPlugin(db(), { merchantId, integration: "greenfield" }, now);
  const price = { merchantId, mode: "fixed", markUpBasisPoints: 0 } as const;
  for (const [fiat, rate] of [
    ["EUR", "0.9"],
    ["JPY", "150"],
  ] as const)
    await writeMerchantPrice(db(), { ...price, fiat, fixedRate: parseRate(rate) }, now);
  signer = createIntegrationSigner(db(), { appSecret: TEST_APP_SECRET, log, integrations: INSTALLED });
  await post("/webhooks", JSON.stringify({ url: "https://shop.example.com/hook", secret: SECRET }));
});
afterAll(() => console.log(`hostile invoices: ${JSON.stringify(counts)}`));

/** An unusual part of an invoice, as JSON that is merged into an ordinary invoice; `raw` replaces the amount. */
interface Hostile {
  what: string;
  body?: Record<string, unknown>;
  raw?: string;
  /** The path of the field for which the invoice is rejected; absent if the invoice is created. */
  refused?: string;
}

const named = (what: string, name: string): Hostile => ({
  what,
  body: { metadata: { orderId: name, itemDesc: name } },
});
const money = (what: string, amount: unknown, refused?: string): Hostile => ({
  what,
  body: { amount },
  ...(refused && { refused }),
});
const to = (what: string, redirectURL: unknown, refused?: string): Hostile => ({
  what,
  body: { checkout: { redirectURL } },
  ...(refused && { refused }),
});

const TABLE: readonly Hostile[] = [
  { what: "nothing odd" },
  named("Chinese", "会员一个月"),
  named("ampersand, equals and plus", "a&b=c +1"),
  named("percent signs that look encoded", "%41%2B%26"),
  named("a backslash", "a\\b"),
  named("quotes of all kinds", `'"\`“”`),
  named("HTML", "<script>alert(1)</script>"),
  named("an emoji outside the first plane", "🧧👨‍👩‍👧"),
  named("half a character", "\ud83d"),
  named("marks that turn the writing round", "abc\u202Egnp.exe"),
  named("a name that is empty", ""),
  named("a null byte", "a\u0000b"),
  named("line breaks", "a\r\nb"),
  named("SQL", "'); drop table orders; --"),
  named("a name by which objects are made", "__proto__"),
  named("127 bytes that end within a character", `a${"长".repeat(42)}b`),
  named("a thousand characters", "n".repeat(1_000)),
  {
    what: "metadata that holds lists and objects",
    body: { metadata: { orderId: 7, items: [{ a: [1, null, true] }] } },
  },
  { what: "no metadata", body: { metadata: null } },
  { what: "metadata that is a list", body: { metadata: [1] }, refused: "metadata" },
  { what: "metadata of 20,000 bytes", body: { metadata: { x: "y".repeat(20_000) } }, refused: "metadata" },
  money("the least money", "0.01"),
  money("the most money", "99999999.99"),
  money("a number", 10.8),
  money("zeros at the end", "10.00"),
  money("no money", "0", "amount"),
  money("money below zero", "-1", "amount"),
  money("too many decimals", "1.005", "amount"),
  money("two dots", "1.2.3", "amount"),
  money("a comma", "1,50", "amount"),
  money("digits of another script", "１０", "amount"),
  money("a hexadecimal number", "0x10", "amount"),
  money("not a number", "NaN", "amount"),
  money("a list", ["1"], "amount"),
  money("true", true, "amount"),
  money("more money than there is", "9".repeat(40), "amount"),
  { what: "an exponent that is a number", raw: "1e1", refused: "amount" },
  { what: "an exponent beyond all numbers", raw: "1e400", refused: "amount" },
  { what: "yen with decimals", body: { amount: "1.50", currency: "JPY" }, refused: "amount" },
  { what: "an unknown currency", body: { currency: "XXX" }, refused: "currency" },
  { what: "a currency in small letters", body: { currency: "eur" } },
  to("a redirectURL that runs", "javascript:alert(1)", "checkout.redirectURL"),
  to("a redirectURL with a query and a fragment", "https://shop.example.com/d?x=1&y=%26#top"),
  to("an empty redirectURL", ""),
  to("a redirectURL that is a number", 7, "checkout.redirectURL"),
  {
    what: "unknown methods",
    body: { checkout: { paymentMethods: ["DOGE"] } },
    refused: "checkout.paymentMethods",
  },
  {
    what: "methods that are no list",
    body: { checkout: { paymentMethods: "BTC" } },
    refused: "checkout.paymentMethods",
  },
  { what: "unknown fields", body: { zzz: "会", receipt: { enabled: true }, additionalSearchTerms: ["a"] } },
  { what: "a field by the name of a prototype", body: { constructor: "x", toString: "y" } },
];

async function deliveredTo(id: string): Promise<{ body: string; signature: string }[]> {
  const [order] = await db().select().from(orders).where(eq(orders.id, id));
  const choosing = { log, env: TEST_ENV, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  if (order?.network === null) await chooseMethod(db(), choosing, id, { network: "bsc", currency: "USDT" }, new Date());
  const actor = { merchantId: api.merchant.id, userId: store.userId, role: "owner" } as const;
  const ctx = { publicUrl: "https://pay.example.com", log, integrations: INSTALLED };
  await markOrderPaid(db(), ctx, actor, { orderId: id, reason: "seen" }, new Date());
  const pending = await db().select().from(callbacks).where(eq(callbacks.orderId, id));
  return Promise.all(
    pending.map(async ({ body, url, merchantId, webhookId }) => {
      const request = await signer({ merchantId, integration: "greenfield", url, body, webhookId }, new Date());
      if (typeof request === "string") throw new Error(request);
      return { body: request.body, signature: request.headers["btcpay-sig"] ?? "" };
    }),
  );
}

const right = (raw: string) => `sha256=${createHmac("sha256", SECRET).update(raw, "utf8").digest("hex")}`;

test.each(TABLE)("$what", async ({ body = {}, raw, refused }) => {
  const usual = { amount: "10.80", currency: "EUR", metadata: { orderId: "same" }, checkout: {} };
  const whole = JSON.stringify({ ...usual, ...body });
  const text = raw === undefined ? whole : whole.replace('"10.80"', raw);
  expect((await post("/invoices", text, `${store.key}x`)).status).toBe(401);
  const made = await post("/invoices", text);
  if (refused) {
    expect(made.status, JSON.stringify(made.body)).toBe(422);
    expect((made.body as unknown as { path: string }[]).map(({ path }) => path)).toContain(refused);
    counts.refused += 1;
    return;
  }
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  counts.made += 1;
  const id = String(made.body["id"]);
  // In this protocol, the order number does not identify an invoice: the same request creates a second invoice.
  expect((await post("/invoices", text)).body["id"]).not.toBe(id);
  const reported = await deliveredTo(id);
  expect(reported.map((one) => JSON.parse(one.body).type)).toEqual(
    expect.arrayContaining(["InvoicePaymentSettled", "InvoiceSettled"]),
  );
  for (const { body: delivered, signature } of reported) {
    expect(signature).toBe(right(delivered));
    expect(JSON.parse(delivered)).toMatchObject({ invoiceId: id, metadata: made.body["metadata"] ?? {} });
    for (const at of [0, delivered.length >> 1, delivered.length - 1]) {
      expect(right(`${delivered.slice(0, at)}~${delivered.slice(at + 1)}`)).not.toBe(signature);
      counts.changed += 1;
    }
    counts.verified += 1;
  }
});
