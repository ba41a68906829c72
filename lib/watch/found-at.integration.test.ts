import pino from "pino";
import { expect, test } from "vitest";
import { transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createNetworkReader, leaseNetwork } from "@/lib/watch/network-reader";
import { startRpcProxy, startTestChain } from "@/testing/chains/evm";
import { ownerNamed, startTestSolana } from "@/testing/chains/solana";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const OWNER = "one";
/** The time for which the process is suspended, or the node delays its response. */
const PAUSE_MS = 8_000;

async function openEvm() {
  const network = getNetwork("ethereum");
  const chain = await startTestChain(network);
  await chain.mine(5);
  const pay = async (to: string) => {
    await chain.pay(getToken(network, "USDT").contract, to, 5n);
    await chain.mine(2);
  };
  return { network, url: chain.node.url, asks: "eth_getLogs", to: undefined, pay, stop: () => chain.stop() };
}

async function openSolana() {
  const chain = await startTestSolana();
  await chain.advance(40);
  const shop = ownerNamed("shop").publicKey;
  const pay = async () => {
    await chain.pay([{ to: shop, currency: "USDC", baseUnits: 5n }]);
    await chain.advance(3);
  };
  const ends = { to: shop.toBase58(), pay, stop: () => chain.stop() };
  return { network: getNetwork("solana"), url: chain.node.url, asks: "getSignaturesForAddress", ...ends };
}

test.each([
  { name: "ethereum", open: openEvm },
  { name: "solana", open: openSolana },
])(
  "on $name, a payment that is made while a reading is held is seen when it is read, not when the reading started",
  async ({ open }) => {
    const { db } = testDb.pool;
    await empty(db, "merchants", "transfers", "blocks", "cursors", "account_cursors");
    const { network, url, asks, to, pay, stop } = await open();
    const proxy = await startRpcProxy(url);
    let clock = Date.now();
    const now = () => new Date(clock);
    const { id: merchantId } = await seedMerchant(db, now());
    const shop = { merchantId, network: network.id, ...(to ? { address: to } : {}) };
    const { address } = await seedAddress(db, shop, now());
    const context = { owner: OWNER, publicUrl: "https://pay.example.com", log };
    const reader = createNetworkReader(db, network, { urls: [proxy.url], now }, context);
    const read = async () => {
      await leaseNetwork(db, network.id, OWNER);
      for (let steps = 0; steps < 20; steps++) if ((await reader.step(now())).isCaughtUp) return;
    };
    await read();
    clock += 1_000;
    await pay(address);
    const began = clock;
    let isPaused = false;
    proxy.fault = async ({ method }, _response, pass) => {
      if (method === asks && !isPaused) {
        isPaused = true;
        clock += PAUSE_MS;
      }
      return pass();
    };
    await read();
    const [seen] = await db.select().from(transfers);
    expect(isPaused).toBe(true);
    expect(seen?.seenAt.getTime()).toBe(began + PAUSE_MS);
    await Promise.all([proxy.stop(), stop()]);
  },
);
