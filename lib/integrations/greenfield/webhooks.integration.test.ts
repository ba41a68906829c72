import { createHmac, timingSafeEqual } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { callbacks, orders, pluginKeys, quotes, transfers } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import type { CallbackType } from "@/lib/domain/callbacks/callback";
import { invoiceEvents } from "@/lib/integrations/greenfield/webhook-events";
import { INSTALLED } from "@/lib/integrations/installed";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { moveOrder } from "@/lib/orders/move-order";
import { type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { detailData, senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor, seedTransfer } from "@/testing/database/seed";
import { seedPlugin } from "@/testing/integrations/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ isSandbox: true, callbackAllowCidrs: ["127.0.0.0/8"] });
const db = () => api.pool.db;
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }), integrations: INSTALLED };
let store: Awaited<ReturnType<typeof seedPlugin>>;
let shop: Receiver | undefined;

beforeAll(async () => {
  const now = new Date();
  await seedCursor(db(), "bsc", now);
  await seedAddress(db(), { merchantId: api.merchant.id, network: "bsc" }, now);
  store = await seedPlugin(db(), { merchantId: api.merchant.id, integration: "greenfield" }, now);
});
afterEach(async () => {
  await shop?.close();
  shop = undefined;
  for (const { id } of (await send("GET", "/webhooks")).body as unknown as { id: string }[])
    await send("DELETE", `/webhooks/${id}`);
});

type Body = Record<string, unknown>;
const request = (path: string, init: RequestInit = {}) =>
  fetch(`${api.origin}/greenfield/api/v1/stores/${store.publicId}${path}`, {
    ...init,
    headers: { authorization: `token ${store.key}`, "content-type": "application/json" },
  });
const send = async (method: string, path: string, body?: unknown) => {
  const answer = await request(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: (await answer.json()) as Body };
};
const METADATA = { orderId: "A-1", buyerName: "会 & co" };
const createInvoice = async () => {
  const checkout = { paymentMethods: ["USDT-BSC"] };
  const made = await send("POST", "/invoices", { amount: "10", currency: "USDT", metadata: METADATA, checkout });
  expect(made.status).toBe(200);
  return String(made.body["id"]);
};
const listen = async (url: string, more: Body = {}) => {
  const made = await send("POST", "/webhooks", { url, ...more });
  expect(made.status).toBe(200);
  return made.body as { id: string; secret: string };
};
const pending = (id: string) =>
  db().select().from(callbacks).where(eq(callbacks.orderId, id)).orderBy(asc(callbacks.createdAt), asc(callbacks.id));

/** Checks a delivery as BTCPay's plugins do, independently of the service's code. */
function isSigned(raw: string, header: string | undefined, secret: string): boolean {
  const right = Buffer.from(`sha256=${createHmac("sha256", secret).update(raw, "utf8").digest("hex")}`);
  const given = Buffer.from(header ?? "");
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Pays the whole amount with a transfer that is final immediately. */
async function pay(id: string, at = new Date()) {
  const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, id));
  if (!quote) throw new Error("An invoice without a quote");
  const { receivingAddressId, merchantId, baseUnits } = quote;
  const address = { id: receivingAddressId, merchantId, network: "bsc", address: quote.address };
  const final = { status: "confirmed", confirmedAt: at, confirmations: 100 } as const;
  const { id: sent } = await seedTransfer(db(), { address, baseUnits, blockTime: at }, at);
  await matchTransfers(db(), ctx, "bsc", at);
  await db().update(transfers).set(final).where(eq(transfers.id, sent));
  await moveOrder(db(), ctx, id, { type: "fundsChanged" }, at);
}

/** Sends all due callbacks, until none is due that may be sent. */
/** Returns a time at which everything that this test enqueued is due, even if the clock of the database is ahead. */
const soon = () => new Date(Date.now() + 5_000);

async function deliver(now: Date): Promise<void> {
  for (let started = 1; started > 0; ) {
    const sender = createCallbackSender(
      db(),
      senderContext(db(), () => now),
    );
    started = await sender.tick();
    await sender.drain();
  }
}

