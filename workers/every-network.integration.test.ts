import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callbacks, merchants, orders, transfers } from "@/db/schema";
import { findToken, getNetwork, getToken } from "@/lib/domain/networks";
import { assignTransfer } from "@/lib/ledger/assign-transfer";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";
import { expireOrders } from "@/lib/orders/expire-orders";
import { findCheckout } from "@/lib/orders/find-checkout";
import { releaseHolds } from "@/lib/orders/release-holds";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { LOCAL_NETWORKS, startTestNetwork, type TestNetwork } from "@/testing/chains/networks";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
const db = () => testDb.pool.db;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The late window of a merchant with default settings. */
const LATE_WINDOW = 3 * HOUR;
/** Returns a time on a whole second, as expiries are. */
const hoursAgo = () => new Date(Math.floor(Date.now() / 1_000) * 1_000 - 12 * HOUR);
/** A depth in blocks that exceeds the finality of every network. */
const FINAL = 45;

describe.each(LOCAL_NETWORKS)("on %s", (id) => {
  const network = getNetwork(id);
  const usdt = getToken(network, "USDT");
  const usdc = findToken(network, "USDC");
  const one = 10n ** BigInt(usdt.decimals);
  let chain: TestNetwork;
  let watcher: NetworkWatcher;
  let merchant: Awaited<ReturnType<typeof seedMerchant>>;
  let clock = hoursAgo();
  let count = 0;

  beforeAll(async () => {
    chain = await startTestNetwork(id);
  });
  afterAll(() => chain.stop());

  // The chain's blocks have today's times. The test starts hours earlier, so that any amount of time can pass while the chain is read: a
  // transfer is on time or late according to the time at which it was first seen.
  beforeEach(async () => {
    clock = hoursAgo();
    const reader = createNetworkReader(
      db(),
      network,
      { urls: [chain.url], now: () => clock },
      { owner: "one", publicUrl: "https://pay.example.com", log },
    );
    watcher = createNetworkWatcher({
      db: db(),
      ctx,
      reader,
      network,
      owner: "one",
      now: () => clock,
      endpoints: () => [],
    });
    merchant = await seedMerchant(db(), clock);
  });

  const address = (kind: "shared" | "dedicated") =>
    seedAddress(
      db(),
      { merchantId: merchant.id, network: id, kind, address: chain.addressOf(`${id}${++count}`) },
      clock,
    );

  async function order(amount: bigint, token = usdt) {
    const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
    const urls = { notifyUrl: "https://shop.example.com/callback", redirectUrl: null, locale: null };
    const terms = {
      mchOrderId: `order-${++count}`,
      network,
      token,
      amountUnits: amount,
      expiresInSeconds: null,
      ...urls,
    };
    return (await createOrder(db(), ctx, caller, terms, clock)).order;
  }

  /** Runs a worker's rounds and its tick until everything is read. */
  async function work(): Promise<void> {
    await watcher.keepLease();
    while ((await watcher.watch()) === 0);
    await expireOrders(db(), ctx, clock);
    await releaseHolds(db(), ctx, clock);
  }

  async function pay(...payments: (readonly [to: string, baseUnits: bigint])[]): Promise<void> {
    await chain.payAll(payments);
    await chain.mine(FINAL);
    await work();
  }

  async function pass(ms: number): Promise<void> {
    clock = new Date(clock.getTime() + ms);
    await chain.mine(1);
    await work();
  }

  const read = async (orderId: string) => {
    const [row] = await db().select().from(orders).where(eq(orders.id, orderId));
    const pending = await db().$count(callbacks, eq(callbacks.orderId, orderId));
    return row && { status: row.status, exception: row.exception, paid: row.paidUnits, callbacks: pending };
  };

  test("idle dedicated addresses come first; what arrives adds up: underpaid, topped up, paid, dust, then overpaid", async () => {
    const pool = [await address("dedicated"), await address("dedicated")].map((row) => row.address);
    await address("shared");
    const first = await order(10n * one);
    const second = await order(10n * one);
    const third = await order(10n * one);
    expect([first.quote.address, second.quote.address].sort()).toEqual(pool.sort());
    expect([first, second, third].map(({ quote }) => quote.kind)).toEqual(["dedicated", "dedicated", "shared"]);
    expect(first.quote.baseUnits).toBe(10n * one);
    await pay([first.quote.address, 4n * one]);
    expect(await read(first.id)).toEqual({ status: "pending", exception: "underpaid", paid: 4n * one, callbacks: 0 });
    await pay([first.quote.address, 3n * one]);
    expect(await read(first.id)).toEqual({ status: "pending", exception: "underpaid", paid: 7n * one, callbacks: 0 });
    await chain.payAll([[first.quote.address, 3n * one]]);
    await chain.mine(3);
    await work();
    expect(await read(first.id)).toEqual({ status: "confirming", exception: null, paid: 7n * one, callbacks: 0 });
    await chain.mine(FINAL);
    await work();
    expect(await read(first.id)).toEqual({ status: "paid", exception: null, paid: 10n * one, callbacks: 1 });
    await pay([first.quote.address, 1n]);
    expect(await read(first.id)).toEqual({ status: "paid", exception: null, paid: 10n * one + 1n, callbacks: 1 });
    await pay([first.quote.address, one]);
    expect(await read(first.id)).toEqual({
      status: "paid",
      exception: "overpaid",
      paid: 11n * one + 1n,
      callbacks: 1,
    });
    expect(await read(second.id)).toMatchObject({ status: "pending", paid: 0n });
  });

  test("more than was asked for pays at once, as overpaid", async () => {
    const own = await address("dedicated");
    const { id: orderId } = await order(10n * one);
    await pay([own.address, 12n * one]);
    expect(await read(orderId)).toEqual({ status: "paid", exception: "overpaid", paid: 12n * one, callbacks: 1 });
  });

  test("an order that expires underpaid is paid by a late top-up", async () => {
    const own = await address("dedicated");
    const { id: orderId } = await order(10n * one);
    await pay([own.address, 4n * one]);
    await pass(29 * MINUTE);
    expect(await read(orderId)).toMatchObject({ status: "pending" });
    await pass(MINUTE);
    expect(await read(orderId)).toEqual({ status: "expired", exception: "underpaid", paid: 4n * one, callbacks: 0 });
    await pass(MINUTE);
    await pay([own.address, 6n * one]);
    expect(await read(orderId)).toEqual({ status: "paid", exception: "late", paid: 10n * one, callbacks: 1 });
  });

  test("an address cools down until the late window is over; then it serves again, and a payment is credited to the new order only", async () => {
    const own = await address("dedicated");
    await address("shared");
    const first = await order(10n * one);
    await pay([own.address, 10n * one]);
    await pass(30 * MINUTE + LATE_WINDOW - MINUTE);
    expect((await order(7n * one)).quote.kind).toBe("shared");
    // A hold accepts transfers from two minutes before its creation, so the next hold must start more than two minutes after the first.
    await pass(MINUTE + 2 * MINUTE + SECOND);
    const second = await order(7n * one);
    expect(second.quote).toMatchObject({ address: own.address, baseUnits: 7n * one });
    await pay([own.address, 7n * one]);
    expect(await read(second.id)).toEqual({ status: "paid", exception: null, paid: 7n * one, callbacks: 1 });
    expect(await read(first.id)).toEqual({ status: "paid", exception: null, paid: 10n * one, callbacks: 1 });
  });

  test("one transaction pays several orders, each once", async () => {
    const positions = [await address("dedicated"), await address("shared"), await address("shared")];
    const made = [await order(5n * one), await order(8n * one), await order(8n * one)];
    expect(new Set(made.map(({ quote }) => quote.address)).size).toBe(positions.length);
    // Solana reports the balance change of an account: two payments to one account in one transaction would appear as one sum.
    if (id !== "solana") made.push(await order(9n * one));
    await pay(...made.map(({ quote }) => [quote.address, quote.baseUnits] as const));
    await work();
    for (const { id: orderId, quote } of made)
      expect(await read(orderId)).toEqual({ status: "paid", exception: null, paid: quote.baseUnits, callbacks: 1 });
    const ledger = (await db().select().from(transfers)).filter(({ orderId }) =>
      made.some((row) => row.id === orderId),
    );
    expect(ledger).toHaveLength(made.length);
    expect(new Set(ledger.map(({ txId }) => txId)).size).toBe(1);
  });

  test.skipIf(usdc === null)(
    "the right amount in the other currency is not credited, and its payer is informed",
    async () => {
      const shared = await address("shared");
      const asked = await order(10n * one, usdc ?? usdt);
      await pay([shared.address, asked.quote.baseUnits]);
      const [unmatched] = await db().select().from(transfers).where(eq(transfers.receivingAddressId, shared.id));
      expect(unmatched).toMatchObject({ unmatchedReason: "other_currency", orderId: null, meantOrderId: asked.id });
      expect(await read(asked.id)).toEqual({ status: "pending", exception: null, paid: 0n, callbacks: 0 });
      expect((await findCheckout(db(), asked.id))?.misdirected).toMatchObject([
        { currency: "USDT", txId: unmatched?.txId },
      ]);
    },
  );

  test("money too late for its order is kept with the reason, and a person can assign it", async () => {
    await db().update(merchants).set({ lateWindowSeconds: 3_600 }).where(eq(merchants.id, merchant.id));
    const shared = await address("shared");
    const { id: orderId, quote } = await order(10n * one);
    await pass(92 * MINUTE);
    await pay([shared.address, quote.baseUnits]);
    await pay([shared.address, 3n]);
    const unmatched = await db().select().from(transfers).where(eq(transfers.receivingAddressId, shared.id));
    expect(unmatched.map(({ unmatchedReason }) => unmatchedReason).sort()).toEqual(["late", "no_such_amount"]);
    expect(await read(orderId)).toEqual({ status: "expired", exception: null, paid: 0n, callbacks: 0 });
    const userId = await seedPerson(db(), { merchantId: merchant.id }, clock);
    const actor = { merchantId: merchant.id, userId, role: "owner" as const };
    const late = unmatched.find(({ unmatchedReason }) => unmatchedReason === "late");
    await assignTransfer(db(), ctx, actor, { transferId: late?.id ?? "", orderId }, clock);
    expect(await read(orderId)).toEqual({ status: "paid", exception: "manual", paid: 10n * one, callbacks: 1 });
  });
});
