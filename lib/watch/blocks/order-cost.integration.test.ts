import pino from "pino";
import postgres from "postgres";
import { expect, test } from "vitest";
import type { Db } from "@/db/client";
import { transfers } from "@/db/schema";
import { createDb } from "@/db/session";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { createNetworkReader, leaseNetwork } from "@/lib/watch/network-reader";
import { startRpcProxy, startTestChain } from "@/testing/chains/evm";
import { ownerNamed, startTestSolana } from "@/testing/chains/solana";
import { startTronChain, startTronProxy } from "@/testing/chains/tron";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedManyOrders, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log };
const OWNER = "one";
const MAX_STEPS = 50;

/** A chain behind a proxy that counts every call. */
interface CountedChain {
  url: string;
  calls: Map<string, number>;
  /** Pays, and mines blocks until the payment can be read. */
  payAndMine(to: string, baseUnits: bigint): Promise<void>;
  stop(): Promise<void>;
}

async function openEvm(id: string, blocks: number): Promise<CountedChain> {
  const network = getNetwork(id);
  const chain = await startTestChain(network);
  await chain.mine(20);
  const { url, calls, stop } = await startRpcProxy(chain.node.url);
  return {
    url,
    calls,
    payAndMine: async (to, baseUnits) => {
      await chain.pay(getToken(network, "USDT").contract, to, baseUnits);
      await chain.mine(blocks);
    },
    stop: async () => void (await Promise.all([stop(), chain.stop()])),
  };
}

async function openTron(kind: "url" | "jsonRpcUrl"): Promise<CountedChain> {
  const chain = await startTronChain();
  await chain.mine(20);
  const proxy = await startTronProxy(chain.node.url);
  return {
    url: proxy[kind],
    calls: proxy.calls,
    payAndMine: async (to, baseUnits) => {
      await chain.pay(to, baseUnits);
      await chain.mine(2);
    },
    stop: async () => void (await Promise.all([proxy.stop(), chain.stop()])),
  };
}

async function openSolana(): Promise<CountedChain> {
  const chain = await startTestSolana();
  await chain.advance(40);
  const { url, calls, stop } = await startRpcProxy(chain.node.url);
  const shop = ownerNamed("shop0").publicKey;
  return {
    url,
    calls,
    payAndMine: async (_to, baseUnits) => {
      await chain.pay([{ to: shop, currency: "USDT", baseUnits }]);
      await chain.advance(33);
    },
    stop: async () => void (await Promise.all([stop(), chain.stop()])),
  };
}

/** Seeds the shop's receiving addresses on a network; the orders are at the first one. */
async function seedAddresses(db: Db, network: string, count: number, now: Date) {
  const { id: merchantId } = await seedMerchant(db, now);
  const seeds = Array.from({ length: count }, (_, index) => ({
    merchantId,
    network,
    ...(network === "solana" ? { address: ownerNamed(`shop${index}`).publicKey.toBase58() } : {}),
  }));
  const [first, ...more] = seeds;
  if (!first) throw new Error("at least one address is needed");
  const address = await seedAddress(db, first, now);
  for (const seed of more) await seedAddress(db, seed, now);
  return address;
}

/** Opens a database that counts its statements. */
function openCountedDb() {
  const counter = { statements: 0 };
  const pool = postgres(testDb.url, {
    max: 1,
    onnotice: () => {},
    debug: () => {
      counter.statements += 1;
    },
  });
  return { db: createDb(pool), counter, close: () => pool.end() };
}

test.each([
  { way: "ethereum, each block by its hash", network: "ethereum", addresses: 1, open: () => openEvm("ethereum", 1) },
  { way: "bsc, in ranges", network: "bsc", addresses: 1, open: () => openEvm("bsc", 5) },
  { way: "tron by JSON-RPC", network: "tron", addresses: 1, open: () => openTron("jsonRpcUrl") },
  { way: "tron by HTTP", network: "tron", addresses: 1, open: () => openTron("url") },
  { way: "solana by histories", network: "solana", addresses: 1, open: openSolana },
  { way: "solana by whole blocks", network: "solana", addresses: 26, open: openSolana },
])("$way: a payment costs the same calls and statements with 1, 1,000 and 100,000 open orders", async (row) => {
  const network = getNetwork(row.network);
  const chain = await row.open();
  const { db, counter, close } = openCountedDb();
  let clock = Date.now();
  const now = () => new Date(clock);
  await empty(db, "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "account_cursors");
  const address = await seedAddresses(db, network.id, row.addresses, now());
  const reader = createNetworkReader(
    db,
    network,
    { urls: [chain.url], now },
    { owner: OWNER, publicUrl: "https://pay.example.com", log },
  );

  async function cost() {
    await leaseNetwork(db, network.id, OWNER);
    // This exceeds the lifetime of all caches, so that everything is read each time.
    clock += 10_000;
    chain.calls.clear();
    counter.statements = 0;
    for (let steps = 0; steps < MAX_STEPS; steps++) if ((await reader.step(now())).isCaughtUp) break;
    await matchTransfers(db, ctx, network.id, now());
    return { statements: counter.statements, ...Object.fromEntries(chain.calls) };
  }
  async function costWith(orders: number) {
    await chain.payAndMine(address.address, BigInt(orders));
    return cost();
  }

  for (let warmUp = 0; warmUp < 3; warmUp++) {
    await chain.payAndMine(address.address, 1_000_000n);
    await cost();
  }
  await seedManyOrders(db, { address, first: 1, count: 1 }, now());
  const one = await costWith(1);
  await seedManyOrders(db, { address, first: 2, count: 999 }, now());
  expect(await costWith(1_000)).toEqual(one);
  await seedManyOrders(db, { address, first: 1_001, count: 99_000 }, now());
  expect(await costWith(100_000)).toEqual(one);
  const matched = await db.select({ units: transfers.baseUnits, orderId: transfers.orderId }).from(transfers);
  expect(matched.filter(({ orderId }) => orderId !== null).map(({ units }) => units)).toEqual([1n, 1_000n, 100_000n]);
  await Promise.all([chain.stop(), close()]);
});
