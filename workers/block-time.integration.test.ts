import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { writeMerchantWait } from "@/db/queries/merchants/networks";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { type RpcProxy, startRpcProxy, startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

/** A network whose table row has blocks of two seconds and finality after 40 s and at least 20 blocks. */
const network = getNetwork("optimism");
const DEPTH_S = 40;
const DEPTH_BLOCKS = 20;
/** The precision of timestamps in seconds, and therefore of block durations and ages. */
const STAMP_S = 1;
const LONG_MS = 300_000;
const PATIENCE = { timeout: 60_000, interval: 50 };
const usdt = getToken(network, "USDT").contract;
const testDb = useTestDb();
const db = () => testDb.pool.db;
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log };
const now = () => new Date();

let chain: TestChain;
let proxy: RpcProxy;
let watcher: NetworkWatcher;
let address: Awaited<ReturnType<typeof seedAddress>>;
/** The time of the newest block, in milliseconds; its timestamp is truncated to a second. */
let chainMs: number;

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
  chain = await startTestChain(network);
  proxy = await startRpcProxy(chain.node.url);
  const merchantId = (await seedMerchant(db(), now())).id;
  address = await seedAddress(db(), { merchantId, network: network.id }, now());
  const block = z
    .object({ timestamp: z.string() })
    .parse(await chain.node.call("eth_getBlockByNumber", ["latest", false]));
  chainMs = Number(block.timestamp) * 1_000;
  watchThrough([proxy.url]);
});

function watchThrough(urls: string[]): void {
  const context = { owner: "one", publicUrl: "https://pay.example.com", log };
  const reader = createNetworkReader(db(), network, { urls, now }, context);
  watcher = createNetworkWatcher({ db: db(), ctx, reader, network, owner: "one", now, endpoints: () => [] });
}

afterEach(async () => {
  await proxy.stop();
  await chain.stop();
});

/** Mines blocks. Blocks within one second share a timestamp, as on chains with several blocks a second. */
async function mine(blocks: number, blockMs: number): Promise<void> {
  for (let left = blocks; left > 0; ) {
    const concurrency = blockMs < 1_000 ? Math.min(left, 1_000 / blockMs) : 1;
    chainMs += concurrency * blockMs;
    await chain.node.call("evm_setNextBlockTimestamp", [Math.floor(chainMs / 1_000)]);
    await chain.node.call("anvil_mine", [`0x${concurrency.toString(16)}`, "0x0"]);
    left -= concurrency;
  }
}

/** Advances the chain while a worker polls it at its usual rate, and checks each time that no payment was credited early. */
async function run(blocks: number, blockMs: number): Promise<void> {
  const perRound = Math.max(1, Math.round(2_000 / blockMs));
  for (let mined = 0; mined < blocks; mined += perRound) {
    await mine(Math.min(perRound, blocks - mined), blockMs);
    await watchToEnd();
    expect(await creditedEarly()).toEqual([]);
  }
}

async function watchToEnd(): Promise<void> {
  await watcher.keepLease();
  while ((await watcher.watch()) === 0);
}

async function creditedEarly(): Promise<string[]> {
  const height = await chain.height();
  const head = Math.floor(chainMs / 1_000);
  return (await db().select().from(transfers))
    .filter(({ status }) => status === "confirmed")
    .filter(({ id }) => !reported.has(id) && reported.add(id))
    .filter(
      ({ blockHeight, blockTime }) =>
        height - blockHeight + 1 < DEPTH_BLOCKS || head - blockTime.getTime() / 1_000 < DEPTH_S - STAMP_S,
    )
    .map(({ blockHeight }) => `the transfer of block ${blockHeight} was confirmed at ${height}`);
}
/** The confirmed transfers that were already checked, each in the round of its confirmation. */
const reported = new Set<string>();

let nextUnits = 1_000_000n;
async function pay(): Promise<string> {
  const baseUnits = nextUnits++;
  const order = await seedOrder(db(), { address, baseUnits, notifyUrl: "http://127.0.0.1:9/callback" }, now());
  await chain.pay(usdt, address.address, baseUnits);
  return order.id;
}

const statusOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;
const cursor = async () => (await db().select().from(cursors))[0];
const requiredOf = async (id: string) => (await findOrderDetail(db(), { id }))?.transfers[0]?.requiredConfirmations;

test("a chain whose clock is ahead of this machine's is measured by its own block times, by each of two endpoints", async () => {
  watchThrough([proxy.url, chain.node.url]);
  await run(60, 2_000);
  const order = await pay();
  await run(20, 2_000);
  expect(await statusOf(order)).toBe("confirming");
  await run(2, 2_000);
  await vi.waitUntil(async () => {
    await watchToEnd();
    return (await statusOf(order)) === "paid";
  }, PATIENCE);
}, 120_000);

describe("a chain that makes a block every 2 s, and from one moment to the next one every 0.2 s, with orders open", () => {
  test(
    "loses no payment, credits none early, and is read to its head by ranges",
    async () => {
      await run(40, 2_000);
      expect(await cursor()).toMatchObject({ blockMs: 2_000, warning: null });
      const slow = await pay();
      await run(19, 2_000);
      expect(await statusOf(slow)).toBe("confirming");
      expect(await requiredOf(slow)).toBe(20);
      await run(2, 2_000);
      expect(await statusOf(slow)).toBe("paid");

      const before = await pay();
      await run(5, 2_000);
      const ids = [before];
      for (let number = 0; number < 4; number++) {
        ids.push(await pay());
        await run(10, 200);
      }
      // Twenty blocks meet the depth of the table row, but take only 4 s.
      expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "confirming"));
      await run(300, 200);
      expect((await cursor())?.blockMs).toBeLessThan(300);
      expect((await cursor())?.warning).toMatch(
        /^Optimism produces a block about every 0\.2 s, but its entry assumes one every 2 s\./,
      );
      ids.push(await pay());
      await run(10, 200);
      proxy.calls.clear();
      await run(190, 200);
      expect(await statusOf(ids.at(-1) ?? "")).toBe("confirming");
      // The measurement uses timestamps of whole seconds.
      expect(await requiredOf(ids.at(-1) ?? "")).toBeGreaterThanOrEqual(195);
      expect(await requiredOf(ids.at(-1) ?? "")).toBeLessThanOrEqual(205);
      await run(30, 200);
      expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "paid"));
      expect(await db().select().from(callbacks)).toHaveLength(ids.length + 1);
      expect(proxy.calls.get("eth_getLogs")).toBeLessThan(40);
      const { height, headHeight } = (await cursor()) ?? {};
      expect(headHeight).toBe(await chain.height());
      expect(height).toBe(headHeight);
    },
    LONG_MS,
  );

  test(
    "and slows down again: never fewer blocks than the network's rule",
    async () => {
      await run(130, 200);
      await run(32, 12_000);
      expect((await cursor())?.blockMs).toBe(12_000);
      const id = await pay();
      await run(19, 12_000);
      expect(await statusOf(id)).toBe("confirming");
      await run(1, 12_000);
      expect(await statusOf(id)).toBe("paid");
    },
    LONG_MS,
  );
});

describe("a merchant's rule of two minutes", () => {
  test(
    "waits so long by block time, however fast blocks come",
    async () => {
      const { merchantId } = address;
      await writeMerchantWait(
        db(),
        { merchantId, network: network.id, minConfirmations: null, minSeconds: 120 },
        now(),
      );
      await run(40, 2_000);
      const slow = await pay();
      await run(60, 2_000);
      expect(await statusOf(slow)).toBe("confirming");
      await run(2, 2_000);
      expect(await statusOf(slow)).toBe("paid");
      const fast = await pay();
      await run(590, 200);
      expect(await statusOf(fast)).toBe("confirming");
      await run(30, 200);
      expect(await statusOf(fast)).toBe("paid");
    },
    LONG_MS,
  );
});