test("a webhook is made, read, changed and deleted; its secret is shown once", async () => {
  const made = await send("POST", "/webhooks", { url: "https://shop.example.com/hook" });
  const { secret, ...shown } = made.body;
  expect(String(secret).length).toBeGreaterThanOrEqual(32);
  const everything = { everything: true, specificEvents: [] };
  const url = "https://shop.example.com/hook";
  expect(shown).toEqual({
    id: shown["id"],
    enabled: true,
    automaticRedelivery: true,
    url,
    authorizedEvents: everything,
  });
  expect((await send("GET", "/webhooks")).body).toEqual([shown]);
  const some = { everything: false, specificEvents: ["InvoiceSettled"] };
  const changed = await send("PUT", `/webhooks/${shown["id"]}`, { url, enabled: false, authorizedEvents: some });
  expect(changed.body).toEqual({ ...shown, enabled: false, authorizedEvents: some });
  expect((await send("GET", `/webhooks/${shown["id"]}`)).body).toEqual(changed.body);
  expect((await send("DELETE", `/webhooks/${shown["id"]}`)).status).toBe(200);
  for (const method of ["GET", "DELETE"])
    expect((await send(method, `/webhooks/${shown["id"]}`)).body["code"]).toBe("webhook-not-found");
});

test.each([
  ["url", {}],
  ["url", { url: "http://169.254.169.254/" }],
  ["url", { url: "file:///etc/passwd" }],
  ["enabled", { url: "https://shop.example.com/", enabled: "yes" }],
  ["secret", { url: "https://shop.example.com/", secret: "short" }],
  ["authorizedEvents", { url: "https://shop.example.com/", authorizedEvents: { everything: false } }],
])("422: %s is refused where it is wrong: %j", async (path, body) => {
  const { status, body: problems } = await send("POST", "/webhooks", body);
  expect(status).toBe(422);
  expect(problems).toMatchObject([{ path }]);
});

test("a store has twenty at most, and a token without the permission has none", async () => {
  const made = await Promise.all(
    Array.from({ length: 22 }, () => send("POST", "/webhooks", { url: "https://a.example/" })),
  );
  expect(made.filter(({ status }) => status === 200)).toHaveLength(20);
  await db()
    .update(pluginKeys)
    .set({ permissions: ["btcpay.store.canviewinvoices"] });
  const refused = await send("POST", "/webhooks", { url: "https://a.example/" });
  expect([refused.status, refused.body["code"]]).toEqual([403, "missing-permission"]);
  await db().update(pluginKeys).set({ permissions: [] });
});

