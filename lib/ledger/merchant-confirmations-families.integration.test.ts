import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { writeMerchantWait } from "@/db/queries/merchants/networks";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { createTronSource } from "@/lib/chains/tron/source";
import { getNetwork } from "@/lib/domain/networks";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { scanNetwork } from "@/lib/watch/blocks/scan-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { newScanMemory } from "@/lib/watch/scan/scan-state";
import { ownerNamed } from "@/testing/chains/solana";
import { startTronChain, startTronProxy, type TronChain, type TronProxy } from "@/testing/chains/tron";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { BY_ACCOUNTS, BY_SLOTS, useSolanaChain, useSolanaLedger } from "@/testing/watch/solana-scanner";

const price = 10_000_000n;
const MAX_BLOCKS = 80;

/**
 * Produces blocks until an order is paid.
 * @returns the order in the API at that block and at the block before
 */
async function untilPaid(db: Db, id: string, nextBlock: () => Promise<void>) {
  let before = await findOrderDetail(db, { id });
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
    await nextBlock();
    const detail = await findOrderDetail(db, { id });
    if (detail?.status === "paid") return { before, detail };
    before = detail;
  }
  throw new Error("the order was not paid");
}

const waitedFor = (confirmations: number) => ({
  before: {
    status: "confirming",
    transfers: [{ status: "seen", confirmations: confirmations - 1, requiredConfirmations: confirmations }],
  },
  detail: { transfers: [{ status: "confirmed", confirmations, requiredConfirmations: confirmations }] },
});

describe("on TRON", () => {
  const network = getNetwork("tron");
  const ctx = { publicUrl: "https://pay.example.com", log: pino({ level: "silent" }) };
  const testDb = useTestDb();
  const db = () => testDb.pool.db;
  const now = () => new Date();
  let chain: TronChain;
  let proxy: TronProxy;

  beforeEach(async () => {
    await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors");
    chain = await startTronChain(5);
    proxy = await startTronProxy(chain.node.url);
    await chain.mine(8);
  });
  afterEach(async () => {
    await proxy.stop();
    await chain.stop();
  });

  test("a payment in a solid block waits for its merchant's number", async () => {
    const source = createTronSource(network, { urls: [proxy.jsonRpcUrl], now });
    const scanner = { owner: "one", publicUrl: "https://pay.example.com", memory: newScanMemory(), log: ctx.log };
    const round = async () => {
      const scan = async () => {
        await leaseNetwork(db(), network.id, "one");
        return scanNetwork(db(), source, network, scanner, now());
      };
      let step = await scan();
      while (!step.isCaughtUp) step = await scan();
      await matchTransfers(db(), ctx, network.id, now());
      await confirmTransfers(db(), ctx, source, network, step.head, now());
    };
    const { id: merchantId } = await seedMerchant(db(), now());
    const address = await seedAddress(db(), { merchantId, network: network.id }, now());
    await writeMerchantWait(db(), { merchantId, network: network.id, minConfirmations: 14, minSeconds: null }, now());
    await round();
    const order = await seedOrder(db(), { address, baseUnits: price }, now());
    await chain.pay(address.address, price);
    const paid = await untilPaid(db(), order.id, async () => {
      await chain.mine(1);
      await round();
    });
    expect(paid).toMatchObject(waitedFor(14));
  });
});

describe.each([
  ["by histories", BY_ACCOUNTS],
  ["by whole blocks", BY_SLOTS],
])("on Solana, read %s", (_way, maxAccounts) => {
  const world = useSolanaChain();
  const { state, db, network, settle } = useSolanaLedger(world, maxAccounts);

  test("a payment in a finalized block waits for its merchant's number", async () => {
    const { merchantId } = state.shop;
    await writeMerchantWait(
      db(),
      { merchantId, network: network.id, minConfirmations: 45, minSeconds: null },
      new Date(),
    );
    await settle();
    const order = await seedOrder(db(), { address: state.shop, baseUnits: price }, new Date());
    await world.chain.pay([{ to: ownerNamed("shop").publicKey, currency: "USDT", baseUnits: price }]);
    const paid = await untilPaid(db(), order.id, async () => {
      await world.chain.advance(1);
      await settle();
    });
    expect(paid).toMatchObject(waitedFor(45));
  });
});
