import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { openDb } from "@/db/client";
import { restoreDump } from "@/db/dump/restore-dump";
import { writeDump } from "@/db/dump/write-dump";
import { migrate } from "@/db/migrate";
import { orders, transfers } from "@/db/schema";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress, seedMerchant } from "@/testing/database/seed";
import { useWebs, useWorkers } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const NETWORK = getNetwork("ethereum");
const TOKEN = getToken(NETWORK, "USDT");

const webs = useWebs();
const workers = useWorkers();
const made: string[] = [];
let [folder, chain, shop]: [string, TestChain, Receiver] = ["", {} as TestChain, {} as Receiver];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate restore-"));
  shop = await startReceiver(answerWith(200));
  chain = await startTestChain(NETWORK);
  await chain.mine(5);
});
afterAll(async () => {
  for (const name of made) await dropDatabase(name);
  await Promise.all([chain.stop(), shop.close(), rm(folder, { recursive: true, force: true })]);
});

const onServer = async (run: (sql: postgres.Sql) => Promise<unknown>) => {
  const sql = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await run(sql).finally(() => sql.end());
};
const dropDatabase = (name: string) => onServer((sql) => sql`drop database if exists ${sql(name)} with (force)`);

async function emptyDatabase() {
  const name = `restore_${randomBytes(6).toString("hex")}`;
  await onServer((sql) => sql`create database ${sql(name)}`);
  made.push(name);
  const url = new URL(inject("testServerUrl"));
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

interface Asked {
  id: string;
  address: string;
  units: bigint;
}

/** Starts web and worker on a database, and simulates a shop and its customers. */
async function startService(databaseUrl: string, apiKey: string) {
  const env = {
    DATABASE_URL: databaseUrl,
    ETHEREUM_RPC_URLS: chain.node.url,
    HOST: "127.0.0.1",
    PORT: "0",
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  };
  const web = webs.start(env);
  const worker = workers.start(env);
  const pool = openDb(databaseUrl, { work: "none", max: 2 });
  const origin = () => /listening at (http:\S+?)[;,\s]/.exec(web.output())?.[1];
  await vi.waitUntil(origin, PATIENCE);
  const call = async (operation: string, body: object) => {
    const answer = await fetch(`${origin()}/api/v1/pay/sdk/${operation}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { code: number; data: Record<string, never> };
  };
  return {
    db: pool.db,
    call,
    async order(mchOrderId: string): Promise<Asked> {
      const terms = { mch_order_id: mchOrderId, amount: 25, network: NETWORK.id, currency: "USDT" };
      // The service does not accept orders until the network has been read.
      const { data } = await vi.waitUntil(async () => {
        const answer = await call("order/add", { ...terms, notify_url: `${shop.origin}/` });
        return answer.code === 0 && answer;
      }, PATIENCE);
      const units = parseUnits(String(data["actual_amount"]), TOKEN.decimals) ?? 0n;
      return { id: data["trade_id"] ?? "", address: data["address"] ?? "", units };
    },
    isPaid: async ({ id }: Asked) =>
      (await pool.db.select().from(orders)).some((order) => order.id === id && order.status === "paid"),
    async crash() {
      await Promise.all([web.end("SIGKILL"), worker.end("SIGKILL"), pool.close()]);
    },
  };
}

async function pay({ address, units }: Asked): Promise<void> {
  await chain.pay(TOKEN.contract, address, units);
  await chain.mine(20);
}

interface Event {
  id: string;
  type: string;
  data: { trade_id: string; mch_order_id: string; tx_hash: string; paid_amount: number };
}

const reported = ({ id }: Asked) =>
  shop.received.map(({ body }) => JSON.parse(body) as Event).filter(({ data }) => data.trade_id === id);

test("after a dump, the loss of the database and a restore, payments in between are read from the chain again and their callbacks sent", async () => {
  const first = await emptyDatabase();
  await migrate(first.url);
  const seeding = openDb(first.url, { work: "none", max: 1 });
  const merchant = await seedMerchant(seeding.db, new Date());
  await seedAddress(seeding.db, { merchantId: merchant.id, address: `0x${"ab".repeat(20)}` }, new Date());
  await seeding.close();
  const before = await startService(first.url, merchant.apiKey);
  const isReported = (order: Asked, times = 1) => vi.waitUntil(() => reported(order).length === times, PATIENCE);

  const settled = await before.order("settled before the dump");
  await pay(settled);
  await isReported(settled);
  await vi.waitUntil(async () => {
    const { data } = await before.call("order/detail", { trade_id: settled.id });
    return (data["callback"] as unknown as { status: string }).status === "delivered";
  }, PATIENCE);
  const between = await before.order("paid between dump and crash");
  const down = await before.order("paid while there was no database");
  const open = await before.order("not paid yet");
  const file = path.join(folder, "nightly.dump.gz");
  await writeDump(first.url, file, new Date());

  const lost = await before.order("made after the dump");
  const lostUnpaid = await before.order("unpaid, after the dump");
  for (const order of [between, lost]) await pay(order);
  for (const order of [between, lost]) await isReported(order);
  await before.crash();
  await dropDatabase(first.name);
  await pay(down);

  const second = await emptyDatabase();
  await restoreDump(second.url, file, "db");
  const after = await startService(second.url, merchant.apiKey);
  for (const order of [between, down]) await vi.waitUntil(() => after.isPaid(order), PATIENCE);
  await isReported(between, 2);
  await isReported(down);

  // Both callbacks report the same event of the same order and payment. Their event ids differ, because the database that assigned the
  // first id is gone.
  const [one, other] = reported(between);
  expect(other?.type).toBe("payment.confirmed");
  expect(other?.id).not.toBe(one?.id);
  const payment = ({ data }: Event) => [data.trade_id, data.mch_order_id, data.tx_hash, data.paid_amount];
  expect(other && payment(other)).toEqual(one && payment(one));

  // An order created after the dump is lost, but its payment is not: it remains unmatched until a user resolves it.
  expect(await after.call("order/detail", { trade_id: lost.id })).toMatchObject({ code: 10003 });
  const unmatched = await vi.waitUntil(
    async () => (await after.db.select().from(transfers)).find(({ baseUnits }) => baseUnits === lost.units),
    PATIENCE,
  );
  expect(unmatched).toMatchObject({ orderId: null, toAddress: lost.address.toLowerCase() });

  // Open orders continue and new orders are accepted. Orders that the dump contains as settled are not settled again, and their callbacks
  // are not sent again.
  const next = await after.order("made after the restore");
  // A payment for a lost order is not credited to a new order of the same price.
  await pay(lostUnpaid);
  const late = await vi.waitUntil(
    async () => (await after.db.select().from(transfers)).find(({ baseUnits }) => baseUnits === lostUnpaid.units),
    PATIENCE,
  );
  expect(late).toMatchObject({ orderId: null });
  expect(next).toMatchObject({ address: lostUnpaid.address, units: 25_000_009n });
  for (const order of [open, next]) {
    await pay(order);
    await isReported(order);
    expect(await after.isPaid(order)).toBe(true);
  }
  expect(reported(settled)).toHaveLength(1);
  const paying = Map.groupBy(await after.db.select().from(transfers), ({ orderId }) => orderId);
  for (const order of [settled, between, down, open, next]) expect(paying.get(order.id)).toHaveLength(1);
  await after.crash();
}, 240_000);
