import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isNull } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { listNearOrders } from "@/db/queries/orders/likely-orders";
import { transfers } from "@/db/schema";
import { createEvmSource } from "@/lib/chains/evm/source";
import { readNetworks } from "@/lib/config/env";
import { displayAddress } from "@/lib/domain/addresses/address";
import { getNetwork, getToken, installNetworks, NETWORKS, type Network } from "@/lib/domain/networks";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";
import { useTestApi } from "@/testing/web";
import { createNetworkWatcher } from "@/workers/watch-network";

const NEW_USDT = "0x2222222222222222222222222222222222222222";
const OLD_USDT = getToken(getNetwork("ethereum"), "USDT").contract;
const RECEIVER = `0x${"ab".repeat(20)}`;
const PATIENCE = { timeout: 40_000, interval: 50 };
const log = pino({ level: "silent" });
const api = useTestApi();
const workers = useWorkers();
let folder: string;
let chain: TestChain;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-networks-"));
  await seedAddress(api.pool.db, { merchantId: api.merchant.id, address: RECEIVER }, new Date());
  chain = await startTestChain(await changed({ ethereum: { tokens: { USDT: { contract: NEW_USDT } } } }));
  await chain.mine(20);
});
afterEach(() => installNetworks(NETWORKS));
afterAll(async () => {
  await chain.stop();
  await rm(folder, { recursive: true });
});

/** Returns Ethereum's network row after a start with this file. */
async function changed(content: object): Promise<Network> {
  installNetworks(readNetworks(await settings(content)).networks);
  return getNetwork("ethereum");
}

async function settings(content: object): Promise<Record<string, string>> {
  const file = path.join(folder, "networks.json");
  await writeFile(file, JSON.stringify(content));
  return { NETWORKS_FILE: file, NETWORKS_FILE_MAY_REPLACE_TOKENS: "1" };
}

const create = (id: string, more: object = {}) =>
  api.post("/order/add", { currency: "USDT", network: "ethereum", amount: 12.5, mch_order_id: id, ...more });
const page = async (tradeId: unknown) => (await fetch(`${api.origin}/pay/${tradeId}`)).text();
const detail = async (tradeId: unknown) => (await api.post("/order/detail", { trade_id: tradeId })).body.data;

/** Runs a worker's rounds after a payment until it has enough confirmations. */
async function watchPayment(contract: string, baseUnits: bigint): Promise<void> {
  const network = getNetwork("ethereum");
  const { db } = api.pool;
  const now = () => new Date();
  const reader = createNetworkReader(
    db,
    network,
    { urls: [chain.node.url], now },
    { owner: "one", publicUrl: "https://pay.example.com", log },
  );
  const ctx = { publicUrl: "https://pay.example.com", log };
  const watcher = createNetworkWatcher({ db, ctx, reader, network, owner: "one", now, endpoints: () => [] });
  await watcher.keepLease();
  await watcher.watch();
  await chain.pay(contract, RECEIVER, baseUnits);
  for (let blocks = 0; blocks < 14; blocks++) {
    await chain.mine();
    await watcher.watch();
  }
}

test("an explorer of the operator's own is linked by payment page and API; another instance of the code knows it too", async () => {
  const { body } = await create("explorer-1");
  const tradeId = body.data?.["trade_id"];
  expect(await page(tradeId)).toContain("https://etherscan.io/token/");
  await changed({
    ethereum: { explorer: { name: "Own", token: "https://own.example/t/{}", tx: "https://own.example/x/{}" } },
  });
  expect(await page(tradeId)).toContain(`https://own.example/t/${OLD_USDT}`);
  vi.resetModules();
  const other = await import("@/lib/domain/networks");
  expect(other.getNetwork).not.toBe(getNetwork);
  expect(other.getNetwork("ethereum").explorer.name).toBe("Own");
});

test("400: a disabled token takes no new orders; a repeated request returns its order, which continues to its callback", async () => {
  const { body: first } = await create("off-1", { amount: 31 });
  const tradeId = first.data?.["trade_id"];
  await changed({ ethereum: { tokens: { USDT: false } } });

  const refused = await create("off-2", { amount: 31 });
  const message = "currency USDT is disabled on Ethereum";
  expect([refused.status, refused.body.code]).toEqual([400, 10001]);
  expect(refused.body.errors).toEqual([{ field: "currency", message }]);
  expect((await create("off-3", { currency: "USDC" })).status).toBe(200);

  const again = await create("off-1", { amount: 31 });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(again.body.data).toEqual(first.data);
  expect((await create("off-1", { amount: 32 })).body.code).toBe(10004);

  expect(await page(tradeId)).toContain(OLD_USDT);
  await watchPayment(OLD_USDT, 31_000_000n);
  expect(await detail(tradeId)).toMatchObject({ status: "paid", paid_amount: 31, transfers: [{ amount: 31 }] });
});

