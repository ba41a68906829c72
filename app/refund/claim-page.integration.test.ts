import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { findRefund, writeRefundSettings } from "@/db/queries/refunds/refund-requests";
import { apiKeys, orders } from "@/db/schema";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { createApiKey } from "@/lib/merchants/api-keys";
import { approveRefund, cancelRefund } from "@/lib/refunds/decide-refund";
import { seedAddress, seedOrder, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ viewsPerMinute: 100_000 });
const CUSTOMER = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const db = () => api.pool.db;
const owner = () => ({ merchantId: api.merchant.id, userId: "person", role: "owner" as const });
const ctx = { publicUrl: "https://pay.example.com", appSecret: TEST_APP_SECRET };
let count = 0;
let address: Awaited<ReturnType<typeof seedAddress>>;

beforeAll(async () => {
  address = await seedAddress(db(), { merchantId: api.merchant.id }, new Date());
});
beforeEach(async () => {
  await db()
    .update(apiKeys)
    .set({ scopes: [...SCOPES] })
    .where(eq(apiKeys.id, api.merchant.keyId));
  await writeRefundSettings(db(), api.merchant.id, { claimCheck: "none", networks: [] }, new Date());
});

/** Creates an order that received 10 USDT. */
async function paidOrder(): Promise<string> {
  count += 1;
  const { id } = await seedOrder(db(), { address, baseUnits: 10_000_000n + BigInt(count) }, new Date());
  await db().update(orders).set({ paidUnits: 10_000_000n }).where(eq(orders.id, id));
  return id;
}

async function request(fields: object = {}) {
  const { status, body } = await api.post("/refund/add", { trade_id: await paidOrder(), ...fields });
  return { status, data: body.data ?? {}, id: String(body.data?.["refund_id"]) };
}

const page = async (id: string, query = "") => (await fetch(`${api.origin}/refund/${id}${query}`)).text();
const send = (id: string, fields: Record<string, string>, query = "") =>
  fetch(`${api.origin}/refund/${id}${query}`, {
    method: "POST",
    body: new URLSearchParams({ network: "ethereum", address: CUSTOMER, confirmation: "BA72", ...fields }),
    redirect: "manual",
  });

test("a refund is requested, claimed by its link without a script, approved and cancelled", async () => {
  const { status, data, id } = await request({ amount: 4, reason: "Returned shoes", mch_refund_id: `R-${count}` });
  expect(status).toBe(200);
  expect(data).toMatchObject({
    status: "requested",
    amount: 4,
    currency: "USDT",
    claim_url: expect.stringMatching(new RegExp(`/refund/${id}$`)),
  });
  const form = await page(id);
  for (const text of ["4.00 USDT", "Returned shoes", 'value="ethereum"', "You paid on this network"])
    expect(form).toContain(text);
  const claimed = await send(id, {}, "?lang=de");
  expect([claimed.status, claimed.headers.get("location")]).toEqual([303, `/refund/${id}?lang=de`]);
  expect(await page(id)).toContain("Address received");
  expect(await approveRefund(db(), ctx, owner(), id, new Date())).toBeNull();
  expect(await page(id)).toContain("Refund approved");
  const detail = await api.post("/refund/detail", { refund_id: id });
  expect(detail.body.data).toMatchObject({ status: "approved", address: CUSTOMER, network: "ethereum", tx_hash: null });
  expect(await cancelRefund(db(), ctx, owner(), { id, reason: "Sold out" }, new Date())).toBeNull();
  expect(await page(id)).toContain("Sold out");
});

test("a refused claim is shown at its field with the customer's input, and stores nothing", async () => {
  const { id } = await request();
  for (const [fields, text] of [
    [{ address: `"><script>${CUSTOMER}` }, "This is not a valid address on Ethereum"],
    [{ address: address.address, confirmation: address.address.slice(-4) }, "This address belongs to the shop"],
    [{ confirmation: "0000" }, "These are not the last characters of the address"],
    [{ network: "nowhere" }, "Select one of these networks"],
  ] as const) {
    const answer = await send(id, fields);
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain(text);
    expect(html).not.toContain("<script>0x");
  }
  expect((await findRefund(db(), api.merchant.id, { id }))?.status).toBe("requested");
});

