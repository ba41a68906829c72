import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listEvents } from "@/db/queries/callbacks/events";
import { countClaimedTransfers, listClaimsOf, listOrderClaims } from "@/db/queries/transfers/payment-claims";
import { findTransfer } from "@/db/queries/transfers/transfer-list";
import { orders, paymentClaims } from "@/db/schema";
import { askLookup, withdrawLookup } from "@/lib/ledger/ask-lookup";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { chooseEvents } from "@/lib/merchants/api-keys";
import { empty } from "@/testing/database/empty";
import { seedOrder, seedTransfer } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { db, shop, ctx, now, later } = useShop();
const asking = { ...ctx, env: { rpcUrls: new Map([["ethereum", ["http://127.0.0.1:1"]]]) } };
const hash = (digit: string) => `0x${digit.repeat(64)}`;

beforeEach(async () => {
  await empty(db(), "rate_limits", "lookups", "payment_claims", "transfers");
});

const order = (baseUnits: bigint) =>
  seedOrder(
    db(),
    { address: shop.address, baseUnits, notifyUrl: "https://shop.example/hook", apiKeyId: shop.merchant.keyId },
    now,
  );
const claim = (tradeId: string, text: string, minutes = 1) =>
  askLookup(db(), asking, { tradeId, text, from: null }, later(minutes));
const claimsOf = async (orderId: string) =>
  (await listOrderClaims(db(), shop.merchant.id, orderId)).map(({ txId, transfer }) => [txId, transfer?.id ?? null]);

async function unmatched(baseUnits: bigint, txId: string) {
  const { id } = await seedTransfer(db(), { address: shop.address, baseUnits, txId }, later(1));
  await matchTransfers(db(), ctx, "ethereum", later(1));
  return id;
}

async function likely(transferId: string) {
  const found = await findTransfer(db(), shop.merchant.id, transferId);
  const suggested = await suggestOrders(db(), shop.merchant.id, found ? [found] : []);
  return (suggested.get(transferId) ?? []).map((one) => [one.order.id, one.amount, one.clues.includes("claimed")]);
}

test("a transaction that a payer entered is stored with the order and with its transfer, and needs attention until it is withdrawn", async () => {
  const { id } = await order(12_000_100n);
  await claim(id, hash("a"));
  expect(await claimsOf(id)).toEqual([[hash("a"), null]]);
  expect(await countClaimedTransfers(db(), shop.merchant.id)).toBe(0);
  const transferId = await unmatched(9_500_000n, hash("a"));
  expect(await claimsOf(id)).toEqual([[hash("a"), transferId]]);
  expect(await listClaimsOf(db(), shop.merchant.id, hash("a"))).toMatchObject([{ orderId: id, claimedAt: later(1) }]);
  expect(await countClaimedTransfers(db(), shop.merchant.id)).toBe(1);
  await withdrawLookup(db(), id, later(2));
  await withdrawLookup(db(), id, later(2));
  expect(await claimsOf(id)).toEqual([]);
  expect(await countClaimedTransfers(db(), shop.merchant.id)).toBe(0);
});

test("payment.claimed is sent once for each transaction, and only if the key selected it", async () => {
  const person = { merchantId: shop.merchant.id, userId: "person", role: "owner" as const };
  const quiet = await order(12_000_200n);
  await claim(quiet.id, hash("b"));
  await chooseEvents(db(), { ...person, id: shop.merchant.keyId, types: ["payment.claimed"] }, now);
  const { id } = await order(12_000_300n);
  for (const minutes of [1, 5, 10]) await claim(id, hash("c"), minutes);
  await claim(id, hash("d"), 15);
  const events = (await listEvents(db(), shop.merchant.id, 0, 50)).map(({ body }) => JSON.parse(body));
  expect(events.map(({ type, data }) => [type, data.trade_id])).toEqual([
    ["payment.claimed", id],
    ["payment.claimed", id],
  ]);
});

test("a transaction that is credited to the order already is no claim", async () => {
  const { id } = await order(12_000_400n);
  await unmatched(12_000_400n, hash("e"));
  await db().update(orders).set({ status: "pending" }).where(eq(orders.id, id));
  await claim(id, hash("e"));
  expect(await claimsOf(id)).toEqual([]);
});

test("an order keeps ten claims", async () => {
  const { id } = await order(12_000_500n);
  for (let count = 0; count < 12; count++) await claim(id, hash(count.toString(16)), count * 5);
  expect(await db().$count(paymentClaims, eq(paymentClaims.orderId, id))).toBe(10);
});

test("a claim decides between orders that fit equally well, never against a better one; competing claims decide nothing", async () => {
  await empty(db(), "orders", "quotes");
  const older = await order(40_000_000n);
  const newer = await seedOrder(db(), { address: shop.address, baseUnits: 41_000_000n }, later(0.5));
  const better = await order(30_000_000n);
  const transferId = await unmatched(30_000_001n, hash("f"));
  const first = async () => (await likely(transferId))[0]?.[0];
  const others = async () => (await likely(transferId)).map(([id]) => id).filter((id) => id !== better.id);
  expect(await first()).toBe(better.id);
  expect(await others()).toEqual([newer.id, older.id]);
  await claim(older.id, hash("f"));
  expect(await first()).toBe(better.id);
  expect(await others()).toEqual([older.id, newer.id]);
  expect((await likely(transferId)).find(([id]) => id === older.id)).toEqual([older.id, "less", true]);
  await claim(newer.id, hash("f"));
  expect(await others()).toEqual([newer.id, older.id]);
});
