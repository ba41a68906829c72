import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditEvents, blocks, cursors, transfers } from "@/db/schema";
import { useTestDb } from "@/db/testing";
import { HANDLED, startRpcProxy, startTestChain, type TestChain } from "@/db/testing-chain";
import { seedAddress, seedMerchant, seedOrder } from "@/db/testing-seed";
import { createSource } from "@/lib/chains/create-source";
import type { ChainSource } from "@/lib/chains/source";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { leaseNetwork } from "@/lib/transfers/lease-network";
import { newScanMemory } from "@/lib/transfers/scan-memory";
import { type Scanner, type ScanStep, scanNetwork } from "@/lib/transfers/scan-network";
import { FAKE_TOKEN } from "@/sandbox/token/install";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const network = getNetwork("ethereum");
const usdt = getToken(network, "USDT").contract;
const usdc = getToken(network, "USDC").contract;
const now = () => new Date();

let chain: TestChain;
let source: ChainSource;
let scanner: Scanner;
let shop: { id: string; merchantId: string; address: string; network: string; kind: "shared" | "dedicated" };

beforeEach(async () => {
  const { db } = testDb.pool;
  await db.execute(sql`truncate merchants, transfers, blocks, cursors cascade`);
  chain = await startTestChain(network);
  source = createSource(network, { urls: [chain.node.url], now });
  scanner = { owner: "one", memory: newScanMemory(), log };
  await leaseNetwork(db, network.id, "one");
  shop = await seedAddress(db, { merchantId: (await seedMerchant(db, now())).id }, now());
  await chain.mine(20);
  await catchUp();
});
afterEach(() => chain.stop());

const step = (with_ = scanner) => scanNetwork(testDb.pool.db, source, network, with_, now());
const ledger = () => testDb.pool.db.select().from(transfers).orderBy(transfers.blockHeight, transfers.position);
const cursor = async () => (await testDb.pool.db.select().from(cursors).where(eq(cursors.network, network.id)))[0];

async function forgetNetwork(): Promise<void> {
  for (const table of [cursors, blocks, transfers]) await testDb.pool.db.delete(table);
}

async function catchUp(with_ = scanner): Promise<ScanStep[]> {
  await leaseNetwork(testDb.pool.db, network.id, with_.owner);
  const steps: ScanStep[] = [];
  do steps.push(await step(with_));
  while (!steps.at(-1)?.isCaughtUp && steps.length < 500);
  return steps;
}

describe("what counts", () => {
  test("a transfer of a known token to a receiving address is in the ledger with its block", async () => {
    const txId = await chain.pay(usdt, shop.address, 1_500_000n);
    await chain.mine();
    await catchUp();
    const [row, ...more] = await ledger();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ txId, position: "0", currency: "USDT", baseUnits: 1_500_000n, status: "seen" });
    expect(row).toMatchObject({
      toAddress: shop.address,
      receivingAddressId: shop.id,
      blockHeight: 21,
      judgedAt: null,
    });
    const block = await source.block({ height: 21 });
    expect(row).toMatchObject({ blockHash: block?.hash, blockTime: block?.time });
  });

  test("a fake token, a zero value, a failed transaction and a stranger's transfer are no payments", async () => {
    await chain.pay(FAKE_TOKEN, shop.address, 1_500_000n);
    await chain.pay(usdt, shop.address, 0n);
    await chain.pay(usdt, `0x${"99".repeat(20)}`, 1_500_000n);
    const transfer = `0xa9059cbb${shop.address.slice(2).padStart(64, "0")}${(10n ** 30n).toString(16).padStart(64, "0")}`;
    const failed = await chain.send({ to: usdt, data: transfer });
    await chain.mine();
    await catchUp();
    expect(await chain.node.call("eth_getTransactionReceipt", [failed])).toMatchObject({ status: "0x0" });
    expect(await ledger()).toEqual([]);
  });

  test("an event with four topics is an NFT's, even when the token's own contract emits it", async () => {
    const emitLog4 = "0x60003560005260803560603560403560203560206000a400";
    await chain.node.call("anvil_setCode", [usdc, emitLog4]);
    const word = (hex: string) => hex.padStart(64, "0");
    const event = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const txId = await chain.send({
      to: usdc,
      data: `0x${word("64")}${event}${word("1")}${word(shop.address.slice(2))}${word("7")}`,
    });
    await chain.mine();
    await catchUp();
    const receipt = (await chain.node.call("eth_getTransactionReceipt", [txId])) as { logs: { topics: string[] }[] };
    expect(receipt.logs[0]?.topics).toHaveLength(4);
    expect(await ledger()).toEqual([]);
  });

  test("two transfers in one transaction are two payments", async () => {
    const txId = await chain.payAll(usdt, [
      [shop.address, 5n],
      [`0x${"99".repeat(20)}`, 6n],
      [shop.address, 5n],
    ]);
    await chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([
      { txId, position: "0", baseUnits: 5n },
      { txId, position: "2", baseUnits: 5n },
    ]);
  });

  test("an address that was added while the scanner ran is watched from then on", async () => {
    const added = await seedAddress(testDb.pool.db, { merchantId: shop.merchantId }, now());
    await chain.pay(usdt, added.address, 7n);
    await chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([{ receivingAddressId: added.id, baseUnits: 7n }]);
  });
});