test("400: a network whose tokens are all switched off is no choice any more", async () => {
  await changed({ ethereum: { tokens: { USDT: false, USDC: false } } });
  expect((await create("none-1")).body.errors).toEqual([
    { field: "currency", message: "currency USDT is disabled on Ethereum" },
  ]);
  const { errors } = (await create("none-2", { network: "dogecoin" })).body;
  expect(errors?.[0]?.message).toBe('network "dogecoin" is unknown; it must be one of bsc');
});

test("where a contract was replaced, orders of before still ask for the old one and are paid in it, new ones in the new one", async () => {
  const { body: before } = await create("moved-1", { amount: 41 });
  await changed({ ethereum: { tokens: { USDT: { contract: NEW_USDT } } } });
  const { body: after } = await create("moved-2", { amount: 42 });
  const old = before.data?.["trade_id"];
  const young = after.data?.["trade_id"];
  expect(await page(old)).toContain(OLD_USDT);
  expect(await page(young)).toContain(NEW_USDT);
  expect(await page(young)).not.toContain(OLD_USDT);

  await watchPayment(OLD_USDT, 42_000_000n);
  expect(await detail(young)).toMatchObject({ status: "pending", transfers: [] });
  const [unmatched] = await api.pool.db.select().from(transfers).where(isNull(transfers.orderId));
  const near = await listNearOrders(api.pool.db, api.merchant.id, unmatched ? [unmatched] : []);
  expect(near.filter(({ id }) => id === young || id === old)).toHaveLength(2);
  await watchPayment(OLD_USDT, 41_000_000n);
  await watchPayment(NEW_USDT, 42_000_000n);
  expect(await detail(old)).toMatchObject({ status: "paid" });
  expect(await detail(young)).toMatchObject({ status: "paid", paid_amount: 42 });
});

test("a worker compares a contract that was put in with the chain; one that is switched off holds up nothing", async () => {
  const problem = (network: Network) =>
    createEvmSource(network, { urls: [chain.node.url], now: () => new Date() }).problem();
  const nowhere = `0x${"33".repeat(20)}`;
  const invalid = await changed({ ethereum: { tokens: { USDT: { contract: nowhere } } } });
  expect(await problem(invalid)).toContain(
    `USDT on Ethereum (${displayAddress("evm", nowhere)}): the chain has no contract`,
  );
  expect(
    await problem({ ...invalid, tokens: invalid.tokens.map((token) => ({ ...token, isOff: true as const })) }),
  ).toBeNull();
  const decimals = await changed({ ethereum: { tokens: { USDC: { decimals: 18 } } } });
  expect(await problem(decimals)).toContain("the chain returns 6 decimals, but the networks table has 18");
});

test("a worker logs changed networks at start; a file with an error stops the start with a message", async () => {
  const content = { ethereum: { blockMs: 24_000, tokens: { USDT: { contract: NEW_USDT } } } };
  const env = { DATABASE_URL: api.url, ETHEREUM_RPC_URLS: chain.node.url };
  const worker = workers.start({ ...env, ...(await settings(content)) });
  await vi.waitUntil(() => worker.output().includes("the worker is running"), PATIENCE);
  const lines = worker
    .output()
    .split("\n")
    .filter((line) => line.includes("NETWORKS_FILE changes"));
  expect(lines.map((line) => [JSON.parse(line).level, JSON.parse(line).msg])).toEqual([
    [30, "NETWORKS_FILE changes ethereum: a block every 24000 ms initially, instead of 12000 ms"],
    [40, expect.stringContaining(`NETWORKS_FILE changes ethereum: USDT is ${NEW_USDT}`)],
  ]);
  const mistakes = await settings({ ethereum: { blokMs: 1 }, bas: {} });
  const mistaken = workers.start({ ...env, ...mistakes, LOG_FORMAT: "pretty" });
  await vi.waitUntil(() => !isRunning(mistaken.pid), PATIENCE);
  expect(mistaken.output()).toContain("The configuration has 2 problems");
  expect(mistaken.output()).toContain('did you mean "blockMs"?');
  expect(await mistaken.end("SIGTERM")).toBe(1);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
