import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeAll, expect, test } from "vitest";
import { callbacks } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { createCallbackSigner } from "@/lib/callbacks/sign-callback";
import { registerIntegrations } from "@/lib/domain/integrations/integration";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { changePlugin } from "@/lib/plugins/plugin-settings";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { senderContext, signingContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { toy } from "@/testing/integrations/toy/integration";
import { signToy } from "@/testing/integrations/toy/signature";
import { useTestApi } from "@/testing/web";

const integrations = registerIntegrations([toy]);
const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] }, integrations);
const db = () => api.pool.db;
let plugin: Awaited<ReturnType<typeof seedPlugin>>;
let shop: Receiver | undefined;
let count = 0;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId, network: "bsc" }, now);
  plugin = await seedPlugin(db(), { merchantId, integration: "toy" }, now, integrations);
});
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

async function createOrder(change: Record<string, unknown> = {}, key = plugin.key) {
  const fields = {
    shop: plugin.publicId,
    number: `T-${++count}`,
    toy: "Bear",
    amount: "5.5",
    notify: `${shop?.origin ?? "https://shop.example.com"}/paid`,
    back: "https://shop.example.com/thanks",
    ...change,
  };
  const body = JSON.stringify(fields);
  const headers = { "content-type": "application/json", "x-toy-signature": signToy(body, key) };
  const response = await fetch(`${api.origin}/toy/orders`, { method: "POST", body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function markPaid(orderId: string): Promise<void> {
  const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }), integrations };
  const actor = { merchantId: api.merchant.id, userId: plugin.userId, role: "owner" } as const;
  await markOrderPaid(db(), ctx, actor, { orderId, reason: "seen" }, new Date());
}

async function deliver(now: Date): Promise<void> {
  const sign = createCallbackSigner(db(), { ...signingContext, integrations });
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => now, { sign, integrations }),
  );
  await sender.tick();
  await sender.drain();
}

const readCallback = async (orderId: string) =>
  (await db().select().from(callbacks).where(eq(callbacks.orderId, orderId)))[0];

test("an order passes from its signed request to the acknowledged callback and the return to the shop", async () => {
  let response = "no";
  shop = await startReceiver((outgoing) => void outgoing.writeHead(200).end(response));
  const created = await createOrder();
  expect(created.status).toBe(200);
  const id = created.body["order"] ?? "";
  expect(created.body["page"]).toBe(`https://pay.example.com/pay/${id}`);
  expect(await (await fetch(`${api.origin}/pay/${id}`)).text()).toContain("Bear");

  await markPaid(id);
  const page = await (await fetch(`${api.origin}/pay/${id}`)).text();
  expect(page).toContain(`https://shop.example.com/thanks?order=${id}`);

  await deliver(new Date());
  expect(await readCallback(id)).toMatchObject({ format: "toy", status: "pending", attempts: 1, lastHttpStatus: 200 });
  response = "thanks";
  await deliver(new Date(Date.now() + 3_600_000));
  expect(await readCallback(id)).toMatchObject({ status: "delivered", attempts: 2 });
  const sent = shop.received.at(-1);
  expect(JSON.parse(sent?.body ?? "")).toEqual({ order: id, toy: "Bear", paid: true });
  expect(sent?.headers["x-toy-signature"]).toBe(signToy(sent?.body ?? "", plugin.key));
});

test("a request with another key is refused, and so is every other integration of the release", async () => {
  expect((await createOrder({}, "another key")).status).toBe(401);
  expect((await createOrder({ toy: undefined })).status).toBe(400);
  expect((await fetch(`${api.origin}/toy/orders`)).status).toBe(405);
  expect((await fetch(`${api.origin}/epay/submit.php`)).status).toBe(404);
});

test("a setting that the integration declares changes its responses", async () => {
  expect((await createOrder()).body).not.toHaveProperty("greeting");
  const rules = { fiat: null, settings: { greets: true, undeclared: "x" } };
  expect(await changePlugin(db(), { integrations }, plugin, rules, new Date())).toBeNull();
  expect((await createOrder()).body).toMatchObject({ greeting: "Hello" });
});
