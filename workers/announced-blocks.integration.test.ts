import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { orders } from "@/db/schema";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { createHeadWakes, type HeadEvent } from "@/workers/head-wakes";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

const network = getNetwork("ethereum");
const usdt = getToken(network, "USDT").contract;
const PATIENCE = { timeout: 20_000, interval: 20 };
const CONFIRMING = { hasPending: true, isConfirming: true, hasUnconfirmed: true, heldUntil: null };
const NOTHING = { hasPending: false, isConfirming: false, hasUnconfirmed: false, heldUntil: null };
const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = () => new Date();
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log };

let chain: TestChain;
let watcher: NetworkWatcher;
let woken: number;
let events: HeadEvent[];

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
  chain = await startTestChain(network);
  [woken, events] = [0, []];
  const { heads } = EVM_PROTOCOL;
  if (!heads) throw new Error("EVM nodes announce blocks");
  const sockets = [{ name: "local", url: chain.node.url.replace("http", "ws"), headers: {} }];
  const count = (event: HeadEvent) => void events.push(event);
  const reader = createNetworkReader(db(), network, { urls: [chain.node.url], now }, { owner: "one", ...ctx });
  const openHeads = (wake: () => void) =>
    createHeadWakes({ network: network.id, sockets, heads, log, now, wake, count });
  const options = { db: db(), ctx, reader, network, owner: "one", now, endpoints: () => [] };
  watcher = createNetworkWatcher({ ...options, openHeads });
  watcher.wakeWith(() => {
    woken += 1;
  });
  await watcher.keepLease();
});

afterEach(async () => {
  await watcher.release();
  await chain.stop();
});

/** Waits until an announcement has woken the loop, and runs the rounds that it would. */
async function watchWhenWoken(): Promise<void> {
  await vi.waitUntil(() => woken > 0, PATIENCE);
  woken = 0;
  await watcher.keepLease();
  while ((await watcher.watch()) === 0);
}

test("the block of a payment is read when it is announced, and the payment is confirmed when its final block is", async () => {
  const merchantId = (await seedMerchant(db(), now())).id;
  const address = await seedAddress(db(), { merchantId }, now());
  const order = await seedOrder(db(), { address, baseUnits: 1_000_000n }, now());
  watcher.see(CONFIRMING);
  while ((await watcher.watch()) === 0);
  await vi.waitUntil(() => events.includes("subscribed"), PATIENCE);
  await chain.pay(usdt, address.address, 1_000_000n);
  await chain.mine();
  await watchWhenWoken();
  const status = async () => (await db().select().from(orders).where(eq(orders.id, order.id)))[0]?.status;
  expect(await status()).toBe("confirming");
  await chain.mine(network.finality.depth);
  await watchWhenWoken();
  expect(await status()).toBe("paid");
});

test("a network on which nothing is expected opens no socket, and one that was left by its worker closes it", async () => {
  watcher.see(NOTHING);
  while ((await watcher.watch()) === 0);
  watcher.see(CONFIRMING);
  expect(events).toEqual([]);
  while ((await watcher.watch()) === 0);
  await vi.waitUntil(() => events.includes("subscribed"), PATIENCE);
  watcher.hold(null, now());
  await watcher.watch();
  await chain.mine();
  expect(events).toEqual(["subscribed"]);
});
