import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeAll, expect, test } from "vitest";
import { callbacks, orders } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { createCallbackSigner } from "@/lib/callbacks/sign-callback";
import { writeWaitingCallbacks } from "@/lib/callbacks/write-for-integrations";
import { NO_INTEGRATIONS, registerIntegrations } from "@/lib/domain/integrations/integration";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { senderContext, signingContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor, seedOrder } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { toy } from "@/testing/integrations/toy/integration";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] }, new Map());
const db = () => api.pool.db;
const TOY = registerIntegrations([toy]);
let address: Awaited<ReturnType<typeof seedAddress>>;
let shop: Receiver | undefined;

beforeAll(async () => {
  const now = new Date();
  await seedCursor(db(), "bsc", now);
  address = await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
});
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

async function deliver(integrations: typeof NO_INTEGRATIONS, now: Date): Promise<void> {
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

test("200: without integrations, order/add creates an order; 404: the paths of integrations do not exist", async () => {
  const created = await api.post("/order/add", {
    mch_order_id: "A-1",
    amount: "5",
    currency: "USDT",
    network: "bsc",
    notify_url: "https://shop.example.com/",
  });
  expect(created.status).toBe(200);
  expect((await api.request(`/api/pay/${created.body.data?.["trade_id"]}/status`)).status).toBe(200);
  expect((await fetch(`${api.origin}/epay/submit.php`)).status).toBe(404);
});

test("orders of an integration that is not installed are kept, and their callbacks wait until it is", async () => {
  const now = new Date();
  shop = await startReceiver((response) => void response.writeHead(200).end("thanks"));
  const plugin = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "toy" }, now, TOY);
  const { id } = await seedOrder(
    db(),
    { address, baseUnits: 7_000_000_000_000_000_000n, notifyUrl: `${shop.origin}/paid` },
    now,
  );
  const stored = { integration: "toy", echo: { toy: "Bear" }, redirectUrl: "https://shop.example.com/thanks" };
  await db().update(orders).set(stored).where(eq(orders.id, id));

  const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }), integrations: NO_INTEGRATIONS };
  const actor = { merchantId: api.merchant.id, userId: plugin.userId, role: "owner" } as const;
  await markOrderPaid(db(), ctx, actor, { orderId: id, reason: "seen" }, now);
  const page = await fetch(`${api.origin}/pay/${id}`);
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain("shop.example.com/thanks");

  await deliver(NO_INTEGRATIONS, now);
  expect(await readCallback(id)).toMatchObject({ format: "toy", body: "", status: "pending" });
  expect(await readCallback(id)).toMatchObject({ unsignedReason: "not_installed" });
  expect(shop.received).toEqual([]);

  const later = new Date(now.getTime() + 60_000);
  expect(await writeWaitingCallbacks(db(), NO_INTEGRATIONS, later)).toBe(0);
  expect(await writeWaitingCallbacks(db(), TOY, later)).toBe(1);
  await deliver(TOY, later);
  expect(await readCallback(id)).toMatchObject({ status: "delivered", attempts: 1 });
  expect(JSON.parse(shop.received[0]?.body ?? "")).toEqual({ order: id, toy: "Bear", paid: true });
});
