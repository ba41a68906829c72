import { createHmac, createPublicKey, verify } from "node:crypto";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listCallbackFormats, listCallbackKeys } from "@/db/queries/callbacks/callback-keys";
import { countUnsigned } from "@/db/queries/callbacks/unsigned";
import { callbackAttempts, callbacks, events, orders } from "@/db/schema";
import { createCallbackSender, enqueueCallbacks } from "@/lib/callbacks/callback-sender";
import { listPublicKeys } from "@/lib/callbacks/signing-keys";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import { V2_DOMAIN } from "@/lib/domain/keys/signature";
import { allowPlugin } from "@/lib/merchants/activate-plugin";
import { createApiKey, type IssuedApiKey, makeKeyDefault, revokeApiKey, rotateApiKey } from "@/lib/merchants/api-keys";
import { createMerchantWithOwner } from "@/lib/users/register";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { detailData, seedCallbacks, senderContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const begin = new Date("2026-03-01T10:00:00Z");
const hour = (hours: number) => new Date(begin.getTime() + hours * 3_600_000);
const context = { appSecret: TEST_APP_SECRET, mode: "live" as const };

let owner: { merchantId: string; userId: string };
let shop: Receiver;
let [first, second]: IssuedApiKey[] = [];

const madeBy = (key: IssuedApiKey | undefined) => {
  if (!key) throw new Error("no such key");
  return { ...owner, id: key.id };
};
const newKey = (at: Date) => createApiKey(db(), context, { ...owner, name: "Web shop" }, at);
const rotate = (key: IssuedApiKey | null | undefined, at: Date) =>
  rotateApiKey(db(), context, { ...madeBy(key ?? undefined), overlapHours: 24 }, at);
const revoke = (key: IssuedApiKey | null | undefined, at: Date) => revokeApiKey(db(), madeBy(key ?? undefined), at);

/** Seeds a paid order that an API key or a user created, with a callback that is due. */
async function seedPaid(key: IssuedApiKey | null, at: Date) {
  const [callbackId = ""] = await seedCallbacks(db(), { merchantId: owner.merchantId, url: `${shop.origin}/paid` }, at);
  const [callback] = await db().select().from(callbacks).where(eq(callbacks.id, callbackId));
  const orderId = callback?.orderId ?? "";
  await db()
    .update(orders)
    .set({ apiKeyId: key?.id ?? null })
    .where(eq(orders.id, orderId));
  return { orderId, callbackId };
}

const signingIds = async (orderId: string, at: Date) =>
  ((await listCallbackKeys(db(), [orderId], at)).get(orderId) ?? []).map(({ id }) => id);

async function send(at: Date) {
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => at),
  );
  await sender.tick();
  await sender.drain();
  const request = shop.received.at(-1);
  const headers = (request?.headers ?? {}) as Record<string, string>;
  return { body: request?.body ?? "", headers };
}

beforeAll(async () => {
  const person = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  owner = await createMerchantWithOwner(db(), person, begin);
  shop = await startReceiver(answerWith(200));
});
afterAll(() => shop.close());
beforeEach(async () => {
  await empty(
    db(),
    "callbacks",
    "callback_attempts",
    "callback_origins",
    "events",
    "orders",
    "api_keys",
    "signing_keys",
  );
  shop.received.length = 0;
  [first, second] = [await newKey(hour(0)), await newKey(hour(1))];
});

