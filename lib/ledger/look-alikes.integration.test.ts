import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { findTransfer, listTransfers } from "@/db/queries/transfers/transfer-list";
import { orders, transfers } from "@/db/schema";
import { checkoutView } from "@/lib/domain/checkout/view";
import type { Actor } from "@/lib/domain/keys/role";
import { problem } from "@/lib/domain/problems/problem";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { findCheckout } from "@/lib/orders/find-checkout";
import { markOrderPaid } from "@/lib/orders/mark-order-paid";
import { createMerchantWithOwner } from "@/lib/users/register";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedOrder, seedTransfer } from "@/testing/database/seed";

const testDb = useTestDb();
const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
const now = new Date("2026-01-01T12:00:00Z");
const price = 10_000_300n;
const db = () => testDb.pool.db;

let owner: Actor;
let shared: Awaited<ReturnType<typeof seedAddress>>;

beforeEach(async () => {
  await empty(db(), "merchants", "users", "orders", "quotes", "audit_events", "transfers");
  const person = { name: "Tea House", email: "owner@example.com", password: "correct horse battery" };
  owner = { ...(await createMerchantWithOwner(db(), person, now)), role: "owner" };
  shared = await seedAddress(db(), { merchantId: owner.merchantId, network: "optimism" }, now);
});

const order = (address = shared) => seedOrder(db(), { address, baseUnits: price }, now);
const readTransfer = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0];
const readOrder = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0];
/** Inserts and matches a transfer of bridged USDT, which wallets show as USDT. */
async function arrives(baseUnits = price, address = shared) {
  const { id } = await seedTransfer(db(), { address, lookAlike: "USDT", baseUnits }, now);
  await matchTransfers(db(), ctx, "optimism", now);
  return id;
}

describe("a transfer of a look-alike", () => {
  test("of exactly the amount pays nothing, and is kept with its own reason and the order it was meant for", async () => {
    const { id: orderId } = await order();
    const id = await arrives();
    expect(await readTransfer(id)).toMatchObject({
      currency: null,
      orderId: null,
      quoteId: null,
      unmatchedReason: "look_alike",
      meantOrderId: orderId,
    });
    expect(await readOrder(orderId)).toMatchObject({ status: "pending", paidUnits: 0n, exception: null });
  });

  test("does not count on a dedicated address either, where any amount of the currency would", async () => {
    const own = { merchantId: owner.merchantId, network: "optimism", kind: "dedicated" as const };
    const address = await seedAddress(db(), own, now);
    const { id: orderId } = await order(address);
    const id = await arrives(4_000_000n, address);
    expect(await readTransfer(id)).toMatchObject({ unmatchedReason: "look_alike", meantOrderId: null });
    expect(await readOrder(orderId)).toMatchObject({ status: "pending", exception: null });
  });

  test("is reported to the payer by its own name, and paying again stays separate", async () => {
    const { id: orderId } = await order();
    await arrives();
    const facts = await findCheckout(db(), orderId);
    expect(facts && checkoutView(facts, now)).toMatchObject({
      state: "elsewhere",
      isPaymentExpected: false,
      misdirected: [{ tokenName: "bridged USDT", lookAlike: { symbol: "USDT" }, amount: "10.0003" }],
    });
  });

  test("of another amount is not shown to a payer", async () => {
    const { id: orderId } = await order();
    expect(await readTransfer(await arrives(price + 1n))).toMatchObject({ meantOrderId: null });
    expect(await readOrder(orderId)).toMatchObject({ version: 1 });
  });

  test("cannot be assigned manually, and the message has the remedy; marking the order as paid is possible", async () => {
    const { id: orderId } = await order();
    const transferId = await arrives();
    const done = await assignTransfer(db(), ctx, owner, { transferId, orderId }, now);
    expect(done).toEqual({
      problem: problem("transfer_of_other_token", { token: "bridged USDT" }),
    });
    expect(await readTransfer(transferId)).toMatchObject({ orderId: null, isAssigned: false });
    await markOrderPaid(db(), ctx, owner, { orderId, reason: "bridged USDT is fine" }, now);
    expect(await readOrder(orderId)).toMatchObject({ status: "paid", exception: "manual", settledByTransferId: null });
  });

  test("belongs to no order: the database refuses it from any writer", async () => {
    const { id: orderId } = await order();
    const id = await arrives();
    const write = db().update(transfers).set({ orderId }).where(eq(transfers.id, id));
    await expect(write).rejects.toMatchObject({ cause: { constraint_name: "transfers_look_alike_check" } });
  });

  test("is listed by its reason, never among a currency's transfers, and with the order it may be for", async () => {
    const { id: orderId } = await order();
    const id = await arrives();
    const listed = async (filter: Parameters<typeof listTransfers>[2]) =>
      (await listTransfers(db(), owner.merchantId, filter, null, 9)).rows.map((row) => row.id);
    expect(await listed({ reason: "look_alike" })).toEqual([id]);
    expect(await listed({ show: "unmatched" })).toEqual([id]);
    expect([...(await listed({ currency: "USDT" })), ...(await listed({ currency: "USDC" }))]).toEqual([]);
    const row = await findTransfer(db(), owner.merchantId, id);
    const likely = await suggestOrders(db(), owner.merchantId, row ? [row] : []);
    expect(likely.get(id)).toMatchObject([{ order: { id: orderId }, amount: "exact", clues: ["otherCurrency"] }]);
  });
});