describe("reorganisations", () => {
  test("a transfer whose block is replaced is dropped, and seen again where it is included again", async () => {
    const txId = await chain.pay(usdt, shop.address, 1_500_000n);
    await chain.mine(2);
    await catchUp();
    const raw = await chain.node.call("eth_getRawTransactionByHash", [txId]);
    await chain.node.call("anvil_reorg", [3, []]);
    await chain.mine();
    const steps = await catchUp();
    expect(steps.map(({ kind }) => kind)).toContain("rewound");
    expect(await ledger()).toMatchObject([{ txId, status: "dropped", judgedAt: null }]);

    await testDb.pool.db.update(transfers).set({ judgedAt: now() });
    await chain.node.call("eth_sendRawTransaction", [raw]);
    await chain.mine();
    await catchUp();
    const [row, ...more] = await ledger();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ txId, status: "seen", judgedAt: null, blockHeight: await chain.height() });
  });

  test("a transfer that moves to another block in one reorg is one payment in the new block", async () => {
    const txId = await chain.pay(usdt, shop.address, 1_500_000n);
    await chain.mine(3);
    await catchUp();
    const [before] = await ledger();
    const raw = await chain.node.call("eth_getRawTransactionByHash", [txId]);
    await chain.node.call("anvil_reorg", [4, [[raw, 2]]]);
    await chain.mine();
    await catchUp();
    const rows = await ledger();
    expect(rows).toMatchObject([{ txId, status: "seen", blockHeight: (before?.blockHeight ?? 0) + 1 }]);
    expect(rows[0]?.blockHash).not.toBe(before?.blockHash);
  });

  test("a chain that loses its last blocks and grows again is read from the common ancestor", async () => {
    await chain.pay(usdt, shop.address, 3n);
    await chain.mine(2);
    await catchUp();
    await chain.node.call("anvil_rollback", [2]);
    expect((await step()).kind).toBe("idle");
    expect(await ledger()).toMatchObject([{ status: "seen" }]);
    await chain.node.call("evm_increaseTime", [5]);
    await chain.mine(4);
    await catchUp();
    expect(await ledger()).toMatchObject([{ status: "dropped" }]);
    expect(await cursor()).toMatchObject({ height: 24 });
  });

  test("a confirmed transfer that vanishes stays confirmed, and its merchant's record says so", async () => {
    await chain.pay(usdt, shop.address, 3n);
    await chain.mine(2);
    await catchUp();
    await testDb.pool.db.update(transfers).set({ status: "confirmed", judgedAt: now() });
    await chain.node.call("anvil_reorg", [3, []]);
    await chain.mine();
    await catchUp();
    expect(await ledger()).toMatchObject([{ status: "confirmed" }]);
    const events = await testDb.pool.db.select().from(auditEvents);
    expect(events).toMatchObject([{ action: "transfer.lost", merchantId: shop.merchantId }]);
  });

  test("hashes are kept back to the finalized block and forgotten below it", async () => {
    await chain.mine(30);
    await catchUp();
    const kept = await testDb.pool.db.select({ height: blocks.height }).from(blocks).orderBy(blocks.height);
    expect(kept[0]?.height).toBe((await cursor())?.finalizedHeight);
    expect(kept.at(-1)?.height).toBe(await chain.height());
    expect(kept).toHaveLength(5);
  });
});