test("a payment is sent to every subscribed webhook, signed with its own secret; a refusal is retried", async () => {
  let status = 500;
  shop = await startReceiver((response) => void response.writeHead(status).end());
  const all = await listen(`${shop.origin}/all`);
  const some = await listen(`${shop.origin}/some`, {
    authorizedEvents: { everything: false, specificEvents: ["InvoiceSettled"] },
    secret: "a-secret-of-its-own",
  });
  expect(some.secret).toBe("a-secret-of-its-own");
  const id = await createInvoice();
  await pay(id);
  const types = (await pending(id)).map(({ url, body }) => `${new URL(url).pathname} ${JSON.parse(body).type}`).sort();
  expect(types).toEqual([
    "/all InvoicePaymentSettled",
    "/all InvoiceProcessing",
    "/all InvoiceReceivedPayment",
    "/all InvoiceSettled",
    "/some InvoiceSettled",
  ]);
  const begin = soon();
  await deliver(begin);
  expect(new Set((await pending(id)).map((one) => one.status))).toEqual(new Set(["pending"]));
  status = 204;
  for (let hour = 1; hour < 8; hour++) await deliver(new Date(begin.getTime() + hour * 3_600_000));
  expect(new Set((await pending(id)).map((one) => one.status))).toEqual(new Set(["delivered"]));
  for (const { path, headers, body } of shop.received) {
    const secret = path === "/all" ? all.secret : some.secret;
    const header = headers["btcpay-sig"] as string;
    expect(isSigned(body, header, secret)).toBe(true);
    expect(isSigned(body.replace("Invoice", "Invoicf"), header, secret)).toBe(false);
    expect(isSigned(body, header, `${secret}x`)).toBe(false);
    const reported = JSON.parse(body) as Body;
    expect(reported).toMatchObject({ invoiceId: id, storeId: store.publicId, isRedelivery: false, metadata: METADATA });
    expect(reported["webhookId"]).toBe(path === "/all" ? all.id : some.id);
    expect([reported["originalDeliveryId"], Number.isInteger(reported["timestamp"])]).toEqual([
      reported["deliveryId"],
      true,
    ]);
  }
  const tries = Map.groupBy(shop.received, ({ body }) => JSON.parse(body).deliveryId);
  for (const same of tries.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  expect(tries.size).toBe(5);
});

const EVENTS_OF_PAYMENT = ["InvoiceReceivedPayment", "InvoiceProcessing", "InvoicePaymentSettled", "InvoiceSettled"];

test("the events of an invoice arrive in order, each after the response to the one before, while other invoices proceed", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: string[] = [];
  shop = await startReceiver(async (response, { body }) => {
    const { invoiceId } = JSON.parse(body) as { invoiceId: string };
    held.push(invoiceId);
    if (invoiceId === slow) await released;
    response.writeHead(200).end();
  });
  await listen(`${shop.origin}/`);
  const slow = await createInvoice();
  const fast = await createInvoice();
  for (const id of [slow, fast]) await pay(id);
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => new Date()),
  );
  const statesOf = async (id: string) => (await pending(id)).map(({ status }) => status);
  await sender.tick();
  await vi.waitFor(async () => expect(new Set(await statesOf(fast))).toEqual(new Set(["delivered"])), 20_000);
  expect(held.filter((id) => id === slow)).toHaveLength(1);
  release();
  await vi.waitFor(async () => expect(new Set(await statesOf(slow))).toEqual(new Set(["delivered"])), 20_000);
  await sender.drain();
  const sent = shop.received.map(({ body }) => JSON.parse(body) as Body);
  for (const id of [slow, fast])
    expect(sent.filter(({ invoiceId }) => invoiceId === id).map(({ type }) => type)).toEqual(EVENTS_OF_PAYMENT);
});

test("an event that fails is retried before later ones are, but delays them by one attempt at most", async () => {
  const refused = new Set(EVENTS_OF_PAYMENT);
  shop = await startReceiver((response, { body }) => {
    response.writeHead(refused.has(JSON.parse(body).type) ? 400 : 200).end();
  });
  await listen(`${shop.origin}/`);
  const id = await createInvoice();
  await pay(id);
  const typesSince = (count: number) => shop?.received.slice(count).map(({ body }) => JSON.parse(body).type);
  const begin = soon();
  await deliver(begin);
  expect(typesSince(0)).toEqual(EVENTS_OF_PAYMENT);
  // The first event is due last, as a delay with jitter can have it.
  const [first] = (await pending(id)).filter(({ body }) => JSON.parse(body).type === EVENTS_OF_PAYMENT[0]);
  const late = new Date(begin.getTime() + 60_000);
  await db()
    .update(callbacks)
    .set({ nextAttemptAt: late })
    .where(eq(callbacks.id, String(first?.id)));
  await deliver(new Date(begin.getTime() + 30_000));
  expect(typesSince(4)).toEqual([]);
  refused.clear();
  refused.add("InvoiceReceivedPayment");
  await deliver(late);
  expect(typesSince(4)).toEqual(EVENTS_OF_PAYMENT);
  const states = (await pending(id)).map(({ body, status }) => `${JSON.parse(body).type} ${status}`);
  expect(states.toSorted()).toEqual(
    EVENTS_OF_PAYMENT.map((type) => `${type} ${refused.has(type) ? "pending" : "delivered"}`).toSorted(),
  );
});

