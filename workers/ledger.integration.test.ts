import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";
import { openWallet } from "@/sandbox/wallets/wallet";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 40_000, interval: 50 };
const FINAL = 20;
const ctx = { log: createLog("test", "fatal"), isVerifiedAddress: addressVerifier(TEST_APP_SECRET) };
const db = () => testDb.pool.db;

describe.each(["ethereum", "bsc"])("on %s", (id) => {
  const network = getNetwork(id);
  const token = getToken(network, "USDT");
  const one = 10n ** BigInt(token.decimals);
  let chain: TestChain;
  let merchant: Awaited<ReturnType<typeof seedMerchant>>;
  let count = 0;

  beforeEach(async () => {
    await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
    chain = await startTestChain(network);
    await chain.mine(5);
    merchant = await seedMerchant(db(), new Date());
  });
  afterEach(() => chain.stop());

  const start = (urls = chain.node.url) =>
    workers.start({
      DATABASE_URL: testDb.url,
      [`${id.toUpperCase()}_RPC_URLS`]: urls,
      CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    });
  const address = (kind: "shared" | "dedicated") =>
    seedAddress(db(), { merchantId: merchant.id, network: id, kind }, new Date());
  const cursor = async () => (await db().select().from(cursors).where(eq(cursors.network, id)))[0];
  const isWatched = () => vi.waitUntil(async () => (await cursor())?.caughtUpAt, PATIENCE);

  async function order(amount: bigint) {
    const caller = { merchantId: merchant.id, apiKeyId: merchant.keyId };
    const urls = { notifyUrl: "http://127.0.0.1:9/callback", redirectUrl: null, locale: null };
    const terms = {
      mchOrderId: `order-${++count}`,
      network,
      token,
      amountUnits: amount,
      expiresInSeconds: null,
      ...urls,
    };
    return (await createOrder(db(), ctx, caller, terms, new Date())).order;
  }
  const read = async (orderId: string) => (await db().select().from(orders).where(eq(orders.id, orderId)))[0];
  type Row = NonNullable<Awaited<ReturnType<typeof read>>>;
  const reaches = (orderId: string, isThere: (row: Row) => boolean) =>
    vi.waitUntil(async () => {
      const row = await read(orderId);
      return row && isThere(row) ? row : null;
    }, PATIENCE);
  const countCallbacks = (orderId: string) => db().$count(callbacks, eq(callbacks.orderId, orderId));

  test("one transaction pays several orders, each once, also when a worker is killed and reads it again", async () => {
    const shared = await address("shared");
    const own = await address("dedicated");
    const first = start();
    await isWatched();
    const made = [await order(5n * one), await order(8n * one), await order(8n * one), await order(9n * one)];
    expect(new Set(made.map(({ quote }) => quote.address))).toEqual(new Set([own.address, shared.address]));
    const wallet = await openWallet(chain.node.url);
    const txId = await wallet.transferBatch(
      token.contract,
      made.map(({ quote }) => ({ to: quote.address, baseUnits: quote.baseUnits })),
    );
    await chain.mine(3);
    await vi.waitUntil(async () => (await db().$count(transfers)) === made.length, PATIENCE);
    await first.end("SIGKILL");
    await db()
      .update(cursors)
      .set({ height: 5, hash: await hashOf(5), leaseUntil: new Date(0) });
    await chain.mine(FINAL);
    start();
    for (const { id: orderId, quote } of made) {
      expect(await reaches(orderId, (row) => row.status === "paid")).toMatchObject({
        exception: null,
        paidUnits: quote.baseUnits,
      });
      expect(await countCallbacks(orderId)).toBe(1);
    }
    const ledger = await db().select().from(transfers);
    expect(ledger).toHaveLength(made.length);
    expect(ledger.every((row) => row.txId === txId && row.status === "confirmed")).toBe(true);
  });

  test("errors of an endpoint are written down where people see them, while another one serves", async () => {
    start(`http://127.0.0.1:9,${chain.node.url}`);
    const endpoints = await vi.waitUntil(async () => {
      const row = await cursor();
      return row?.caughtUpAt && row.endpoints.some(({ errors }) => errors > 0) ? row.endpoints : null;
    }, PATIENCE);
    expect(endpoints).toMatchObject([
      { name: "127.0.0.1:9", last: { kind: "unavailable" } },
      { name: new URL(chain.node.url).host, errors: 0, last: null },
    ]);
  });

  async function hashOf(height: number): Promise<string> {
    const block = (await chain.node.call("eth_getBlockByNumber", [`0x${height.toString(16)}`, false])) as {
      hash: string;
    };
    return block.hash;
  }
});
