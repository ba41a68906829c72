import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { auditEvents, merchants, quotes, receivingAddresses } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createLog } from "@/lib/log";
import { setOrderTerms } from "@/lib/merchants/order-terms";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { inSentences } from "@/testing/problem-sentences";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-03-01T10:00:00Z");

test("terms are validated, recorded before and after, and not written when unchanged", async () => {
  const { id: merchantId } = await seedMerchant(db(), now);
  const set = (expiresIn: string, lateWindow: string) =>
    setOrderTerms(db(), { merchantId, userId: "ann", expiresIn, lateWindow }, now);
  expect(inSentences(await set("4", "721"))).toEqual({
    errors: [
      { field: "expiresIn", message: "Enter a whole number of minutes from 5 to 1440" },
      { field: "lateWindow", message: "Enter a whole number of hours from 0 to 720" },
    ],
  });
  expect(await set("1e2", "")).toMatchObject({ errors: [{ field: "expiresIn" }, { field: "lateWindow" }] });
  expect(await set("45", "6")).toBe(true);
  expect(await set("45", "6")).toBe(true);
  expect(await findOrderTerms(db(), merchantId)).toMatchObject({ expiresInSeconds: 2_700, lateWindowSeconds: 21_600 });
  const lines = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, merchantId));
  expect(lines.map(({ action, detail }) => [action, detail])).toEqual([
    [
      "order_terms.changed",
      { before: { expiresIn: "30", lateWindow: "3" }, after: { expiresIn: "45", lateWindow: "6" } },
    ],
  ]);
});

test("a late window below one hour is refused while there are shared addresses", async () => {
  const { id: merchantId } = await seedMerchant(db(), now);
  const set = (lateWindow: string) => setOrderTerms(db(), { merchantId, userId: "ann", lateWindow }, now);
  await seedAddress(db(), { merchantId, network: "bsc", kind: "dedicated" }, now);
  expect(await set("0")).toBe(true);
  const shared = await seedAddress(db(), { merchantId, network: "bsc", kind: "shared" }, now);
  const message = "The late window is 0 hours; it must be at least 1 hour while you have shared receiving addresses";
  expect(inSentences(await set("0"))).toEqual({ errors: [{ field: "lateWindow", message }] });
  expect(await set("1")).toBe(true);
  await db().update(receivingAddresses).set({ removedAt: now }).where(eq(receivingAddresses.id, shared.id));
  expect(await set("0")).toBe(true);
});

test("a shared amount is held for at least one hour after its order expired, regardless of the merchant's setting", async () => {
  const { id: merchantId, keyId: apiKeyId } = await seedMerchant(db(), now);
  await seedAddress(db(), { merchantId, network: "bsc", kind: "shared" }, now);
  await db().update(merchants).set({ lateWindowSeconds: 60 }).where(eq(merchants.id, merchantId));
  const ctx = { log: createLog("test", "fatal"), isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  const network = getNetwork("bsc");
  const terms = {
    network,
    token: getToken(network, "USDT"),
    amountUnits: 10n ** 18n,
    expiresInSeconds: 600,
    notifyUrl: null,
    redirectUrl: null,
    locale: null,
  };
  const create = async (mchOrderId: string) => {
    const { order } = await createOrder(db(), ctx, { merchantId, apiKeyId }, { ...terms, mchOrderId }, now);
    const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, order.id));
    return { kind: quote?.kind, seconds: ((quote?.reservedUntil.getTime() ?? 0) - order.expiresAt.getTime()) / 1_000 };
  };
  // The first order gets its price as its amount, and the others get the next amounts.
  for (const number of ["price", "next", "third"])
    expect(await create(number), number).toEqual({ kind: "shared", seconds: 3_600 });
  // A dedicated address serves one order at a time, so the configured time is unchanged.
  await seedAddress(db(), { merchantId, network: "bsc", kind: "dedicated" }, now);
  expect(await create("dedicated")).toEqual({ kind: "dedicated", seconds: 60 });
  expect(await create("shared again")).toEqual({ kind: "shared", seconds: 3_600 });
});

test("unpaid orders are kept for the installation's period, or for the shop's number of days", async () => {
  const { id: merchantId } = await seedMerchant(db(), now);
  const set = (unpaidDays: string) => setOrderTerms(db(), { merchantId, userId: "ann", unpaidDays }, now);
  const kept = async () => (await findOrderTerms(db(), merchantId))?.unpaidDays;
  expect(await kept()).toBeNull();
  const text = {
    errors: [
      { field: "unpaidDays", message: "Enter a whole number of days from 90 to 3650, or leave the field empty" },
    ],
  };
  for (const invalid of ["89", "3651", "1.5", "many"]) expect(inSentences(await set(invalid))).toEqual(text);
  expect(await set("180")).toBe(true);
  expect(await kept()).toBe(180);
  expect(await set("")).toBe(true);
  expect(await kept()).toBeNull();
});

test("orders that are made from then on wait so long, and hold their amount so much longer", async () => {
  const merchant = await seedMerchant(db(), now);
  const { id: merchantId, keyId: apiKeyId } = merchant;
  await seedAddress(db(), { merchantId, network: "bsc", kind: "shared" }, now);
  await setOrderTerms(db(), { merchantId, userId: "ann", expiresIn: "45", lateWindow: "6" }, now);
  const ctx = { log: createLog("test", "fatal"), isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
  const network = getNetwork("bsc");
  const asked = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };
  const terms = { mchOrderId: "one", network, token: getToken(network, "USDT"), amountUnits: 10n ** 18n, ...asked };
  const { order } = await createOrder(db(), ctx, { merchantId, apiKeyId }, terms, now);
  const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, order.id));
  expect(
    [order.expiresAt, quote?.reservedUntil].map((at) => ((at?.getTime() ?? 0) - order.createdAt.getTime()) / 60_000),
  ).toEqual([45, 45 + 360]);
});
