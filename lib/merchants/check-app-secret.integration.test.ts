import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { getContext } from "@/app/context";
import { apiKeys, appSecretCheck, auditEvents, receivingAddresses } from "@/db/schema";
import { hashApiKey } from "@/lib/domain/keys/api-key";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { resumeAddress } from "@/lib/merchants/addresses";
import { findSecretProblem, requireAppSecret } from "@/lib/merchants/check-app-secret";
import { protectKeyHash } from "@/lib/merchants/key-hashes";
import { rotateAppSecret } from "@/lib/merchants/rotate-app-secret";
import { addressVerifier, encrypt } from "@/lib/merchants/vault";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedCursor, seedMerchant, TEST_APP_SECRET, tamperAddress } from "@/testing/database/seed";
import { TEST_ENV, useTestApi } from "@/testing/web";

const RIGHT = TEST_APP_SECRET;
const NEW = "the secret of this installation from now on";
const INVALID = "a secret that this installation never had at all";
const api = useTestApi();
const db = () => api.pool.db;
const now = new Date();
let shop: Awaited<ReturnType<typeof seedMerchant>>;

beforeEach(async () => {
  await empty(db(), "merchants", "receiving_addresses", "family_addresses", "audit_events", "orders", "quotes");
  await db().delete(appSecretCheck);
  shop = await seedMerchant(db(), now);
});

const stored = () => db().select().from(appSecretCheck);
const problemOf = (secret: AppSecret) => findSecretProblem(db(), secret);

test("without a stored test value a secret that decrypts nothing is refused, and nothing is stored", async () => {
  await expect(requireAppSecret(db(), INVALID)).rejects.toThrow(/^APP_SECRET is not the secret of this installation/);
  expect(await stored()).toEqual([]);
  await requireAppSecret(db(), RIGHT);
  expect(await stored()).toHaveLength(1);
  expect(await problemOf(RIGHT)).toBeNull();
  expect(await problemOf(INVALID)).toContain("the test value in the database cannot be verified");
});

test("one address, or one secret among those of a lost APP_SECRET, is enough to verify a secret", async () => {
  const cipher = encrypt(INVALID, `api_keys:${shop.keyId}`, "whsec_x");
  const lost = { secretCipher: cipher, ...protectKeyHash(INVALID, shop.keyId, hashApiKey(shop.apiKey)) };
  await db().update(apiKeys).set(lost).where(eq(apiKeys.id, shop.keyId));
  await expect(requireAppSecret(db(), RIGHT)).rejects.toThrow("APP_SECRET is not the secret");
  await seedAddress(db(), { merchantId: shop.id }, now);
  await requireAppSecret(db(), RIGHT);
  expect(await problemOf(INVALID)).not.toBeNull();
});

test("an empty database accepts the first secret; of several processes that start concurrently with different ones, one wins", async () => {
  await db().delete(apiKeys);
  const started = await Promise.allSettled([RIGHT, INVALID, NEW].map((secret) => requireAppSecret(db(), secret)));
  expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("while APP_SECRET is being changed a process needs both secrets, and afterwards the new one alone", async () => {
  await requireAppSecret(db(), RIGHT);
  const rotating = { primary: NEW, secondary: RIGHT };
  const dies = () => {
    throw new Error("killed");
  };
  await expect(rotateAppSecret(db(), rotating, { onBatch: dies })).rejects.toThrow("killed");
  for (const secret of [RIGHT, NEW]) expect(await problemOf(secret)).toContain("APP_SECRET is being changed");
  for (const secret of [rotating, { primary: RIGHT, secondary: NEW }]) expect(await problemOf(secret)).toBeNull();
  expect(await problemOf({ primary: NEW, secondary: INVALID })).toContain("APP_SECRET is being changed");
  await rotateAppSecret(db(), rotating);
  expect(await problemOf(NEW)).toBeNull();
  expect(await problemOf(RIGHT)).toContain("APP_SECRET is not the secret");
});

test("a first start in the middle of a change stores the test values of both secrets", async () => {
  await seedAddress(db(), { merchantId: shop.id }, now);
  const cipher = encrypt(NEW, `api_keys:${shop.keyId}`, "whsec_x");
  await db().update(apiKeys).set({ secretCipher: cipher }).where(eq(apiKeys.id, shop.keyId));
  await requireAppSecret(db(), { primary: NEW, secondary: RIGHT });
  for (const secret of [RIGHT, NEW]) expect(await problemOf(secret)).toContain("APP_SECRET is being changed");
});

test("a process with a wrong secret refuses orders and pauses no address; one with the right secret still finds a changed one", async () => {
  await requireAppSecret(db(), RIGHT);
  await seedCursor(db(), "ethereum", now);
  const address = await seedAddress(db(), { merchantId: shop.id }, now);
  const row = async () =>
    (await db().select().from(receivingAddresses).where(eq(receivingAddresses.id, address.id)))[0];
  const order = async (mch_order_id: string) => {
    const body = { mch_order_id, amount: "10", currency: "USDT", network: "ethereum" };
    const answer = await api.post("/order/add", body, { "x-api-key": shop.apiKey });
    return [answer.status, answer.body.code, answer.body.message] as const;
  };
  const { orders } = getContext().api;
  Object.assign(orders, { isVerifiedAddress: addressVerifier(INVALID) });
  expect(await order("1")).toEqual([503, 10006, expect.stringContaining("cannot be verified now")]);
  expect(await row()).toMatchObject({ pausedAt: null });
  expect(await db().select().from(auditEvents)).toEqual([]);

  Object.assign(orders, { isVerifiedAddress: addressVerifier(TEST_ENV.appSecret) });
  expect(await order("1")).toEqual([200, 0, "success"]);
  await tamperAddress(db(), address.id, `0x${"ab".repeat(20)}`);
  expect(await order("2")).toEqual([503, 10006, expect.stringContaining("is now paused")]);
  expect(await row()).not.toMatchObject({ pausedAt: null });
});

test("an address that an earlier version paused under a wrong secret can be resumed", async () => {
  const { id } = await seedAddress(db(), { merchantId: shop.id }, now);
  await db().execute(sql`update receiving_addresses set paused_at = now() where id = ${id}`);
  const resumed = await resumeAddress(db(), { appSecret: RIGHT }, { merchantId: shop.id, id, userId: "" }, now);
  expect(resumed).toBe("resumed");
});