describe("pauses and cost", () => {
  test("300 blocks that were mined while nobody watched are read in a few ranges, their payments found", async () => {
    await chain.mine(100);
    const early = await chain.pay(usdt, shop.address, 11n);
    await chain.mine(100);
    const late = await chain.pay(usdc, shop.address, 12n);
    await chain.mine(100);
    const proxy = await startRpcProxy(chain.node.url);
    source = createSource(network, { urls: [proxy.url], now });
    await catchUp({ owner: "one", memory: newScanMemory(), log });
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId: early }, { txId: late }]);
    expect(await cursor()).toMatchObject({ height: 320, caughtUpAt: expect.any(Date) });
    expect(proxy.calls.get("eth_getLogs")).toBeLessThanOrEqual(6);
  });

  test("a node that takes only ten blocks at once is read ten at a time", async () => {
    await chain.mine(60);
    const txId = await chain.pay(usdt, shop.address, 11n);
    await chain.mine(60);
    const proxy = await startRpcProxy(chain.node.url, async ({ method, params }, response, pass) => {
      const [filter] = params as [{ fromBlock?: string; toBlock?: string }];
      const isWide = filter?.fromBlock && Number(filter.toBlock) - Number(filter.fromBlock) >= 10;
      if (method !== "eth_getLogs" || !isWide) return pass();
      const error = {
        code: -32600,
        message: "Under the Free tier plan, you can make requests with up to a 10 block range",
      };
      response.statusCode = 400;
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
      return HANDLED;
    });
    source = createSource(network, { urls: [proxy.url], now });
    await catchUp();
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId }]);
    expect(proxy.calls.get("eth_getLogs")).toBeLessThan(40);
  });

  test("a node that refuses eth_getLogs altogether is read by the receipts of its blocks", async () => {
    await chain.mine(8);
    const txId = await chain.pay(usdt, shop.address, 11n);
    await chain.mine(8);
    const proxy = await startRpcProxy(chain.node.url, async ({ method }, response, pass) => {
      if (method !== "eth_getLogs") return pass();
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: "limit exceeded" } }));
      return HANDLED;
    });
    source = createSource(network, { urls: [proxy.url], now });
    await catchUp();
    await proxy.stop();
    expect(await ledger()).toMatchObject([{ txId }]);
  });

  test("a block costs the same calls with one open order as with two hundred", async () => {
    const proxy = await startRpcProxy(chain.node.url);
    source = createSource(network, { urls: [proxy.url], now });
    await catchUp();
    const callsPerBlock = async () => {
      proxy.calls.clear();
      await chain.mine();
      await catchUp();
      return Object.fromEntries(proxy.calls);
    };
    await seedOrder(testDb.pool.db, { address: shop, baseUnits: 1n }, now());
    const one = await callsPerBlock();
    for (let units = 2n; units <= 200n; units++) {
      await seedOrder(testDb.pool.db, { address: shop, baseUnits: units }, now());
    }
    expect(await callsPerBlock()).toEqual(one);
    expect(one).toEqual({ eth_blockNumber: 1, eth_getBlockByNumber: 1, eth_getLogs: 1 });
    await proxy.stop();
  });

  test("a network that was never read begins before the oldest live quote", async () => {
    const txId = await chain.pay(usdt, shop.address, 11n);
    await chain.mine(40);
    await seedOrder(testDb.pool.db, { address: shop, baseUnits: 11n }, now());
    await forgetNetwork();
    await catchUp();
    expect(await ledger()).toMatchObject([{ txId }]);
  });

  test("with no live quote, a network that was never read begins at its newest final block", async () => {
    await chain.pay(usdt, shop.address, 11n);
    await chain.mine(40);
    await forgetNetwork();
    await catchUp();
    expect(await ledger()).toEqual([]);
    const [lowest] = await testDb.pool.db.select().from(blocks).orderBy(blocks.height);
    expect(lowest?.height).toBe(56);
  });
});

describe("several scanners", () => {
  test("reading the same blocks twice changes nothing", async () => {
    await chain.pay(usdt, shop.address, 11n);
    await chain.mine(30);
    await catchUp();
    const before = await ledger();
    await testDb.pool.db.update(cursors).set({ height: 20, hash: (await source.block({ height: 20 }))?.hash ?? "" });
    await catchUp();
    expect(await ledger()).toEqual(before);
  });

  test("a scanner that lost its lease in the middle writes nothing", async () => {
    await chain.pay(usdt, shop.address, 11n);
    await chain.mine();
    const slow: ChainSource = {
      ...source,
      transfers: async (span, addresses) => {
        const found = await source.transfers(span, addresses);
        await testDb.pool.db.update(cursors).set({ leaseOwner: "two" });
        return found;
      },
    };
    const before = await cursor();
    const done = await scanNetwork(testDb.pool.db, slow, network, scanner, now());
    expect(done).toMatchObject({ kind: "lostLease", found: 0 });
    expect(await ledger()).toEqual([]);
    expect(await cursor()).toEqual({ ...before, leaseOwner: "two" });
  });

  test("two scanners that both believe to hold the lease write every payment once", async () => {
    for (let block = 0; block < 10; block++) {
      await chain.pay(usdt, shop.address, BigInt(100 + block));
      await chain.mine();
    }
    const race = async () => {
      const mine = { owner: "one", memory: newScanMemory(), log };
      for (let steps = 0; steps < 30; steps++) await step(mine);
    };
    await Promise.all([race(), race()]);
    expect((await ledger()).map(({ baseUnits }) => baseUnits)).toEqual([
      100n,
      101n,
      102n,
      103n,
      104n,
      105n,
      106n,
      107n,
      108n,
      109n,
    ]);
  });

  test("only one of two workers gets a lease; the other gets it once it runs out", async () => {
    const { db } = testDb.pool;
    expect(await leaseNetwork(db, network.id, "two")).toBe(false);
    expect(await leaseNetwork(db, network.id, "one")).toBe(true);
    await db.update(cursors).set({ leaseUntil: sql`clock_timestamp() - interval '1 millisecond'` });
    expect(await leaseNetwork(db, network.id, "two")).toBe(true);
    expect(await leaseNetwork(db, network.id, "one")).toBe(false);
  });
});
