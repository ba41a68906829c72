import { eq, sql } from "drizzle-orm";
import { beforeEach } from "vitest";
import { orders, quotes, transfers } from "@/db/schema";
import type { Actor } from "@/lib/domain/keys/role";
import { parseUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import type { QuotedOrder } from "@/lib/domain/orders/order-detail";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";
import { expireOrders } from "@/lib/orders/expire-orders";
import { releaseHolds } from "@/lib/orders/release-holds";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import {
  seedAddress,
  seedCursor,
  seedMerchant,
  seedPerson,
  seedTransfer,
  TEST_APP_SECRET,
} from "@/testing/database/seed";

let testDb: ReturnType<typeof useTestDb>;
export const log = createLog("test", "fatal");
export const ctx = { publicUrl: "https://pay.example.com", log };
export const creating = { log, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
export const start = new Date("2026-01-01T12:00:00Z");
/** Returns the time this many minutes after the start. Orders are open for 30 minutes, and their late window is 180 minutes. */
export const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
export const NETWORKS = ["ethereum", "bsc"] as const;
export type HoldingNetwork = (typeof NETWORKS)[number];
export const PRICE = "10";

export const db = () => testDb.pool.db;

/** Creates a new shop for every test. Call it once at the top of a test file. */
export function useHoldingShop() {
  testDb = useTestDb();
  beforeEach(() => open());
}
export const units = (network: HoldingNetwork, amount: string) =>
  parseUnits(amount, getToken(getNetwork(network), "USDT").decimals) ?? 0n;

export let merchant: Awaited<ReturnType<typeof seedMerchant>>;
export let owner: Actor;
export let addresses: Record<HoldingNetwork, Awaited<ReturnType<typeof seedAddress>>>;
let count = 0;

/** Creates a merchant with one address on both networks. */
export async function open(kind: "shared" | "dedicated" = "shared") {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "cursors", "transfers");
  merchant = await seedMerchant(db(), start);
  owner = {
    merchantId: merchant.id,
    userId: await seedPerson(db(), { merchantId: merchant.id }, start),
    role: "owner",
  };
  await addReceivingAddresses(kind);
}

export async function addReceivingAddresses(kind: "shared" | "dedicated") {
  const ethereum = await seedAddress(db(), { merchantId: merchant.id, kind }, start);
  const bsc = await seedAddress(
    db(),
    { merchantId: merchant.id, network: "bsc", address: ethereum.address, kind },
    start,
  );
  addresses = { ethereum, bsc };
}

export async function create(
  network: HoldingNetwork,
  minutes: number,
  amount = PRICE,
  currency: Currency = "USDT",
): Promise<QuotedOrder> {
  const row = getNetwork(network);
  await db().execute(sql`update cursors set heard_at = ${at(minutes).toISOString()}::timestamptz`);
  const terms = { mchOrderId: `order-${++count}`, network: row, token: getToken(row, currency) };
  const rest = { notifyUrl: "https://shop.example.com/", redirectUrl: null, locale: null, expiresInSeconds: null };
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  const amountUnits = units(network, amount);
  return (await createOrder(db(), creating, caller, { ...terms, ...rest, amountUnits }, at(minutes))).order;
}

/** Stores a payment of exactly the requested amount, on any network. It is immediately seen and final. */
export async function pay(order: QuotedOrder, minutes: number, network = order.network as HoldingNetwork) {
  const asked = getToken(getNetwork(order.network), "USDT").decimals;
  const shift = 10n ** BigInt(Math.abs(getToken(getNetwork(network), "USDT").decimals - asked));
  const same = order.network === network;
  const baseUnits = same
    ? order.quote.baseUnits
    : network === "bsc"
      ? order.quote.baseUnits * shift
      : order.quote.baseUnits / shift;
  const { currency } = order;
  const sent = await seedTransfer(db(), { address: addresses[network], baseUnits, currency }, at(minutes));
  await finalize(sent.id);
  return sent;
}

export const finalize = (id: string) =>
  db()
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: start, confirmations: 12 })
    .where(eq(transfers.id, id));

export async function match(minutes: number) {
  for (const network of NETWORKS) await matchTransfers(db(), ctx, network, at(minutes));
}

/** Reads both networks up to this minute, matches new transfers, expires orders and releases holds. */
export async function pass(minutes: number) {
  await match(minutes);
  for (const network of NETWORKS) await seedCursor(db(), network, at(minutes));
  await expireOrders(db(), ctx, at(minutes));
  await releaseHolds(db(), ctx, at(minutes));
}

export const readOrder = async ({ id }: { id: string }) =>
  (await db().select().from(orders).where(eq(orders.id, id)))[0];
export const readTransfer = async ({ id }: { id: string }) =>
  (await db().select().from(transfers).where(eq(transfers.id, id)))[0];
export const readQuote = async ({ quote }: QuotedOrder) =>
  (await db().select().from(quotes).where(eq(quotes.id, quote.id)))[0];
export const orderOf = async (transfer: { id: string }) => (await readTransfer(transfer))?.orderId;
