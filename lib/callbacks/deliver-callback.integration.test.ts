import { desc, eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { claimDueCallbacks, lockDueOrigins } from "@/db/queries/callbacks/callbacks";
import { apiKeys, auditEvents, callbackAttempts, callbackOrigins, callbacks } from "@/db/schema";
import { createCallbackSender, type SenderContext } from "@/lib/callbacks/callback-sender";
import { resendCallback } from "@/lib/callbacks/resend-callback";
import { createCallbackSigner } from "@/lib/callbacks/sign-callback";
import { newId } from "@/lib/domain/id";
import { generateSecret } from "@/lib/domain/keys/api-key";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { encrypt } from "@/lib/merchants/vault";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { seedCallbacks, senderContext, signingContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedMerchant, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const begin = new Date();
let now = begin;
let shop: Receiver | undefined;
let merchant: Awaited<ReturnType<typeof seedMerchant>>;

const later = (seconds: number, from = begin) => new Date(from.getTime() + seconds * 1_000);
const read = async (id: string) => {
  const [callback] = await db().select().from(callbacks).where(eq(callbacks.id, id));
  const [attempt] = await db()
    .select()
    .from(callbackAttempts)
    .where(eq(callbackAttempts.callbackId, id))
    .orderBy(desc(callbackAttempts.number));
  if (!callback) throw new Error("no such callback");
  return { callback, attempt: attempt && { ...attempt, error: attempt.error && inEnglish(attempt.error) } };
};
const sendDue = async (change: Partial<SenderContext> = {}) => {
  const sender = createCallbackSender(
    db(),
    senderContext(db(), () => now, change),
  );
  const started = await sender.tick();
  await sender.drain();
  return started;
};
const open = async (...args: Parameters<typeof startReceiver>) => {
  shop = await startReceiver(...args);
  return shop;
};
const seedOne = async (url: string) => (await seedCallbacks(db(), { merchantId: merchant.id, url }, now))[0] ?? "";
const waitSeconds = ({ callback, attempt }: Awaited<ReturnType<typeof read>>) => {
  const endedMs = (attempt?.startedAt.getTime() ?? 0) + (attempt?.durationMs ?? 0);
  return ((callback.nextAttemptAt?.getTime() ?? 0) - endedMs) / 1_000;
};

beforeEach(async () => {
  now = begin;
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "callback_origins");
  merchant = await seedMerchant(db(), later(-60));
});

afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

describe("an attempt", () => {
  test("200 acknowledges; the Standard Webhooks library accepts the signature", async () => {
    const { origin, received } = await open(answerWith(200, {}, "ok"));
    const id = await seedOne(`${origin}/paid`);
    expect(await sendDue()).toBe(1);
    const { callback, attempt } = await read(id);
    expect(callback).toMatchObject({ status: "delivered", attempts: 1, lastHttpStatus: 200, nextAttemptAt: null });
    expect(callback).toMatchObject({ leaseOwner: null, leaseUntil: null });
    expect(callback.deliveredAt?.getTime()).toBeGreaterThanOrEqual(now.getTime());
    expect(attempt).toMatchObject({ number: 1, httpStatus: 200, error: null, answer: "ok", peer: "127.0.0.1" });
    const [request] = received;
    expect(request).toMatchObject({ method: "POST", path: "/paid", body: callback.body });
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Stablegate/1.2.3",
      "webhook-id": id,
    });
    const verified = new Webhook(merchant.secret).verify(
      request?.body ?? "",
      request?.headers as Record<string, string>,
    );
    expect(verified).toEqual(JSON.parse(callback.body));
    expect(await sendDue()).toBe(0);
  });

  test.each([201, 204, 302, 404, 500])(
    "%i does not acknowledge: the next attempt is five seconds later",
    async (status) => {
      const { origin, received } = await open(answerWith(status, { location: "/elsewhere" }, "no"));
      const id = await seedOne(origin);
      await sendDue();
      const result = await read(id);
      expect(result.callback).toMatchObject({
        status: "pending",
        attempts: 1,
        lastHttpStatus: status,
        deliveredAt: null,
      });
      expect(result.attempt).toMatchObject({ httpStatus: status });
      expect(waitSeconds(result)).toBe(5);
      now = later(4);
      expect(await sendDue()).toBe(0);
      expect(received).toHaveLength(1);
    },
  );

  test("a host that does not respond in time is a failure with a message", async () => {
    const { origin } = await open(() => {});
    const id = await seedOne(origin);
    await sendDue({ limits: { headersMs: 100 } });
    const { callback, attempt } = await read(id);
    expect(callback).toMatchObject({ status: "pending", attempts: 1, lastHttpStatus: null });
    expect(attempt).toMatchObject({ httpStatus: null, error: "no response within 0.1 seconds", peer: "127.0.0.1" });
  });

  test("the reason of an attempt is stored as a code; a sentence that an earlier release stored is shown as it is", async () => {
    const { origin } = await open(() => {});
    const id = await seedOne(origin);
    await sendDue({ limits: { headersMs: 100 } });
    const stored = await db().execute(sql`select error from callback_attempts where callback_id = ${id}`);
    expect([...stored]).toEqual([{ error: '{"code":"outbound_response_timeout","params":{"seconds":0.1}}' }]);
    await db().execute(sql`update callback_attempts set error = 'the host hung up' where callback_id = ${id}`);
    expect((await read(id)).attempt).toMatchObject({ error: "the host hung up" });
  });

  test("an address that is not allowed is never connected to", async () => {
    const { origin, received } = await open(answerWith(200));
    const id = await seedOne(origin);
    await sendDue({ allowCidrs: [] });
    expect((await read(id)).attempt).toMatchObject({ error: expect.stringContaining("loopback"), peer: null });
    expect(received).toEqual([]);
  });

  test("410 ends the series at once and is recorded", async () => {
    const { origin } = await open(answerWith(410));
    const id = await seedOne(origin);
    await sendDue();
    expect((await read(id)).callback).toMatchObject({ status: "failed", attempts: 1, nextAttemptAt: null });
    const events = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, merchant.id));
    expect(events).toMatchObject([{ action: "callback.failed", detail: { callbackId: id, httpStatus: 410 } }]);
  });

  test.each([
    ["9", 9],
    ["3600", 10],
    ["1", 5],
  ])("Retry-After: %s makes the wait %i seconds", async (retryAfter, seconds) => {
    const { origin } = await open(answerWith(503, { "retry-after": retryAfter }));
    const id = await seedOne(origin);
    await sendDue();
    expect(waitSeconds(await read(id))).toBe(seconds);
  });

  test("after thirteen attempts it has failed; every one had the same id and body and a signature of its own", async () => {
    const { origin, received } = await open(answerWith(500));
    const id = await seedOne(origin);
    for (let attempt = 1; attempt <= 13; attempt++) {
      expect(await sendDue()).toBe(1);
      const { callback } = await read(id);
      expect(callback.status).toBe(attempt < 13 ? "pending" : "failed");
      now = callback.nextAttemptAt ?? now;
    }
    expect(await sendDue()).toBe(0);
    expect(received).toHaveLength(13);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-signature"])).size).toBe(13);
    expect((now.getTime() - begin.getTime()) / 3_600_000).toBeGreaterThan(75);
  });
});

