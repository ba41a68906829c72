import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { orders, quotes, transfers } from "@/db/schema";
import { checkoutView } from "@/lib/domain/checkout/view";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { findCheckout } from "@/lib/orders/find-checkout";
import { touchOrders } from "@/lib/orders/move-order";
import { createOrderChanges } from "@/lib/orders/order-changes";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, seedPerson, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log };
const now = new Date("2026-01-01T12:00:00Z");
const price = 10_000_300n;
const priceOnBsc = price * 10n ** 12n;

type Address = Awaited<ReturnType<typeof seedAddress>>;
let merchantId: string;
let here: Address;
let onBsc: Address;

const db = () => testDb.pool.db;
const versionOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.version;
const misdirectedOf = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0];
const onEthereum = (more: Partial<Parameters<typeof seedOrder>[1]> = {}) =>
  seedOrder(db(), { address: here, baseUnits: price, ...more }, now);
const arrives = (more: Partial<Parameters<typeof seedTransfer>[1]> = {}) =>
  seedTransfer(db(), { address: onBsc, baseUnits: priceOnBsc, ...more }, now);
const match = async () => {
  for (const network of ["ethereum", "bsc"]) await matchTransfers(db(), ctx, network, now);
};

/** Returns an order's payment page as the payer sees it. */
async function page(orderId: string) {
  const facts = await findCheckout(db(), orderId);
  if (!facts) throw new Error("This order does not exist");
  return checkoutView(facts, now);
}

/** Expects that the order's page shows no change and receives no event. */
async function expectUndelivered(order: { id: string }): Promise<void> {
  expect(await versionOf(order.id)).toBe(1);
  expect(await page(order.id)).toMatchObject({ state: "waiting", misdirected: [] });
}

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers");
  merchantId = (await seedMerchant(db(), now)).id;
  here = await seedAddress(db(), { merchantId }, now);
  onBsc = await seedAddress(db(), { merchantId, network: "bsc", address: here.address }, now);
});

describe("the payer is notified", () => {
  test("that the exact amount came on another network: once, at once, on every open page", async () => {
    const order = await onEthereum();
    const changes = createOrderChanges(testDb.pool, log);
    const versions: number[] = [];
    changes.watch(order.id, { changed: (version) => versions.push(version), closed: () => {} });
    await vi.waitUntil(async () => {
      await touchOrders(db(), [order.id], now);
      return versions.length > 0;
    });
    const before = await versionOf(order.id);
    const misdirected = await arrives();
    await match();
    const version = await versionOf(order.id);
    expect(version).toBe((before ?? 0) + 1);
    await vi.waitUntil(() => versions.at(-1) === version);
    changes.close();
    const seen = await page(order.id);
    expect(seen).toMatchObject({ state: "elsewhere", status: "pending", isPaymentExpected: false });
    expect(seen.misdirected).toContainEqual(
      expect.objectContaining({
        txId: misdirected.txId,
        amount: "10.0003",
        tokenName: "USDT",
        url: `https://bscscan.com/tx/${misdirected.txId}`,
      }),
    );
    expect(await misdirectedOf(misdirected.id)).toMatchObject({ unmatchedReason: "other_network", orderId: null });
    await match();
    expect(await versionOf(order.id)).toBe(version);
  });

  test("that it came in another currency", async () => {
    const order = await onEthereum();
    await arrives({ address: here, currency: "USDC", baseUnits: price });
    await match();
    expect(await page(order.id)).toMatchObject({
      state: "elsewhere",
      misdirected: [{ tokenName: "USDC", amount: "10.0003" }],
    });
    expect(await versionOf(order.id)).toBe(2);
  });

  test("also where the order has the address to itself", async () => {
    const address = await seedAddress(db(), { merchantId, kind: "dedicated" }, now);
    const order = await onEthereum({ address });
    await arrives({ address, currency: "USDC", baseUnits: price });
    await match();
    expect(await page(order.id)).toMatchObject({ state: "elsewhere" });
  });

  test("no longer after the chain dropped it, and again when it returns", async () => {
    const order = await onEthereum();
    const misdirected = await arrives();
    await match();
    const becomes = (status: "seen" | "dropped") =>
      db().update(transfers).set({ status, matchedAt: null }).where(eq(transfers.id, misdirected.id));
    await becomes("dropped");
    await match();
    expect(await page(order.id)).toMatchObject({ state: "waiting", misdirected: [], version: 3 });
    expect((await misdirectedOf(misdirected.id))?.unmatchedReason).toBe("taken_back");
    await becomes("seen");
    await match();
    expect(await page(order.id)).toMatchObject({ state: "elsewhere", version: 4 });
  });

  test("no longer after a user assigned it to this order or another", async () => {
    const actor = { merchantId, role: "owner" as const, userId: await seedPerson(db(), { merchantId }, now) };
    const order = await onEthereum();
    const other = await onEthereum({ baseUnits: price * 2n });
    const toOther = await arrives();
    const toThis = await arrives();
    await match();
    expect((await page(order.id)).misdirected).toHaveLength(2);
    await assignTransfer(db(), ctx, actor, { transferId: toOther.id, orderId: other.id }, now);
    expect(await page(order.id)).toMatchObject({ version: 3, misdirected: [{ txId: toThis.txId }] });
    await assignTransfer(db(), ctx, actor, { transferId: toThis.id, orderId: order.id }, now);
    expect(await page(order.id)).toMatchObject({ version: 4, state: "seen", misdirected: [], hasArrived: true });
  });
});

describe("the payer is not notified", () => {
  test("where the amount fits several open orders, from before the currencies shared their amounts", async () => {
    const one = await onEthereum();
    await db().update(quotes).set({ sharesAmount: true });
    const two = await onEthereum({ currency: "USDC" });
    const misdirected = await arrives();
    await match();
    expect(await misdirectedOf(misdirected.id)).toMatchObject({ unmatchedReason: "other_network", meantOrderId: null });
    for (const order of [one, two]) await expectUndelivered(order);
  });

  test("where an order that has the address to itself, and takes any amount, might be meant too", async () => {
    const order = await onEthereum();
    const arbitrum = await seedAddress(
      db(),
      { merchantId, network: "arbitrum", address: here.address, kind: "dedicated" },
      now,
    );
    const own = await onEthereum({ address: arbitrum, baseUnits: price * 3n });
    await arrives();
    await match();
    for (const untold of [order, own]) await expectUndelivered(untold);
  });

  test("where the amount is not exact", async () => {
    const order = await onEthereum();
    await arrives({ baseUnits: priceOnBsc - 1n });
    const address = await seedAddress(db(), { merchantId, kind: "dedicated" }, now);
    const own = await onEthereum({ address });
    const misdirected = await arrives({ address, currency: "USDC", baseUnits: price - 1n });
    await match();
    expect((await misdirectedOf(misdirected.id))?.unmatchedReason).toBe("other_currency");
    for (const untold of [order, own]) await expectUndelivered(untold);
  });

  test("of money from before the order, or for one that was paid or cancelled", async () => {
    const order = await onEthereum();
    await arrives({ blockTime: new Date(now.getTime() - 300_000) });
    await match();
    await expectUndelivered(order);
    await db().update(orders).set({ status: "cancelled" });
    const late = await arrives();
    await match();
    expect((await misdirectedOf(late.id))?.meantOrderId).toBeNull();
  });
});
