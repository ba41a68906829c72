import { eq } from "drizzle-orm";
import pino from "pino";
import { expect } from "vitest";
import { apiKeys, callbacks } from "@/db/schema";
import { createCallbackSender } from "@/lib/callbacks/callback-sender";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { signMessage } from "@/lib/domain/keys/signature";
import { senderContext } from "@/testing/callbacks/seed";
import { seedAddress, seedCursor } from "@/testing/database/seed";
import { payQuote } from "@/testing/integrations/pay-quote";
import { Visitor } from "@/testing/recipes/visitor";
import type { TestApi } from "@/testing/web";

const log = pino({ level: "silent" });
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Lets the merchant receive payments on Ethereum, and its key create payment links. */
export async function openMerchant(api: TestApi): Promise<void> {
  const now = new Date();
  await seedCursor(api.pool.db, "ethereum", now);
  await seedAddress(api.pool.db, { merchantId: api.merchant.id, network: "ethereum" }, now);
  const isOwn = eq(apiKeys.id, api.merchant.keyId);
  await api.pool.db
    .update(apiKeys)
    .set({ scopes: [...SCOPES] })
    .where(isOwn);
}

/** Returns the id of the order at the end of a payment page's URL. */
export function tradeIdIn(paymentUrl: string | null): string {
  const found = /^https:\/\/pay\.example\.com\/pay\/([0-9a-z]{28})$/.exec(paymentUrl ?? "")?.[1];
  if (!found) throw new Error(`${paymentUrl} is not the URL of a payment page`);
  return found;
}

/** Starts a payment on the page of a payment link. @returns the id of its order */
export async function openLink(api: TestApi, url: string, fields: Record<string, string> = {}): Promise<string> {
  const link = url.replace(/^https:\/\/pay\.example\.com/, api.origin);
  const payer = new Visitor();
  const answer = await payer.submit(link, await payer.open(link), fields);
  const found = /^\/pay\/([0-9a-z]{28})/.exec(answer.headers.get("location") ?? "")?.[1];
  if (!found) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return found;
}

/** Selects USDT on Ethereum on the payment page and pays exactly. The callback is not sent yet. */
export async function payOrder(api: TestApi, tradeId: string): Promise<void> {
  const body = new URLSearchParams({ method: "ethereum:USDT" });
  const chosen = await fetch(`${api.origin}/pay/${tradeId}`, { method: "POST", body, redirect: "manual" });
  expect(chosen.headers.get("location")).toBe(`/pay/${tradeId}`);
  await payQuote(api.pool.db, tradeId, log);
}

/** Sends all due callbacks, as the worker does. */
export async function deliverCallbacks(api: TestApi): Promise<void> {
  const sender = createCallbackSender(
    api.pool.db,
    senderContext(api.pool.db, () => new Date()),
  );
  await sender.tick();
  await sender.drain();
}

interface SentCallback {
  id: string;
  url: string;
  body: string;
}

/** Returns the callback of a paid order. */
export async function callbackOf(api: TestApi, tradeId: string): Promise<SentCallback> {
  const [sent] = await api.pool.db.select().from(callbacks).where(eq(callbacks.orderId, tradeId));
  if (!sent) throw new Error(`The order ${tradeId} has no callback`);
  return sent;
}

/** Sends a callback with its valid signature, or with the given changes. @returns the status of the response */
export async function sendCallback(
  api: TestApi,
  sent: SentCallback,
  change: { secret?: string; at?: Date; signedBody?: string } = {},
): Promise<number> {
  const { secret = api.merchant.secret, at = new Date(), signedBody = sent.body } = change;
  const response = await fetch(sent.url, {
    method: "POST",
    body: sent.body,
    headers: {
      "content-type": "application/json",
      "webhook-id": sent.id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signMessage([secret], sent.id, at, signedBody),
    },
  });
  await response.text();
  return response.status;
}

/** Reports an order as paid in callbacks that are forged, altered, too old, too new and unsigned. Expects that each is refused. */
export async function expectForgeriesRefused(api: TestApi, url: string, order: object): Promise<void> {
  const data = { ...order, status: "paid", exception: null };
  const event = { id: "evt_1", type: "payment.confirmed", timestamp: new Date().toISOString(), data };
  const forged = { id: event.id, url, body: JSON.stringify(event) };
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const headers = { "content-type": "application/json" };
  const statuses = [
    await sendCallback(api, forged, { secret: OTHER_SECRET }),
    await sendCallback(api, forged, { signedBody: "{}" }),
    await sendCallback(api, forged, { at: minutesFromNow(-10) }),
    await sendCallback(api, forged, { at: minutesFromNow(10) }),
    (await fetch(url, { method: "POST", body: forged.body, headers })).status,
  ];
  for (const status of statuses) expect(status).toSatisfy((one: number) => one >= 400 && one < 500);
}