describe("secrets", () => {
  const addKey = async (createdAt: Date, endsAt: Date | null) => {
    const id = newId(createdAt);
    const secret = generateSecret();
    const secretCipher = encrypt(TEST_APP_SECRET, `api_keys:${id}`, secret);
    const line = { merchantId: merchant.id, firstId: merchant.keyId };
    await db()
      .insert(apiKeys)
      .values({ ...line, id, name: "k", prefix: "p", keyHash: id, secretCipher, createdAt, endsAt });
    return secret;
  };

  test("of keys that replaced one another every live secret signs, the newest first, and an ended one does not", async () => {
    const newest = await addKey(later(-10), null);
    await addKey(later(-90), later(-1));
    const ending = await addKey(later(-80), later(60));
    const { origin, received } = await open(answerWith(200));
    const id = await seedOne(origin);
    await sendDue();
    const [request] = received;
    const sign = (secret: string) => new Webhook(secret).sign(id, now, request?.body ?? "");
    const signatures = String(request?.headers["webhook-signature"]).split(" ");
    expect(signatures).toEqual([...[newest, merchant.secret, ending].map(sign), expect.stringMatching(/^v1a,/)]);
  });

  test("without a live key nothing is sent, no attempt is counted, and the host is not blamed", async () => {
    await db()
      .update(apiKeys)
      .set({ endsAt: later(-1) });
    const { origin, received } = await open(answerWith(200));
    const id = await seedOne(origin);
    await sendDue();
    expect((await read(id)).callback).toMatchObject({ status: "pending", attempts: 0, unsignedReason: "no_key" });
    expect((await read(id)).attempt).toBeUndefined();
    expect(received).toEqual([]);
    expect(await db().select().from(callbackOrigins)).toMatchObject([{ origin, failures: 0, pausedUntil: null }]);
  });

  test("where no secret can be decrypted it waits, and is sent when one can", async () => {
    const { origin } = await open(answerWith(200));
    const id = await seedOne(origin);
    const appSecret = "quite another secret of an installation";
    await sendDue({ sign: createCallbackSigner(db(), { ...signingContext, appSecret }) });
    expect((await read(id)).callback).toMatchObject({ attempts: 0, unsignedReason: "unreadable_key" });
    now = later(15);
    await sendDue();
    expect((await read(id)).callback).toMatchObject({ status: "delivered", attempts: 1, unsignedReason: null });
  });
});