describe("which keys sign", () => {
  test("the key that made the order, and no other", async () => {
    const { orderId } = await seedPaid(second ?? null, hour(2));
    expect(await signingIds(orderId, hour(2))).toEqual([second?.id]);
  });

  test("its successor too, newest first, whichever of both made the order; after the overlap the successor alone", async () => {
    const successor = await rotate(second, hour(2));
    for (const signer of [second, successor]) {
      const { orderId } = await seedPaid(signer ?? null, hour(3));
      expect(await signingIds(orderId, hour(3))).toEqual([successor?.id, second?.id]);
      expect(await signingIds(orderId, hour(27))).toEqual([successor?.id]);
    }
  });

  test("of a key that was replaced twice the last one, whichever of them made the order", async () => {
    const last = await rotate(await rotate(second, hour(2)), hour(3));
    const { orderId } = await seedPaid(second ?? null, hour(4));
    expect((await signingIds(orderId, hour(4)))[0]).toBe(last?.id);
    expect(await signingIds(orderId, hour(30))).toEqual([last?.id]);
  });

  test("where its whole line was revoked, or a person made the order, the default key", async () => {
    const ofKey = await seedPaid(second ?? null, hour(2));
    const ofPerson = await seedPaid(null, hour(2));
    const third = await newKey(hour(2));
    const successor = await rotate(second, hour(3));
    await revoke(successor, hour(4));
    expect(await signingIds(ofKey.orderId, hour(4))).toEqual([second?.id]);
    await revoke(second, hour(4));
    for (const { orderId } of [ofKey, ofPerson]) expect(await signingIds(orderId, hour(4))).toEqual([first?.id]);
    await makeKeyDefault(db(), madeBy(third), hour(5));
    for (const { orderId } of [ofKey, ofPerson]) expect(await signingIds(orderId, hour(5))).toEqual([third.id]);
    const next = await rotate(third, hour(6));
    expect(await signingIds(ofPerson.orderId, hour(6))).toEqual([next?.id, third.id]);
    await revoke(third, hour(6));
    await revoke(next, hour(6));
    expect(await signingIds(ofPerson.orderId, hour(6))).toEqual([first?.id]);
  });

  test("another merchant's key never", async () => {
    const other = { name: "Other", email: "other@example.com", password: "correct horse battery" };
    const stranger = await createMerchantWithOwner(db(), other, begin);
    const theirs = await createApiKey(db(), context, { ...stranger, name: "Theirs" }, hour(0));
    const { orderId } = await seedPaid(theirs, hour(2));
    expect(await signingIds(orderId, hour(2))).toEqual([first?.id]);
  });

  test("without a live key a callback waits without an attempt; a new key makes it due and signs it", async () => {
    const { orderId, callbackId } = await seedPaid(second ?? null, hour(2));
    await Promise.all([first, second].map((key) => revoke(key, hour(2))));
    expect(await signingIds(orderId, hour(2))).toEqual([]);
    const read = async () => (await db().select().from(callbacks).where(eq(callbacks.id, callbackId)))[0];
    for (const at of [hour(2), hour(2.5)]) await send(at);
    expect(await read()).toMatchObject({
      status: "pending",
      attempts: 0,
      nextAttemptAt: hour(3),
      unsignedReason: "no_key",
      unsignedSince: hour(2),
    });
    expect(await db().select().from(callbackAttempts)).toEqual([]);
    const third = await newKey(hour(2.6));
    const { headers, body } = await send(hour(2.6));
    expect(() => new Webhook(third.secret).verify(body, { ...headers, "webhook-timestamp": "0" })).toThrow();
    expect(headers["webhook-signature"]).toContain(new Webhook(third.secret).sign(callbackId, hour(2.6), body));
    expect(await read()).toMatchObject({ status: "delivered", attempts: 1, unsignedReason: null, unsignedSince: null });
  });

  test("a backlog that cannot be signed delays no other callback, and each of its callbacks is tried once", async () => {
    const url = `${shop.origin}/paid`;
    const unsigned = await seedCallbacks(db(), { merchantId: owner.merchantId, url, count: 200 }, hour(2));
    await Promise.all([first, second].map((key) => revoke(key, hour(2))));
    const person = { name: "Other", email: "isolated@example.com", password: "correct horse battery" };
    const other = await createMerchantWithOwner(db(), person, begin);
    await createApiKey(db(), context, { ...other, name: "Theirs" }, hour(2));
    const [theirs = ""] = await seedCallbacks(db(), { merchantId: other.merchantId, url }, hour(2.1));
    const asked: string[] = [];
    const ctx = senderContext(db(), () => hour(3));
    const sender = createCallbackSender(db(), { ...ctx, onAttempt: (_, { id }) => void asked.push(id) });
    await sender.tick();
    await vi.waitUntil(() => asked.length >= unsigned.length + 1, { timeout: 30_000 });
    await sender.drain();
    expect(asked.toSorted()).toEqual([...unsigned, theirs].toSorted());
    expect(shop.received.map(({ headers }) => headers["webhook-id"])).toEqual([theirs]);
    expect(await countUnsigned(db(), owner.merchantId, 1_000)).toBe(200);
    expect(await countUnsigned(db(), other.merchantId, 1_000)).toBe(0);
  });
});

