import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { apiKeys, requestIds } from "@/db/schema";
import { generateApiKey } from "@/lib/domain/keys/api-key";
import { SCOPES } from "@/lib/domain/keys/key-rules";
import { signRequest } from "@/lib/domain/keys/signature";
import { createKeyRing } from "@/lib/http/authenticate";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { API_BASE, useTestApi } from "@/testing/web";

const api = useTestApi({ trustedProxies: 1 });
const BODY = JSON.stringify({ trade_id: "none" });
const PATH = "/order/detail";
let addresses = 0;

/** Each test uses its own address for its failures. */
const from = () => ({ "x-forwarded-for": `198.51.100.${++addresses}` });

function signed(secret: string, change: { id?: string; at?: Date; path?: string; body?: string } = {}) {
  const id = change.id ?? `msg_${++addresses}`;
  const content = { method: "POST", pathAndQuery: API_BASE + (change.path ?? PATH), rawBody: change.body ?? BODY };
  const { timestamp, signature } = signRequest(secret, id, change.at ?? new Date(), content);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}

describe("200 or 404: accepted", () => {
  test("404: a key alone is enough", async () => {
    expect((await api.post(PATH, BODY)).body.code).toBe(10003);
  });

  test("404: a right signature is accepted, of a path with a query too", async () => {
    expect((await api.post(PATH, BODY, signed(api.merchant.secret))).body.code).toBe(10003);
    const path = `${PATH}?a=1&b=%20x`;
    expect((await api.post(path, BODY, signed(api.merchant.secret, { path }))).body.code).toBe(10003);
  });

  test("404: the signed text is that of the contract", async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const text = `by-hand.${timestamp}.POST ${API_BASE}${PATH}\n${BODY}`;
    const key = Buffer.from(api.merchant.secret.replace("whsec_", ""), "base64");
    const signature = `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
    const headers = { "webhook-id": "by-hand", "webhook-timestamp": timestamp, "webhook-signature": signature };
    expect((await api.post(PATH, BODY, headers)).body.code).toBe(10003);
  });

  test("404: use of a key is noted", async () => {
    await api.post(PATH, BODY);
    await expect
      .poll(
        async () => (await api.pool.db.select().from(apiKeys).where(eq(apiKeys.id, api.merchant.keyId)))[0]?.lastUsedAt,
      )
      .toBeInstanceOf(Date);
  });
});

describe("401", () => {
  test.each([
    ["no key", null],
    ["an empty key", ""],
    ["no key of ours", "hunter2"],
    ["a well-formed unknown key", generateApiKey("live")],
    ["a key of 5,000 characters", "x".repeat(5_000)],
  ])("401: %s", async (_what, key) => {
    const { status, body } = await api.post(PATH, "{ not json", { "x-api-key": key, ...from() });
    expect(status).toBe(401);
    expect(body.code).toBe(10002);
    expect(body.message).toContain("Settings → API keys");
  });

  test("401: a revoked key is refused at once, even in a process that cached it", async () => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    const headers = { "x-api-key": merchant.apiKey, ...from() };
    expect((await api.post(PATH, BODY, headers)).status).toBe(404);
    await api.pool.db
      .update(apiKeys)
      .set({ endsAt: new Date(Date.now() - 1_000) })
      .where(eq(apiKeys.id, merchant.keyId));
    const order = { currency: "USDT", network: "bsc", amount: 1, mch_order_id: "1" };
    expect((await api.post("/order/add", order, headers)).status).toBe(401);
    expect((await api.post(PATH, BODY, headers)).status).toBe(401);
    expect((await api.post(PATH, { mch_order_id: "1" }, headers)).status).toBe(401);
  });

  test("401: a key works within its overlap, and not after it", async () => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    const headers = { "x-api-key": merchant.apiKey, ...from() };
    const endsAt = new Date(Date.now() + 60_000);
    await api.pool.db.update(apiKeys).set({ endsAt }).where(eq(apiKeys.id, merchant.keyId));
    expect((await api.post(PATH, BODY, headers)).status).toBe(404);
    const log = pino({ level: "silent" });
    const ring = createKeyRing(api.pool.db, { appSecret: TEST_APP_SECRET, log });
    const find = (ms: number) => ring.find(merchant.apiKey, new Date(endsAt.getTime() + ms));
    expect(await find(-1)).toMatchObject({ id: merchant.keyId });
    expect(await find(0)).toBeNull();
  });

  test("401: a key that demands signatures refuses a request without one", async () => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    await api.pool.db.update(apiKeys).set({ mustSign: true }).where(eq(apiKeys.id, merchant.keyId));
    const headers = { "x-api-key": merchant.apiKey, ...from() };
    const refused = await api.post(PATH, BODY, headers);
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain("webhook-signature");
    const accepted = await api.post(PATH, BODY, { ...headers, ...signed(merchant.secret) });
    expect(accepted.status).toBe(404);
  });

  test("401: a wrong signature is refused even where none is needed", async () => {
    const other = signed(`whsec_${Buffer.alloc(32, 1).toString("base64")}`);
    const { status, body } = await api.post(PATH, BODY, { ...other, ...from() });
    expect(status).toBe(401);
    expect(body.message).toContain("does not match");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("401: a signature without %s", async (name) => {
    const { status, body } = await api.post(PATH, BODY, { ...signed(api.merchant.secret), ...from(), [name]: null });
    expect(status).toBe(401);
    expect(body.message).toContain(`${name} is missing`);
  });

  test("401: a signature of another body or another path", async () => {
    const ofBody = signed(api.merchant.secret, { body: `${BODY} ` });
    expect((await api.post(PATH, BODY, { ...ofBody, ...from() })).status).toBe(401);
    const ofPath = signed(api.merchant.secret, { path: "/order/add" });
    expect((await api.post(PATH, BODY, { ...ofPath, ...from() })).status).toBe(401);
  });

  test.each([-301, 301])("401: a signature %d s away from our clock", async (seconds) => {
    const at = new Date(Date.now() + seconds * 1000 + Math.sign(seconds) * 999);
    const { status, body } = await api.post(PATH, BODY, { ...signed(api.merchant.secret, { at }), ...from() });
    expect(status).toBe(401);
    expect(body.message).toContain("our clock");
  });

  test("401: an id is accepted once per key, even with concurrent requests", async () => {
    const headers = { ...signed(api.merchant.secret, { id: "once" }), ...from() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(PATH, BODY, headers)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 401, 404]);
    const [kept] = await api.pool.db.select().from(requestIds).where(eq(requestIds.requestId, "once"));
    const keptMs = (kept?.forgetAt.getTime() ?? 0) - Date.now();
    expect(Math.round(keptMs / 60_000)).toBe(10);
    const merchant = await seedMerchant(api.pool.db, new Date());
    const ofAnother = { ...signed(merchant.secret, { id: "once" }), "x-api-key": merchant.apiKey };
    expect((await api.post(PATH, BODY, ofAnother)).status).toBe(404);
  });
});

describe("scopes of a key", () => {
  const NEEDED = {
    "/order/add": "orders:create",
    "/order/checkout": "orders:create",
    "/order/detail": "orders:read",
    "/order/list": "orders:read",
    "/order/cancel": "orders:cancel",
    "/event/list": "events:read",
    "/merchant/detail": "any",
    "/payment-methods": "any",
    "/plugin/activate": "orders:create",
    "/refund/add": "refunds:create",
    "/refund/cancel": "refunds:create",
    "/refund/detail": "refunds:read",
    "/refund/list": "refunds:read",
    "/link/add": "links:create",
    "/link/close": "links:create",
    "/link/detail": "links:read",
    "/link/list": "links:read",
    "/transfer/unmatched": "transfers:read",
    "/report/detail": "reports:read",
  };
  const limited = async (change: Partial<typeof apiKeys.$inferInsert>) => {
    const merchant = await seedMerchant(api.pool.db, new Date());
    await api.pool.db.update(apiKeys).set(change).where(eq(apiKeys.id, merchant.keyId));
    return merchant.apiKey;
  };

  test.each([...SCOPES, null])(
    "401: a key whose only scope is %s is refused for operations of another scope",
    async (scope) => {
      const key = await limited({ scopes: scope ? [scope] : [] });
      for (const [path, needed] of Object.entries(NEEDED)) {
        const { status, body } = await api.post(path, "{}", { "x-api-key": key, ...from() });
        if (needed === scope || needed === "any") expect([path, status]).not.toEqual([path, 401]);
        else
          expect([status, body.code, body.message]).toEqual([401, 10002, expect.stringContaining(`scope ${needed}`)]);
      }
    },
  );

  test("401: outside of a key's address ranges; inside of them it works", async () => {
    const key = await limited({ cidrs: ["203.0.113.0/24", "2001:db8::/32"] });
    const ask = async (address: string) =>
      (await api.post(PATH, BODY, { "x-api-key": key, "x-forwarded-for": address })).body;
    for (const inside of ["203.0.113.9", "::ffff:203.0.113.9", "2001:db8:1::1", "10.0.0.1, 203.0.113.9"])
      expect((await ask(inside)).code).toBe(10003);
    for (const outside of ["203.0.114.9", "2001:db9::1", "203.0.113.9, 10.0.0.1", "nonsense"])
      expect(await ask(outside)).toMatchObject({
        code: 10002,
        message: expect.stringContaining("must not be used from"),
      });
  });
});

describe("a bearer token", () => {
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

  test("404: it is the key if X-API-Key is absent, and may repeat it", async () => {
    const single = { "x-api-key": null, ...bearer(api.merchant.apiKey) };
    expect((await api.post(PATH, BODY, single)).body.code).toBe(10003);
    expect((await api.post(PATH, BODY, bearer(api.merchant.apiKey))).body.code).toBe(10003);
    expect((await api.post(PATH, BODY, { authorization: "Basic abc" })).body.code).toBe(10003);
  });

  test("401: a wrong one, or one that differs from X-API-Key", async () => {
    const invalid = { "x-api-key": null, ...bearer("hunter2"), ...from() };
    expect((await api.post(PATH, BODY, invalid)).body).toMatchObject({ code: 10002 });
    const other = await seedMerchant(api.pool.db, new Date());
    const { status, body } = await api.post(PATH, BODY, { ...bearer(other.apiKey), ...from() });
    expect([status, body.code]).toEqual([401, 10002]);
    expect(body.message).toContain("different keys");
  });
});

describe("429", () => {
  test("429: the 21st failure of an address within a minute; a valid key from there still works", async () => {
    const headers = from();
    const fail = () => api.post(PATH, BODY, { ...headers, "x-api-key": "wrong" });
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 20; attempt++) statuses.add((await fail()).status);
    expect(statuses).toEqual(new Set([401]));
    const refused = await fail();
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe(10005);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await api.post(PATH, BODY, headers)).status).toBe(404);
    expect((await api.post(PATH, BODY, { ...from(), "x-api-key": "wrong" })).status).toBe(401);
  });
});
