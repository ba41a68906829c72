import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callbacks, orders, transfers } from "@/db/schema";
import { displayAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { openTronWallet } from "@/sandbox/wallets/tron-wallet";
import { startTronChain, startTronProxy, type TronChain, type TronProxy } from "@/testing/chains/tron";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 40_000, interval: 50 };
const contract = getToken(getNetwork("tron"), "USDT").contract;
const KEY = "a-key-that-stays-secret";
const db = () => testDb.pool.db;

let chain: TronChain;
let proxy: TronProxy;
let merchantId: string;

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
  chain = await startTronChain();
  proxy = await startTronProxy(chain.node.url);
  await chain.mine(8);
  merchantId = (await seedMerchant(db(), new Date())).id;
});
afterEach(async () => {
  await proxy.stop();
  await chain.stop();
});

const start = (urls: string, env: Record<string, string> = {}) =>
  workers.start({ DATABASE_URL: testDb.url, TRON_RPC_URLS: urls, CALLBACK_ALLOW_CIDRS: "127.0.0.0/8", ...env });

async function order(baseUnits: bigint) {
  const address = await seedAddress(db(), { merchantId, network: "tron" }, new Date());
  return seedOrder(db(), { address, baseUnits, notifyUrl: "http://127.0.0.1:9/callback" }, new Date());
}

const statusOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;
const reaches = (id: string, status: string) => vi.waitUntil(async () => (await statusOf(id)) === status, PATIENCE);

test.each(["json-rpc", "http", "both, as the quorum demands"])(
  "an order on TRON, read by %s, is paid by what tronweb sends once its block is solid",
  async (kinds) => {
    const both = `${proxy.jsonRpcUrl},${proxy.url}`;
    const urls = { "json-rpc": proxy.jsonRpcUrl, http: proxy.url }[kinds] ?? both;
    const headers = { TRON_RPC_HEADERS: JSON.stringify({ "TRON-PRO-API-KEY": KEY }) };
    const keys = new Set<unknown>();
    proxy.fault = (call, pass) => {
      keys.add(call.headers["tron-pro-api-key"]);
      return pass();
    };
    const worker = start(urls, urls === both ? { ...headers, TRON_QUORUM: "2" } : headers);
    const { id, address } = await order(1_000_000n);
    const to = displayAddress("tron", address.address);
    const txId = await openTronWallet(chain.node.url).transfer({ contract, to, baseUnits: 1_000_000n });
    await chain.mine(2);
    await reaches(id, "confirming");
    await chain.mine(5);
    await reaches(id, "paid");
    expect(await db().select().from(transfers)).toMatchObject([
      { txId: `0x${txId}`, status: "confirmed", toAddress: address.address, baseUnits: 1_000_000n },
    ]);
    expect(await db().select().from(callbacks)).toMatchObject([{ orderId: id }]);
    expect([...keys]).toEqual([KEY]);
    expect(worker.output()).not.toContain(KEY);
  },
);