test("deliveries are listed with their results, and repeated under a new id with the first one's number", async () => {
  let status = 500;
  shop = await startReceiver((response) => void response.writeHead(status).end());
  const hook = await listen(`${shop.origin}/`);
  const deliveries = `/webhooks/${hook.id}/deliveries`;
  const metadata = '{"orderId":"A-1","big":12345678901234567890.10}';
  const { id } = (await send("POST", "/invoices", { amount: "10", currency: "USDT", metadata: METADATA })).body;
  const changed = await request(`/invoices/${id}`, { method: "PUT", body: `{"metadata":${metadata}}` });
  expect(changed.status).toBe(200);
  await send("POST", `/invoices/${id}/status`, { status: "Invalid" });
  expect((await send("GET", deliveries)).body, "nothing was sent yet").toEqual([]);
  const begin = soon();
  await deliver(begin);
  const list = async () => (await send("GET", deliveries)).body as unknown as Body[];
  const [failed] = await list();
  expect(failed).toEqual({
    id: expect.any(String),
    timestamp: expect.any(Number),
    sentTimestamp: expect.any(Number),
    httpCode: 500,
    errorMessage: "HTTP Error Code 500",
    status: "HttpError",
  });
  status = 200;
  await deliver(new Date(begin.getTime() + 3_600_000));
  const [first] = await list();
  expect(first).toMatchObject({ id: failed?.["id"], httpCode: 200, errorMessage: "", status: "HttpSuccess" });
  expect((await send("GET", `${deliveries}/${first?.["id"]}`)).body).toEqual(first);

  const renewed = (await send("POST", `${deliveries}/${first?.["id"]}/redeliver`)).body as unknown;
  expect(renewed).toEqual(expect.stringMatching(/^evt_[0-9a-z]{28}$/));
  await deliver(soon());
  const again = (await send("POST", `${deliveries}/${renewed}/redeliver`)).body as unknown;
  await deliver(soon());
  const original = shop.received[1]?.body ?? "";
  expect(original).toContain(`"metadata":${metadata}`);
  const numbers = { webhookId: hook.id, originalDeliveryId: first?.["id"], isRedelivery: true };
  for (const [index, deliveryId] of [renewed, again].entries()) {
    const sent = shop.received[index + 2];
    const body = sent?.body ?? "";
    expect(isSigned(body, sent?.headers["btcpay-sig"] as string, hook.secret)).toBe(true);
    expect(JSON.parse(body)).toEqual({ ...JSON.parse(original), ...numbers, deliveryId });
    expect(body.slice(body.indexOf('"timestamp"'))).toBe(original.slice(original.indexOf('"timestamp"')));
    expect(await (await request(`${deliveries}/${deliveryId}/request`)).text()).toBe(body);
  }
  expect((await list()).map((one) => one["id"])).toEqual([again, renewed, first?.["id"]]);
  expect((await send("GET", `${deliveries}?count=1`)).body).toMatchObject([{ id: again }]);
  expect((await send("GET", `${deliveries}?count=x`)).body).toMatchObject([{ path: "count" }]);
});

test("404: a delivery of another webhook, an unknown one and one of another store are not found", async () => {
  shop = await startReceiver((response) => void response.writeHead(200).end());
  const hook = await listen(`${shop.origin}/`);
  const other = await listen(`${shop.origin}/other`, {
    authorizedEvents: { everything: false, specificEvents: ["InvoiceExpired"] },
  });
  const id = await createInvoice();
  await send("POST", `/invoices/${id}/status`, { status: "Invalid" });
  await deliver(soon());
  const [{ id: sent } = { id: "" }] = (await send("GET", `/webhooks/${hook.id}/deliveries`)).body as unknown as {
    id: string;
  }[];
  for (const path of [`${other.id}/deliveries/${sent}`, `${hook.id}/deliveries/evt_unknown`])
    for (const [method, rest] of [
      ["GET", ""],
      ["GET", "/request"],
      ["POST", "/redeliver"],
    ] as const)
      expect(await send(method, `/webhooks/${path}${rest}`)).toMatchObject({
        status: 404,
        body: { code: "webhookdelivery-not-found" },
      });
  expect((await send("GET", "/webhooks/unknown/deliveries")).body["code"]).toBe("webhook-not-found");
  expect(shop.received).toHaveLength(1);
});

