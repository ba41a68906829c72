import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cursors, lookups, orders, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type RpcProxy, startRpcProxy, startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const db = () => testDb.pool.db;
const PATIENCE = { timeout: 60_000, interval: 50 };
const RECEIPT = "eth_getTransactionReceipt";
const NETWORKS = ["ethereum", "bsc"] as const;
type Position = (typeof NETWORKS)[number];

let chains: Record<Position, TestChain>;
let entries: Record<Position, RpcProxy>;

beforeEach(async () => {
  const ethereum = await startTestChain(getNetwork("ethereum"));
  const bsc = await startTestChain(getNetwork("bsc"));
  chains = { ethereum, bsc };
  entries = { ethereum: await startRpcProxy(ethereum.node.url), bsc: await startRpcProxy(bsc.node.url) };
});
afterEach(async () => {
  for (const id of NETWORKS) await Promise.all([entries[id].stop(), chains[id].stop()]);
});

const start = () =>
  workers.start({
    DATABASE_URL: testDb.url,
    LOG_LEVEL: "info",
    ETHEREUM_RPC_URLS: entries.ethereum.url,
    BSC_RPC_URLS: entries.bsc.url,
  });

/**
 * Withholds all receipts and responds to all other calls, like a node that is overloaded by searches.
 * @returns a function that returns the number of waiting calls
 */
function holdReceipts(entry: RpcProxy): () => number {
  let waiting = 0;
  entry.fault = async ({ method }, _response, pass) => {
    if (method !== RECEIPT) return pass();
    waiting += 1;
    return new Promise(() => {});
  };
  return () => waiting;
}

async function isRead(): Promise<boolean> {
  const rows = await db().select().from(cursors);
  return NETWORKS.every((id) => rows.some(({ network, caughtUpAt }) => network === id && caughtUpAt !== null));
}

/** Inserts a lookup request into the table without a notification. @returns its order */
async function ask(merchantId: string, network: Position): Promise<string> {
  const address = await seedAddress(db(), { merchantId, network }, new Date());
  const { id: orderId } = await seedOrder(db(), { address, baseUnits: 10n ** 18n }, new Date());
  const usdt = getToken(getNetwork(network), "USDT").contract;
  const txId = await chains[network].pay(usdt, `0x${"cd".repeat(20)}`, 5n);
  await chains[network].mine();
  await db().insert(lookups).values({ merchantId, orderId, network, txId, askedAt: new Date() });
  return orderId;
}

const answerTo = async (orderId: string) =>
  (await db().select().from(lookups).where(eq(lookups.orderId, orderId)))[0]?.answer ?? null;

test("lookups are answered without a notification, while another network's node hangs, and after a crash during a lookup", async () => {
  const merchantId = (await seedMerchant(db(), new Date())).id;
  const first = start();
  await vi.waitUntil(isRead, PATIENCE);
  const stuck = holdReceipts(entries.bsc);
  const onBsc = await ask(merchantId, "bsc");
  await vi.waitUntil(() => stuck() > 0, PATIENCE);
  const onEthereum = await ask(merchantId, "ethereum");
  await vi.waitUntil(() => answerTo(onEthereum), PATIENCE);
  expect(await answerTo(onEthereum)).toEqual({ kind: "nothing" });
  expect(stuck()).toBeGreaterThan(0);

  const held = holdReceipts(entries.ethereum);
  const again = await ask(merchantId, "ethereum");
  await vi.waitUntil(() => held() > 0, PATIENCE);
  await first.end("SIGKILL");
  expect(await answerTo(again)).toBeNull();
  entries.ethereum.fault = undefined;
  // Ends the lease of the dead worker early, as if it had expired.
  await db().update(cursors).set({ leaseOwner: null, leaseUntil: null });
  start();
  await vi.waitUntil(() => answerTo(again), PATIENCE);
  expect(await answerTo(again)).toEqual({ kind: "nothing" });
  expect(await answerTo(onBsc)).not.toEqual({ kind: "absent" });
  expect(await db().select().from(transfers)).toEqual([]);
  expect((await db().select().from(orders)).map(({ status }) => status)).toEqual(["pending", "pending", "pending"]);
});
