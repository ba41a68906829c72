import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { FAKE_TOKEN } from "@/sandbox/token/install";
import { HANDLED, type RpcProxy, startRpcProxy, startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 40_000, interval: 50 };
const ethereum = getNetwork("ethereum");
const bsc = getNetwork("bsc");
const usdt = getToken(ethereum, "USDT").contract;
const bscUsdt = getToken(bsc, "USDT").contract;
const db = () => testDb.pool.db;

let chain: TestChain;
let bscChain: TestChain;
let merchantId: string;
const proxies: RpcProxy[] = [];

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
  [chain, bscChain] = await Promise.all([startTestChain(ethereum), startTestChain(bsc)]);
  await Promise.all([chain.mine(5), bscChain.mine(5)]);
  merchantId = (await seedMerchant(db(), new Date())).id;
});
afterEach(async () => {
  await Promise.all([chain.stop(), bscChain.stop(), ...proxies.splice(0).map((proxy) => proxy.stop())]);
});

const start = (env: Record<string, string> = {}) =>
  workers.start({
    DATABASE_URL: testDb.url,
    ETHEREUM_RPC_URLS: chain.node.url,
    BSC_RPC_URLS: bscChain.node.url,
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    ...env,
  });

async function order(baseUnits: bigint, network = "ethereum") {
  const address = await seedAddress(db(), { merchantId, network }, new Date());
  return seedOrder(db(), { address, baseUnits, notifyUrl: "http://127.0.0.1:9/callback" }, new Date());
}

const statusOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;
const reaches = (id: string, status: string) => vi.waitUntil(async () => (await statusOf(id)) === status, PATIENCE);
const cursorOf = async (network: string) => (await db().select().from(cursors).where(eq(cursors.network, network)))[0];
const isRead = (network: string, height: number) =>
  vi.waitUntil(async () => ((await cursorOf(network))?.height ?? -1) >= height, PATIENCE);

describe("a payment", () => {
  test("is detected, becomes final with its twelfth block, and enqueues one callback", async () => {
    start();
    const { id, address } = await order(1_000_000n);
    await chain.pay(usdt, address.address, 1_000_000n);
    await chain.mine();
    await reaches(id, "confirming");
    await chain.mine(10);
    await isRead("ethereum", 16);
    expect(await statusOf(id)).toBe("confirming");
    await chain.mine();
    await reaches(id, "paid");
    expect(await db().select().from(callbacks)).toMatchObject([{ orderId: id }]);
    expect(await db().select().from(transfers)).toMatchObject([{ status: "confirmed", confirmations: 12 }]);
  });

  test("with 18 decimals on bsc counts to the last digit, from the right contract only", async () => {
    start();
    const exact = 12_340_100_000_000_000_000n;
    const { id, address } = await order(exact, "bsc");
    await bscChain.pay(FAKE_TOKEN, address.address, exact);
    await bscChain.pay(bscUsdt, address.address, exact - 1n);
    await bscChain.mine(20);
    await vi.waitUntil(async () => (await db().select().from(transfers)).some(({ matchedAt }) => matchedAt), PATIENCE);
    expect(await statusOf(id)).toBe("pending");
    await bscChain.pay(bscUsdt, address.address, exact);
    await bscChain.mine(20);
    await reaches(id, "paid");
    const ledger = await db().select().from(transfers).orderBy(transfers.blockHeight);
    expect(ledger).toMatchObject([
      { baseUnits: exact - 1n, orderId: null, unmatchedReason: "no_such_amount" },
      { baseUnits: exact, orderId: id },
    ]);
  });

  test("that a reorg takes back leaves the order waiting, and is paid once when it is included again", async () => {
    start();
    const { id, address } = await order(1_000_000n);
    const txId = await chain.pay(usdt, address.address, 1_000_000n);
    await chain.mine(2);
    await reaches(id, "confirming");
    const raw = await chain.node.call("eth_getRawTransactionByHash", [txId]);
    await chain.node.call("anvil_reorg", [3, []]);
    await chain.mine();
    await reaches(id, "pending");
    await chain.node.call("eth_sendRawTransaction", [raw]);
    await chain.mine(13);
    await reaches(id, "paid");
    expect(await db().select().from(callbacks)).toHaveLength(1);
    expect(await db().select().from(transfers)).toMatchObject([{ txId, status: "confirmed" }]);
  });
});

