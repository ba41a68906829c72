import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditEvents, callbackAttempts, callbacks, events, rateLimits } from "@/db/schema";
import { sendTestEvent } from "@/lib/callbacks/send-test-event";
import { signMessage } from "@/lib/domain/keys/signature";
import { createApiKey, revokeApiKey, rotateApiKey } from "@/lib/merchants/api-keys";
import { answerWith, type Received, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { signingContext } from "@/testing/callbacks/seed";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-03-01T12:00:00Z");
const ctx = { ...signingContext, allowCidrs: ["127.0.0.0/8"], version: "1.2.3" };
const keyContext = { appSecret: TEST_APP_SECRET, mode: "test" as const };
let merchantId = "";
const userId = "person";
let shop: Receiver;
let status = 200;

beforeAll(async () => {
  shop = await startReceiver((response) => answerWith(status)(response));
});
afterAll(() => shop.close());
beforeEach(async () => {
  status = 200;
  await db().delete(rateLimits);
  merchantId = (await seedMerchant(db(), now)).id;
});

const issue = () => createApiKey(db(), keyContext, { merchantId, userId, name: "shop" }, now);
const send = (keyId: string, url = `${shop.origin}/hook`, at = now) =>
  sendTestEvent(db(), ctx, { merchantId, userId, keyId, url }, at);

test("it is signed like a callback of the key, by both keys during a rotation, and is marked as a test", async () => {
  const old = await issue();
  const key = { merchantId, userId, id: old.id, overlapHours: 1 };
  const later = new Date(now.getTime() + 1_000);
  const successor = await rotateApiKey(db(), keyContext, key, later);
  const outcome = await send(old.id, undefined, later);
  expect(inSentences(outcome)).toMatchObject({ isAcknowledged: true, result: expect.stringContaining("Status 200") });
  const { headers = {}, body = "" }: Partial<Received> = shop.received.at(-1) ?? {};
  const sent = JSON.parse(body);
  expect(sent).toMatchObject({ type: "test", timestamp: later.toISOString() });
  const bySecrets = signMessage([successor?.secret ?? "", old.secret], sent.id, later, body);
  expect(headers["webhook-signature"]).toContain(bySecrets);
  expect(headers["webhook-id"]).toBe(sent.id);
});

test("the server's response is shown, and only the attempt is recorded", async () => {
  const { id } = await issue();
  status = 500;
  expect(inSentences(await send(id))).toMatchObject({
    isAcknowledged: false,
    result: expect.stringContaining("only 200 acknowledges"),
  });
  const gone = await startReceiver(answerWith(200));
  await gone.close();
  expect(inSentences(await send(id, gone.origin))).toMatchObject({ result: expect.stringContaining("No response") });
  const kept = [await db().$count(events), await db().$count(callbacks), await db().$count(callbackAttempts)];
  expect(kept).toEqual([0, 0, 0]);
  const tried = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, merchantId));
  expect(tried.filter(({ action }) => action === "callback.tested")).toHaveLength(2);
  expect(tried.filter(({ action }) => action === "callback.test_answered")).toHaveLength(2);
});

test("the sender is recorded before the request", async () => {
  const { id } = await issue();
  const recorded: number[] = [];
  const slow = await startReceiver(async (response) => {
    recorded.push(await db().$count(auditEvents, eq(auditEvents.action, "callback.tested")));
    response.writeHead(200).end();
  });
  const before = await db().$count(auditEvents, eq(auditEvents.action, "callback.tested"));
  await send(id, slow.origin);
  await slow.close();
  expect(recorded).toEqual([before + 1]);
});

test("an address inside, a key that is dead or another's, and the eleventh in a row are refused, and nothing is sent", async () => {
  const { id } = await issue();
  const before = shop.received.length;
  expect(await send(id, "http://169.254.169.254/")).toMatchObject({ field: "url" });
  const stranger = await seedMerchant(db(), now);
  expect(inSentences(await send(stranger.keyId))).toMatchObject({
    problem: expect.stringContaining("no valid API key"),
  });
  await revokeApiKey(db(), { merchantId, userId, id }, now);
  expect(inSentences(await send(id))).toMatchObject({ problem: expect.stringContaining("no valid API key") });
  for (let time = 0; time < 8; time++) await send(id);
  expect(inSentences(await send(id))).toMatchObject({ problem: expect.stringContaining("try again in") });
  expect(shop.received.length).toBe(before);
});
