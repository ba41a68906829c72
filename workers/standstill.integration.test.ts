import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { cursors, orders } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";
import { expireOrders } from "@/lib/orders/expire-orders";
import { createNetworkReader } from "@/lib/watch/network-reader";
import { type Fault, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed, startTestSolana, type TestSolana } from "@/testing/chains/solana";
import { useTestDb } from "@/testing/database/clone";
import { empty, WATCHED } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, TEST_APP_SECRET } from "@/testing/database/seed";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

const testDb = useTestDb();
const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log, isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
const network = getNetwork("solana");
const usdc = getToken(network, "USDC");
const shop = ownerNamed("shop").publicKey;
const db = () => testDb.pool.db;

let chain: TestSolana;
let proxies: RpcProxy[];
let watcher: NetworkWatcher;
let merchant: Awaited<ReturnType<typeof seedMerchant>>;
let address: Awaited<ReturnType<typeof seedAddress>>;
let endpointErrors: unknown[];
let aheadMs = 0;
/** The slots from which block times are shifted: the node's own clock cannot be changed. */
let shifts: { slot: number; seconds: number }[] = [];
const now = () => new Date(Date.now() + aheadMs);

beforeEach(async () => {
  await empty(db(), ...WATCHED);
  [aheadMs, endpointErrors, shifts] = [0, [], []];
  chain = await startTestSolana();
  await chain.advance(40);
  proxies = await Promise.all([0, 1].map(() => startRpcProxy(chain.node.url, shiftTimes)));
  merchant = await seedMerchant(db(), now());
  address = await seedAddress(db(), { merchantId: merchant.id, network: "solana", address: shop.toBase58() }, now());
  const onEndpointError = (endpointError: unknown) => endpointErrors.push(endpointError);
  const options = { urls: proxies.map(({ url }) => url), now, onEndpointError };
  const reader = createNetworkReader(db(), network, options, {
    owner: "one",
    publicUrl: "https://pay.example.com",
    log,
  });
  watcher = createNetworkWatcher({ db: db(), ctx, reader, network, owner: "one", now, endpoints: () => [] });
  await work();
  return async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await chain.stop();
  };
});

/** Runs a worker's rounds and its tick until everything is read. */
async function work(): Promise<void> {
  await watcher.keepLease();
  while ((await watcher.watch()) === 0);
  await watcher.verify();
  await expireOrders(db(), ctx, now());
}

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    aheadMs += 60_000;
    await work();
  }
}

const shiftTimes: Fault = async ({ method, params }, _response, pass) => {
  const answer = await pass();
  if (method !== "getBlock" || typeof answer !== "object" || answer === null || !("blockTime" in answer)) return answer;
  const shift = shifts.findLast(({ slot }) => slot <= Number(params[0]));
  return { ...answer, blockTime: Number(answer.blockTime) + (shift?.seconds ?? 0) };
};

/** Advances about a minute of slots, and aligns the chain's time with the clock again. */
async function goOn(): Promise<void> {
  shifts.push({ slot: (await chain.slot()) + 1, seconds: Math.floor(aheadMs / 1_000) });
  await chain.advance(250);
  await work();
}

const problem = async () => (await db().select().from(cursors).where(eq(cursors.network, "solana")))[0]?.problem;
const statusOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;
const order = () => {
  const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
  const rest = { expiresInSeconds: null, notifyUrl: null, redirectUrl: null, locale: null };
  const terms = { mchOrderId: newId(now()), network, token: usdc, amountUnits: 5_000_000n, ...rest };
  return createOrder(db(), ctx, caller, terms, now());
};
const pay = (baseUnits: bigint) => chain.pay([{ to: shop, currency: "USDC", baseUnits }]);

test("a halted chain takes no new orders and keeps the old ones open without blaming an endpoint; then it resumes", async () => {
  const short = await seedOrder(db(), { address, currency: "USDC", baseUnits: 7n, expiresInSeconds: 600 }, now());
  const other = await seedOrder(db(), { address, currency: "USDC", baseUnits: 8n, expiresInSeconds: 600 }, now());
  await goOn();
  await pay(7n);
  await chain.advance(3);
  await work();
  await chain.node.call("solana_hold", ["head"]);
  await pass(2);
  expect(await problem()).toBeNull();
  await pass(13);
  expect(await problem()).toMatch(/^Solana has halted: all its endpoints return the same newest block/);
  await expect(order()).rejects.toMatchObject({ code: 10006, message: expect.stringContaining("has halted") });
  expect(await statusOf(short.id)).toBe("confirming");
  expect(await statusOf(other.id)).toBe("pending");
  expect(endpointErrors).toEqual([]);
  await chain.node.call("solana_hold", [null]);
  await chain.advance(60);
  await goOn();
  await work();
  expect(await problem()).toBeNull();
  expect((await order()).order.status).toBe("pending");
  expect(await statusOf(short.id)).toBe("paid");
  expect(await statusOf(other.id)).toBe("expired");
});

test("a chain without finality takes no new orders; payments are detected, and credited when it resumes", async () => {
  const { id } = await seedOrder(db(), { address, currency: "USDC", baseUnits: 7n, expiresInSeconds: 6_000 }, now());
  await goOn();
  await chain.node.call("solana_hold", ["finalized"]);
  await pay(7n);
  for (let minute = 0; minute < 5; minute++) {
    aheadMs += 60_000;
    await goOn();
  }
  expect(await problem()).toMatch(
    /^No block of Solana has become final since .* Payments are detected but not confirmed/,
  );
  expect(await statusOf(id)).toBe("confirming");
  await expect(order()).rejects.toMatchObject({ code: 10006 });
  expect(endpointErrors).toEqual([]);
  await chain.node.call("solana_switchToAlpenglow", []);
  await chain.node.call("solana_hold", [null]);
  await chain.advance(2);
  await work();
  await work();
  expect(await statusOf(id)).toBe("paid");
  expect(await problem()).toBeNull();
  expect((await order()).order.status).toBe("pending");
});
