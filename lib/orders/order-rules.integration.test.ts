import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { auditEvents, orders, quotes, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createLog } from "@/lib/log";
import { setOrderTerms } from "@/lib/merchants/order-terms";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { addressVerifier } from "@/lib/merchants/vault";
import { chooseMethod } from "@/lib/orders/choose-method";
import { createCheckout } from "@/lib/orders/create-checkout";
import { createOrder, insertTogether } from "@/lib/orders/create-order";
import { moveOrder } from "@/lib/orders/move-order";
import { useTestDb } from "@/testing/database/clone";
import {
  seedAddress,
  seedCursor,
  seedMerchant,
  seedOrder,
  seedTransfer,
  TEST_APP_SECRET,
} from "@/testing/database/seed";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date("2026-03-01T10:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const log = createLog("test", "fatal");
const env = { rpcUrls: new Map(["bsc", "ethereum"].map((id) => [id, ["http://127.0.0.1:1"]])) };
const ctx = { log, env, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
const context = { publicUrl: "https://pay.example.com", log };
const TOKENS = ["bsc USDT", "bsc USDC", "ethereum USDT", "ethereum USDC"];

let merchant: Awaited<ReturnType<typeof seedMerchant>>;
beforeEach(async () => {
  merchant = await seedMerchant(db(), now);
  for (const network of ["bsc", "ethereum"]) {
    await seedAddress(db(), { merchantId: merchant.id, network, kind: "shared" }, now);
    await seedCursor(db(), network, now);
  }
});

const set = (change: Omit<Parameters<typeof setOrderTerms>[1], "merchantId" | "userId">) =>
  setOrderTerms(db(), { merchantId: merchant.id, userId: "ann", ...change }, now);
const offer = (...offered: string[]) => set({ methods: { listed: TOKENS, offered } });
const caller = () => ({ merchantId: merchant.id, apiKeyId: merchant.keyId });
const nothing = { notifyUrl: null, redirectUrl: null, locale: null, expiresInSeconds: null };

function add(mchOrderId: string, amount: bigint, currency: "USDT" | "USDC" = "USDT", id = "bsc", together = false) {
  const network = getNetwork(id);
  const token = getToken(network, currency);
  const amountUnits = (amount * 10n ** BigInt(token.decimals)) / 100n;
  const insert = together ? { insertOrder: insertTogether(db()) } : {};
  return createOrder(
    db(),
    { ...ctx, ...insert },
    caller(),
    { mchOrderId, network, token, amountUnits, ...nothing },
    now,
  );
}

const checkout = (mchOrderId: string, amount: string, rest: { network?: string; currency?: "USDT" | "USDC" } = {}) =>
  createCheckout(
    db(),
    ctx,
    caller(),
    {
      mchOrderId,
      ...nothing,
      subject: null,
      metadata: null,
      checkout: { network: rest.network ?? null, currency: rest.currency ?? null, amount, price: null },
    },
    now,
  );

test("a method that a shop does not offer is refused with a message, not shown to payers and not returned; existing orders continue", async () => {
  const before = await add("before", 100n);
  const open = await checkout("open", "5");
  expect(await offer("bsc USDC", "ethereum USDT")).toBe(true);
  expect(await listPaymentMethods(db(), env, { merchantId: merchant.id }, now)).toEqual([
    { network: "ethereum", currencies: ["USDT"] },
    { network: "bsc", currencies: ["USDC"] },
  ]);
  const text = expect.stringContaining("is not offered; enable it in the back office under Settings");
  await expect(add("new", 100n)).rejects.toMatchObject({ code: 10001, message: text });
  await expect(add("new", 100n, "USDT", "bsc", true)).rejects.toMatchObject({ code: 10001, message: text });
  await expect(checkout("only", "5", { network: "bsc", currency: "USDT" })).rejects.toMatchObject({ message: text });
  expect((await add("before", 100n)).order.id).toBe(before.order.id);
  expect((await add("other", 100n, "USDC")).isReplayed).toBe(false);
  const choose = (currency: "USDT" | "USDC") =>
    chooseMethod(db(), ctx, open.order.id, { network: "bsc", currency }, at(1));
  expect(await choose("USDT")).toEqual({ problem: "closed" });
  expect(await choose("USDC")).toEqual({ isQuoted: true });
  expect(await offer()).toMatchObject({ errors: [{ field: "offered" }] });
  expect(await offer(...TOKENS)).toBe(true);
  expect((await add("new", 100n)).isReplayed).toBe(false);
});

test("an order must be within the shop's limits, however it is created", async () => {
  expect(await set({ minAmount: "1", maxAmount: "0.5" })).toMatchObject({ errors: [{ field: "maxAmount" }] });
  expect(await set({ minAmount: "-1", tolerancePercent: "11" })).toMatchObject({
    errors: [{ field: "minAmount" }, { field: "tolerancePercent" }],
  });
  expect(await set({ minAmount: "1", maxAmount: "1000" })).toBe(true);
  const little = { code: 10001, message: expect.stringContaining("the minimum of an order is 1.00 USDT") };
  const much = { code: 10001, message: expect.stringContaining("the maximum of an order is 1000.00 USDT") };
  for (const together of [false, true]) {
    await expect(add("little", 99n, "USDT", "bsc", together)).rejects.toMatchObject(little);
    await expect(add("much", 100_001n, "USDT", "ethereum", together)).rejects.toMatchObject(much);
  }
  await expect(checkout("little", "0.99", { currency: "USDT" })).rejects.toMatchObject(little);
  await expect(checkout("much", "1000.01", { currency: "USDT" })).rejects.toMatchObject(much);
  expect(await db().$count(orders, eq(orders.merchantId, merchant.id))).toBe(0);
  for (const [index, cents] of [100n, 100_000n].entries())
    expect((await add(`fits${index}`, cents)).isReplayed).toBe(false);
  expect((await checkout("fits", "1")).isReplayed).toBe(false);
});

/** Creates an order for 100 USDT on Ethereum at an address of the given kind, with a final transfer of this amount. */
async function paid(kind: "shared" | "dedicated", units: bigint) {
  const address = await seedAddress(db(), { merchantId: merchant.id, network: "ethereum", kind }, now);
  const order = await seedOrder(db(), { address, baseUnits: 100_000_000n, lateWindowSeconds: 86_400 }, now);
  const { id } = await seedTransfer(db(), { address, baseUnits: units, blockTime: at(60) }, at(60));
  const match = { orderId: order.id, quoteId: order.quoteId, matchedAt: at(60), status: "confirmed" as const };
  await db().update(transfers).set(match).where(eq(transfers.id, id));
  await moveOrder(db(), context, order.id, { type: "fundsChanged" }, at(60));
  const [row] = await db().select().from(orders).where(eq(orders.id, order.id));
  return row;
}

test("a sum that is short within the tolerance counts as paid in full on a dedicated address, and the received sum is reported", async () => {
  expect(await paid("dedicated", 99_500_000n)).toMatchObject({ status: "pending", exception: "underpaid" });
  await set({ tolerancePercent: "1", toleranceAmount: "0.6" });
  expect(await paid("dedicated", 99_500_000n)).toMatchObject({
    status: "paid",
    exception: null,
    paidUnits: 99_500_000n,
  });
  expect(await paid("dedicated", 99_400_000n)).toMatchObject({ status: "paid", exception: null });
  expect(await paid("dedicated", 99_399_999n)).toMatchObject({ status: "pending", exception: "underpaid" });
  expect(await paid("dedicated", 100_000_000n)).toMatchObject({ status: "paid", exception: null });
  expect(await paid("dedicated", 100_100_000n)).toMatchObject({ status: "paid", exception: null });
  expect(await paid("dedicated", 100_100_001n)).toMatchObject({ status: "paid", exception: "overpaid" });
  expect(await paid("shared", 99_999_999n)).toMatchObject({ status: "pending", exception: "underpaid" });
  await set({ toleranceAmount: "" });
  expect(await paid("dedicated", 99_000_000n)).toMatchObject({ status: "paid", exception: null });
});

test("a paid amount on a shared address is held for as long as the shop set", async () => {
  await set({ settledHold: "240", lateWindow: "720" });
  const order = await paid("shared", 100_000_000n);
  const [quote] = await db()
    .select()
    .from(quotes)
    .where(eq(quotes.orderId, order?.id ?? ""));
  expect(order?.status).toBe("paid");
  expect(quote?.reservedUntil).toEqual(at(60 + 240 * 60));
  expect(await findOrderTerms(db(), merchant.id)).toMatchObject({ settledHoldSeconds: 14_400 });
  const [line] = await db().select().from(auditEvents).where(eq(auditEvents.merchantId, merchant.id));
  expect(line?.detail).toEqual({
    before: { lateWindow: "3", settledHold: "60" },
    after: { lateWindow: "720", settledHold: "240" },
  });
});
