import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { HANDLED, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { ownerNamed, startTestSolana, type TestSolana } from "@/testing/chains/solana";
import { useTestDb } from "@/testing/database/clone";
import { empty, WATCHED } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 40_000, interval: 50 };
const shop = ownerNamed("shop").publicKey;
const db = () => testDb.pool.db;

let chain: TestSolana;
let proxy: RpcProxy;
let merchantId: string;

beforeEach(async () => {
  await empty(db(), ...WATCHED);
  chain = await startTestSolana();
  await chain.advance(40);
  proxy = await startRpcProxy(chain.node.url);
  merchantId = (await seedMerchant(db(), new Date())).id;
});
afterEach(async () => {
  await proxy.stop();
  await chain.stop();
});

const start = () =>
  workers.start({ DATABASE_URL: testDb.url, SOLANA_RPC_URLS: proxy.url, CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" });
const cursorOf = async () => (await db().select().from(cursors).where(eq(cursors.network, "solana")))[0];
const statusOf = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status;
const reaches = (id: string, status: string) => vi.waitUntil(async () => (await statusOf(id)) === status, PATIENCE);
const isRead = (slot: number) => vi.waitUntil(async () => ((await cursorOf())?.height ?? -1) >= slot, PATIENCE);

async function order(baseUnits: bigint, expiresInSeconds = 1_800) {
  const address = await seedAddress(db(), { merchantId, network: "solana", address: shop.toBase58() }, new Date());
  const notifyUrl = "http://127.0.0.1:9/callback";
  return seedOrder(db(), { address, baseUnits, expiresInSeconds, notifyUrl }, new Date());
}

describe("a payment on Solana", () => {
  test("is detected, becomes final with its slot, and enqueues one callback", async () => {
    start();
    const { id } = await order(1_000_000n);
    await chain.pay([{ to: shop, currency: "USDT", baseUnits: 1_000_000n }]);
    await chain.advance();
    await reaches(id, "confirming");
    await chain.advance(32);
    await reaches(id, "paid");
    expect(await db().select().from(callbacks)).toMatchObject([{ orderId: id }]);
    expect(await db().select().from(transfers)).toMatchObject([{ status: "confirmed", confirmations: 33 }]);
  });

  test("that came while no worker ran is credited, through a kill -9 in the middle too", async () => {
    const first = start();
    await isRead(40);
    const { id } = await order(1_000_000n);
    await first.end("SIGKILL");
    await chain.advance(20_000);
    await chain.pay([{ to: shop, currency: "USDT", baseUnits: 1_000_000n }]);
    await chain.advance();
    const second = start();
    await reaches(id, "confirming");
    await second.end("SIGKILL");
    await chain.advance(32);
    start();
    await reaches(id, "paid");
    expect(await db().select().from(callbacks)).toHaveLength(1);
    expect(await db().select().from(transfers)).toHaveLength(1);
  });

  test("that never comes lets the order expire, once the chain is read past its time", async () => {
    start();
    const { id, expiresAt } = await order(1_000_000n, 3);
    await vi.waitUntil(async () => {
      await chain.advance();
      return (await statusOf(id)) === "expired";
    }, PATIENCE);
    expect((await cursorOf())?.blockTime?.getTime()).toBeGreaterThanOrEqual(
      Math.floor(expiresAt.getTime() / 1_000) * 1_000,
    );
  });
});

test("a cluster other than mainnet is never read, and the message names it", async () => {
  proxy.fault = async ({ method }, _response, pass) =>
    method === "getGenesisHash" ? "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG" : pass();
  start();
  await vi.waitUntil(async () => (await cursorOf())?.problem, PATIENCE);
  expect(await cursorOf()).toMatchObject({
    problem: expect.stringMatching(/Solana has chain id 5eykt4.*EtWTRAB/),
    height: null,
  });
});

test("a mint with other decimals, or none at all, switches the network off until it is right", async () => {
  proxy.fault = async ({ method, params }, response, pass) => {
    if (method !== "getTokenSupply") return pass();
    if (String(params[0]).startsWith("EPj")) return { context: { slot: 1 }, value: { amount: "0", decimals: 9 } };
    const error = { code: -32602, message: "Invalid param: could not find account" };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
    return HANDLED;
  };
  start();
  await vi.waitUntil(async () => (await cursorOf())?.problem, PATIENCE);
  expect(await cursorOf()).toMatchObject({
    problem: expect.stringMatching(
      /USDT on Solana.*no contract.*USDC on Solana.*9 decimals, but the networks table has 6/,
    ),
    height: null,
  });
  proxy.fault = undefined;
  await isRead(40);
});