describe("a worker that ends", () => {
  test("by kill -9 between transfer and confirmation: the order is paid once, with one event", async () => {
    const first = start();
    const { id, address } = await order(1_000_000n);
    await chain.pay(usdt, address.address, 1_000_000n);
    await chain.mine();
    await reaches(id, "confirming");
    await first.end("SIGKILL");
    await chain.mine(15);
    start();
    await reaches(id, "paid");
    expect(await db().select().from(callbacks)).toHaveLength(1);
    expect(await db().select().from(transfers)).toHaveLength(1);
  });

  test("and starts again 300 blocks later credits what was paid meanwhile", async () => {
    const first = start();
    await isRead("ethereum", 5);
    const { id, address } = await order(1_000_000n);
    expect(await first.end("SIGTERM")).toBe(0);
    await chain.mine(100);
    await chain.pay(usdt, address.address, 1_000_000n);
    await chain.mine(200);
    start();
    await reaches(id, "paid");
  });

  test("by SIGTERM gives its networks back at once", async () => {
    const worker = start();
    await isRead("ethereum", 5);
    await isRead("bsc", 3);
    expect(await worker.end("SIGTERM")).toBe(0);
    expect(await cursorOf("ethereum")).toMatchObject({ leaseOwner: null });
    expect(await cursorOf("bsc")).toMatchObject({ leaseOwner: null });
  });

  test("by kill -9 is replaced by a second worker that waited", async () => {
    const first = start();
    await isRead("ethereum", 5);
    const owner = (await cursorOf("ethereum"))?.leaseOwner;
    const second = start();
    await vi.waitUntil(() => second.output().includes("the worker is running"), PATIENCE);
    expect((await cursorOf("ethereum"))?.leaseOwner).toBe(owner);
    await first.end("SIGKILL");
    await vi.waitUntil(async () => (await cursorOf("ethereum"))?.leaseOwner !== owner, PATIENCE);
    const { id, address } = await order(1_000_000n);
    await chain.pay(usdt, address.address, 1_000_000n);
    await chain.mine(12);
    await reaches(id, "paid");
  });
});

describe("endpoint errors", () => {
  test("with the database, all connections cut, is survived", async () => {
    const worker = start();
    await isRead("ethereum", 5);
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'stablegate-worker%'`;
    await db().execute(cut);
    const { id, address } = await order(1_000_000n);
    await chain.pay(usdt, address.address, 1_000_000n);
    await chain.mine(12);
    await reaches(id, "paid");
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("with a database that is not there does not end it, nor keep it from stopping", async () => {
    const worker = start({ DATABASE_URL: "postgres://unknown:nothing@127.0.0.1:9/nowhere" });
    await vi.waitUntil(() => worker.output().includes("the database is unavailable; retrying every second"), PATIENCE);
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("on one network, whose endpoint hangs, does not delay another", async () => {
    const hanging = await startRpcProxy(chain.node.url, () => new Promise(() => {}));
    proxies.push(hanging);
    const worker = start({ ETHEREUM_RPC_URLS: hanging.url });
    const { id, address } = await order(10n ** 18n, "bsc");
    await bscChain.pay(bscUsdt, address.address, 10n ** 18n);
    await bscChain.mine(20);
    await reaches(id, "paid");
    expect((await cursorOf("ethereum"))?.height ?? null).toBeNull();
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("in the table: a network whose token has other decimals is switched off, with the reason, and heals by itself", async () => {
    const invalid = await startRpcProxy(chain.node.url, async ({ method }, response, pass) => {
      if (method !== "eth_call") return pass();
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x${"12".padStart(64, "0")}` }));
      return HANDLED;
    });
    proxies.push(invalid);
    start({ ETHEREUM_RPC_URLS: invalid.url });
    await vi.waitUntil(async () => (await cursorOf("ethereum"))?.problem, PATIENCE);
    expect(await cursorOf("ethereum")).toMatchObject({
      problem: expect.stringMatching(/the chain returns 18 decimals, but the networks table has 6/),
      height: null,
    });
    invalid.fault = undefined;
    await vi.waitUntil(async () => (await cursorOf("ethereum"))?.problem === null, PATIENCE);
    await isRead("ethereum", 5);
  });
});