test("429: after ten attempts, a claim waits", async () => {
  await writeRefundSettings(db(), api.merchant.id, { claimCheck: "order_number", networks: [] }, new Date());
  const { id } = await request();
  for (let attempt = 0; attempt < 10; attempt++)
    expect((await send(id, { check: `guess ${attempt}` })).status).toBe(422);
  const answer = await send(id, { check: "guess" });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
});

test("the page asks for what the merchant requires, and offers only the networks that the merchant allows", async () => {
  await writeRefundSettings(db(), api.merchant.id, { claimCheck: "email", networks: ["bsc"] }, new Date());
  expect((await request()).status).toBe(400);
  const { id } = await request({ email: "ann@example.com" });
  const form = await page(id);
  expect(form).toContain('type="email"');
  expect([...form.matchAll(/name="network"[^>]*value="(\w+)"/g)].map(([, network]) => network)).toEqual(["bsc"]);
});

test("the page is small, complete in every language, and its status has an ETag and a stream", async () => {
  const { id } = await request();
  for (const { lang, refundTitle } of LANGUAGES) {
    const answer = await fetch(`${api.origin}/refund/${id}?lang=${lang}`, { headers: { "accept-encoding": "br" } });
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(14 * 1_024);
    expect(await answer.text()).toContain(refundTitle);
  }
  const status = await fetch(`${api.origin}/api/refund/${id}/status`);
  expect(await status.json()).toMatchObject({ refund_id: id, status: "requested", version: 1 });
  const known = await fetch(`${api.origin}/api/refund/${id}/status`, {
    headers: { "if-none-match": status.headers.get("etag") ?? "" },
  });
  expect(known.status).toBe(304);
  const stream = await fetch(`${api.origin}/api/refund/${id}/events`);
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  await stream.body?.cancel();
});

test("404: a link without a refund", async () => {
  const answer = await fetch(`${api.origin}/refund/01kaq5r3x2000f7j0n3q6s9v1wyz`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("There is no refund at this link");
});

test("a key with the usual scopes can neither request nor read refunds", async () => {
  const { id } = await request();
  const context = { appSecret: TEST_APP_SECRET, mode: "test" as const };
  const by = {
    merchantId: api.merchant.id,
    userId: await seedPerson(db(), { merchantId: api.merchant.id }, new Date()),
  };
  const { apiKey } = await createApiKey(db(), context, { ...by, name: "usual", mustSign: false }, new Date());
  for (const [path, body] of [
    ["add", { trade_id: await paidOrder() }],
    ["detail", { refund_id: id }],
    ["list", {}],
    ["cancel", { refund_id: id }],
  ] as const) {
    const answer = await fetch(`${api.origin}/api/v1/pay/refund/${path}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ code: 10002, message: expect.stringContaining("refunds:") });
  }
});

test("a repeated request returns the same refund; another shop's refund and order do not exist", async () => {
  const fields = { trade_id: await paidOrder(), mch_refund_id: "R-same", amount: 1 };
  const first = await api.post("/refund/add", fields);
  const again = await api.post("/refund/add", fields);
  expect(again.body.data?.["refund_id"]).toBe(first.body.data?.["refund_id"]);
  expect((await api.post("/refund/add", { ...fields, amount: 2 })).body.code).toBe(10004);
  expect((await api.post("/refund/detail", { refund_id: "01kaq5r3x2000f7j0n3q6s9v1wyz" })).body.code).toBe(10003);
  const listed = await api.post("/refund/list", { trade_id: fields.trade_id });
  expect(listed.body.data?.["refunds"]).toHaveLength(1);
  const cancelled = await api.post("/refund/cancel", { mch_refund_id: "R-same" });
  expect(cancelled.body.data).toMatchObject({ status: "cancelled" });
  expect((await api.post("/refund/cancel", { mch_refund_id: "R-same" })).body.code).toBe(0);
});

test("more than is left is refused with what is left", async () => {
  const trade = await paidOrder();
  const { body } = await api.post("/refund/add", { trade_id: trade, amount: 10.5 });
  expect(body).toMatchObject({ code: 10004, message: expect.stringContaining("10 USDT") });
});

test("413: a form that is too large is refused, and is no failure of the service", async () => {
  const { status } = await send((await request()).id, { address: "x".repeat(70_000) });
  expect(status).toBe(413);
});

test("404: a form of a refund whose id no text of the database can be", async () => {
  expect((await send("%00", { address: "x" })).status).toBe(404);
});