test("cancelled, expired and manually marked orders are reported; callbacks of a disabled webhook wait for it, and fail when it is deleted", async () => {
  shop = await startReceiver((response) => void response.writeHead(200).end());
  const hook = await listen(`${shop.origin}/`);
  const cancelled = await createInvoice();
  const expired = await createInvoice();
  const marked = await createInvoice();
  const silent = await createInvoice();
  await send("POST", `/invoices/${cancelled}/status`, { status: "Invalid" });
  await db()
    .update(orders)
    .set({ expiresAt: new Date(Date.now() - 60_000) })
    .where(eq(orders.id, expired));
  await moveOrder(db(), ctx, expired, { type: "timePassed" }, new Date());
  const actor = { merchantId: api.merchant.id, userId: store.userId, role: "owner" } as const;
  await markOrderPaid(db(), ctx, actor, { orderId: marked, reason: "seen" }, new Date());
  const reported = async (id: string) =>
    (await pending(id)).map(({ body }) => {
      const { type, manuallyMarked, partiallyPaid } = JSON.parse(body);
      return { type, manuallyMarked, partiallyPaid };
    });
  expect(await reported(cancelled)).toEqual([{ type: "InvoiceInvalid", manuallyMarked: true }]);
  expect(await reported(expired)).toEqual([{ type: "InvoiceExpired", partiallyPaid: false }]);
  expect(await reported(marked)).toEqual(expect.arrayContaining([{ type: "InvoiceSettled", manuallyMarked: true }]));
  await send("PUT", `/webhooks/${hook.id}`, { url: `${shop.origin}/`, enabled: false });
  await pay(silent);
  expect(await pending(silent)).toEqual([]);
  await deliver(soon());
  expect(shop.received).toEqual([]);
  const stateOf = async (id: string) => (await pending(id))[0];
  expect(await stateOf(cancelled)).toMatchObject({ status: "pending", attempts: 0, unsignedReason: "webhook_off" });

  await send("PUT", `/webhooks/${hook.id}`, { url: `${shop.origin}/`, enabled: true });
  // The web process has its own clock. This time is before the callback's automatic retry.
  await deliver(soon());
  expect(await stateOf(cancelled)).toMatchObject({ status: "delivered", attempts: 1, unsignedReason: null });

  const last = await createInvoice();
  await send("POST", `/invoices/${last}/status`, { status: "Invalid" });
  await send("DELETE", `/webhooks/${hook.id}`);
  await deliver(soon());
  expect(await stateOf(last)).toMatchObject({ status: "failed", attempts: 1 });
});

test.each<[CallbackType, Parameters<typeof detailData>[0], string[]]>([
  ["payment.detected", {}, ["InvoiceReceivedPayment", "InvoiceProcessing"]],
  ["payment.underpaid", { exception: "underpaid" }, ["InvoiceReceivedPayment"]],
  ["payment.overpaid", { exception: "overpaid" }, ["InvoiceReceivedPayment", "InvoicePaymentSettled"]],
  ["payment.confirmed", {}, ["InvoicePaymentSettled", "InvoiceSettled"]],
  ["order.expired", {}, ["InvoiceExpired"]],
  ["order.cancelled", {}, ["InvoiceInvalid"]],
  ["payment.reversed", {}, []],
])("%s of %j is reported as %j", (type, change, types) => {
  const data = detailData(change);
  const at = new Date((data.expires_at + 1) * 1_000);
  const events = invoiceEvents(type, data, at);
  expect(events.map((one) => one.type)).toEqual(types);
  for (const one of events) if (one.type === "InvoiceReceivedPayment") expect(one["afterExpiration"]).toBe(true);
});