describe("leases", () => {
  const claimAs = (owner: string, leaseUntil: Date) =>
    db().transaction(async (tx) => {
      const origins = await lockDueOrigins(tx, 10, now);
      return claimDueCallbacks(tx, { origins, share: 8, owner, leaseUntil }, now);
    });

  test("a sender that died before it wrote the outcome loses nothing: after its lease another sends the same again", async () => {
    const { origin, received } = await open(answerWith(200));
    const id = await seedOne(origin);
    expect(await claimAs("dead", later(60))).toMatchObject([{ id }]);
    now = later(59);
    expect(await sendDue()).toBe(0);
    now = later(60);
    expect(await sendDue()).toBe(1);
    expect(received[0]?.headers["webhook-id"]).toBe(id);
    expect((await read(id)).callback).toMatchObject({ status: "delivered", attempts: 1 });
  });

  test("a sender that lost its lease on the way writes nothing over the other's outcome", async () => {
    const { promise: isOtherDone, resolve: otherDone } = Promise.withResolvers<void>();
    const { origin, received } = await open(async (response) => {
      const isFirst = received.length === 1;
      if (isFirst) await isOtherDone;
      response.writeHead(isFirst ? 500 : 200).end();
    });
    const id = await seedOne(origin);
    const slow = createCallbackSender(
      db(),
      senderContext(db(), () => now, { owner: "slow" }),
    );
    await slow.tick();
    await vi.waitFor(() => expect(received).toHaveLength(1));
    now = later(31);
    expect(await sendDue({ owner: "other" })).toBe(1);
    otherDone();
    await slow.drain();
    const attempts = await db().select().from(callbackAttempts).where(eq(callbackAttempts.callbackId, id));
    expect(attempts).toMatchObject([{ httpStatus: 200 }]);
    expect((await read(id)).callback).toMatchObject({ status: "delivered", attempts: 1 });
  });
});

describe("while the shop has not answered yet", () => {
  test("revoking a secret changes nothing in this attempt, and the next one is not signed with it", async () => {
    const revoke = () => db().update(apiKeys).set({ endsAt: now });
    const { origin, received } = await open(async (response) => {
      await revoke();
      response.writeHead(500).end();
    });
    const id = await seedOne(origin);
    await sendDue();
    expect((await read(id)).callback).toMatchObject({ status: "pending", attempts: 1, lastHttpStatus: 500 });
    now = later(60);
    await sendDue();
    expect(received).toHaveLength(1);
    expect((await read(id)).callback).toMatchObject({ unsignedReason: "no_key" });
  });

  test("a person cannot send it again; once its sender's lease is over they can, and a 410 that comes then ends nothing", async () => {
    const by = { merchantId: merchant.id, userId: await seedPerson(db(), { merchantId: merchant.id }, now) };
    const asked: boolean[] = [];
    const { origin } = await open(async (response) => {
      for (const seconds of [29, 30]) asked.push(await resendCallback(db(), { ...by, callbackId: id }, later(seconds)));
      response.writeHead(410).end();
    });
    const id = await seedOne(origin);
    await sendDue();
    expect(asked).toEqual([false, true]);
    const { callback, attempt } = await read(id);
    expect(callback).toMatchObject({ status: "pending", attempts: 0, seriesAttempts: 0, nextAttemptAt: later(30) });
    expect(attempt).toBeUndefined();
    const failed = await db().select().from(auditEvents).where(eq(auditEvents.action, "callback.failed"));
    expect(failed).toEqual([]);
  });

  test("failures and pauses that others wrote meanwhile are counted on, not written over", async () => {
    const { origin } = await open(async (response) => {
      await db()
        .update(callbackOrigins)
        .set({ failures: 5, pausedUntil: later(-1) })
        .where(eq(callbackOrigins.origin, origin));
      response.writeHead(503).end();
    });
    await seedOne(origin);
    await sendDue();
    expect(await db().select().from(callbackOrigins)).toMatchObject([{ origin, failures: 6 }]);
  });
});