describe("the format", () => {
  const formatOf = async (orderId: string, at: Date) => (await listCallbackFormats(db(), [orderId], at)).get(orderId);

  test("is that of the keys that sign; of the dead key that made the order where no key lives", async () => {
    await allowPlugin(db(), madeBy(second), hour(2));
    const ofSecond = await seedPaid(second ?? null, hour(2));
    const ofFirst = await seedPaid(first ?? null, hour(2));
    expect([await formatOf(ofSecond.orderId, hour(2)), await formatOf(ofFirst.orderId, hour(2))]).toEqual([
      "plugin-v1",
      "standard",
    ]);
    await revoke(second, hour(3));
    expect(await formatOf(ofSecond.orderId, hour(3))).toBe("standard");
    await revoke(first, hour(3));
    expect(await formatOf(ofSecond.orderId, hour(3))).toBe("plugin-v1");
  });

  test("plugin v1 is written when it is enqueued, and stays unchanged; the list has the standard body", async () => {
    await allowPlugin(db(), madeBy(second), hour(2));
    const { orderId } = await seedPaid(second ?? null, hour(2));
    await db().delete(callbacks);
    const data = detailData({ trade_id: orderId });
    const payload = { merchantId: owner.merchantId, orderId, version: 2, data, url: `${shop.origin}/paid` };
    await enqueueCallbacks(db(), [{ ...payload, type: "payment.confirmed" }], hour(2));
    await revoke(second, hour(3));
    const { body } = await send(hour(3));
    const [event] = await db().select().from(events);
    const contract_addr = "0x55d398326f99059fF775485246999027B3197955";
    expect(JSON.parse(body)).toEqual({
      event_id: event?.id,
      order_no: "A-1",
      trade_id: orderId,
      status: 2,
      amount: 10.5,
      actual_amount: 10.5001,
      currency: "USDT",
      network: "bsc",
      contract_addr,
      hash: "0xabc",
      wallet_address: "0x58A5",
    });
    expect(JSON.parse(event?.body ?? "")).toMatchObject({
      id: event?.id,
      type: "payment.confirmed",
      data: { status: "paid" },
    });
  });
});

describe("headers", () => {
  test("every callback carries all signatures, and each receiver verifies its own", async () => {
    const { callbackId } = await seedPaid(second ?? null, hour(2));
    const { headers, body } = await send(hour(2));
    const timestamp = String(hour(2).getTime() / 1_000);
    expect(headers).toMatchObject({
      "webhook-id": callbackId,
      "webhook-timestamp": timestamp,
      "x-timestamp": timestamp,
    });
    const { "x-nonce": nonce = "", "x-webhook-key-id": kid = "" } = headers;
    expect(nonce).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(kid).toMatch(/^[A-Za-z0-9._-]{1,64}$/);

    expect(headers["x-key-prefix"]).toBe(second?.apiKey.slice(0, 12));
    const pluginKey = hashApiKey(second?.apiKey ?? "");
    const hmac = createHmac("sha256", pluginKey).update(`${timestamp}\n${nonce}\n${body}`).digest("hex");
    expect(headers["x-signature"]).toBe(hmac);

    const { keys } = await listPublicKeys(db(), TEST_APP_SECRET, hour(2));
    const jwk = keys.find((key) => key.kid === kid);
    const isSigned = (text: string, signature: Buffer) =>
      verify(null, Buffer.from(text), createPublicKey({ key: { ...jwk }, format: "jwk" }), signature);
    expect(headers["x-webhook-signature-version"]).toBe("v2");
    expect(headers["x-webhook-merchant-id"]).toBe(owner.merchantId);
    expect(headers["x-webhook-environment"]).toBe("production");
    const v2 = [V2_DOMAIN, kid, timestamp, nonce, owner.merchantId, "production", body].join("\n");
    expect(headers["x-webhook-signature-v2"]).toMatch(/^[\w-]{86}$/);
    expect(isSigned(v2, Buffer.from(headers["x-webhook-signature-v2"] ?? "", "base64url"))).toBe(true);
    expect(isSigned(`${v2} `, Buffer.from(headers["x-webhook-signature-v2"] ?? "", "base64url"))).toBe(false);
    const v1a = headers["webhook-signature"]?.split(" ").find((entry) => entry.startsWith("v1a,"));
    expect(isSigned(`${callbackId}.${timestamp}.${body}`, Buffer.from(v1a?.slice(4) ?? "", "base64"))).toBe(true);
  });

  test("during a rotation attempts take turns at the one signature of plugin v1; each has a nonce of its own", async () => {
    const successor = await rotate(second, hour(1.5));
    await shop.close();
    shop = await startReceiver(answerWith(500));
    await seedPaid(second ?? null, hour(2));
    const sent = [await send(hour(3)), await send(hour(4)), await send(hour(5))].map(({ headers }) => headers);
    const prefixes = [successor?.apiKey, second?.apiKey, successor?.apiKey].map((key) => key?.slice(0, 12));
    expect(sent.map((headers) => headers["x-key-prefix"])).toEqual(prefixes);
    expect(new Set(sent.map((headers) => headers["x-nonce"])).size).toBe(3);
  });
});
