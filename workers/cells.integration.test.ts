import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { readCells } from "@/lib/config/cells";
import { urlOfCell } from "@/lib/domain/cells";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startWeb, type WebServer } from "@/server";
import { answerWith, type Receiver, startReceiver } from "@/testing/callbacks/receiver";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant } from "@/testing/database/seed";
import { TEST_APP_ROLE } from "@/testing/database/server";
import { useWorkers } from "@/testing/watch/worker";
import { API_BASE, TEST_ENV } from "@/testing/web";

/** Two cells of one database, and one of another. */
const one = useTestDb();
const other = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 40_000, interval: 50 };
const ethereum = getNetwork("ethereum");
const usdt = getToken(ethereum, "USDT").contract;
const NAMES = ["00", "01", "02"] as const;
type Name = (typeof NAMES)[number];

interface Shop {
  pool: DbPool;
  merchant: Awaited<ReturnType<typeof seedMerchant>>;
  address: Awaited<ReturnType<typeof seedAddress>>;
}

const shops = new Map<string, Shop>();
let chain: TestChain;
let receiver: Receiver;
let web: WebServer;

const shopOf = (name: Name): Shop => {
  const shop = shops.get(name);
  if (!shop) throw new Error(`There is no cell ${name}`);
  return shop;
};
const urlOf = (name: Name) => urlOfCell(name === "02" ? other.url : one.url, name);

beforeAll(async () => {
  const owners = [urlOfCell(one.ownerUrl, "01"), urlOfCell(other.ownerUrl, "02")];
  await Promise.all(owners.map((url) => migrate(url, undefined, TEST_APP_ROLE)));
  for (const name of NAMES) {
    const pool = openDb(urlOf(name), { work: "none", max: 2 });
    const merchant = await seedMerchant(pool.db, new Date());
    shops.set(name, { pool, merchant, address: await seedAddress(pool.db, { merchantId: merchant.id }, new Date()) });
  }
  [chain, receiver] = await Promise.all([startTestChain(ethereum), startReceiver(answerWith(200))]);
  await chain.mine(5);
  const given = { CELLS: NAMES.join(","), CELL_02_DATABASE_URL: other.url };
  const cells = readCells(given, { DATABASE_URL: one.url, DATABASE_DIRECT_URL: null, DATABASE_REPLICA_URL: null }, []);
  const change = { rpcUrls: new Map([["ethereum", [chain.node.url]]]), callbackAllowCidrs: ["127.0.0.0/8"] };
  web = await startWeb({ env: { ...TEST_ENV, ...change, databaseUrl: one.url, cells }, hasPages: false });
});
afterAll(async () => {
  await web?.close();
  await Promise.all([...shops.values()].map(({ pool }) => pool.close()));
  await Promise.all([chain?.stop(), receiver?.close()]);
});

const start = () =>
  workers.start({
    DATABASE_URL: one.url,
    CELLS: NAMES.join(","),
    CELL_02_DATABASE_URL: other.url,
    ETHEREUM_RPC_URLS: chain.node.url,
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  });

async function post(name: Name, path: string, body: object) {
  const headers = { "content-type": "application/json", "x-api-key": shopOf(name).merchant.apiKey };
  const answer = await fetch(web.url + API_BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
  const { data } = (await answer.json()) as { data?: { trade_id: string; actual_amount: string } };
  return { status: answer.status, data };
}

async function add(name: Name, number: string): Promise<string> {
  const body = { mch_order_id: number, amount: "5", currency: "USDT", network: "ethereum" };
  const { status, data } = await post(name, "/order/add", {
    ...body,
    notify_url: `${receiver.origin}/${name}/${number}`,
  });
  expect(status).toBe(200);
  return data?.trade_id ?? "";
}

const rowOf = async (name: Name, id: string) =>
  (await shopOf(name).pool.db.select().from(orders).where(eq(orders.id, id)))[0];
const isWatched = (name: Name) =>
  vi.waitUntil(async () => ((await shopOf(name).pool.db.select().from(cursors))[0]?.height ?? -1) >= 5, PATIENCE);
const pageOf = async (id: string) => (await fetch(`${web.url}/pay/${id}`)).status;
const statusOf = async (id: string) => (await fetch(`${web.url}/api/pay/${id}/status`)).status;

/** Creates an order by key, pays it on the chain, and waits until its callback has come. */
async function sell(name: Name, number: string): Promise<string> {
  const id = await add(name, number);
  const { pool, address } = shopOf(name);
  const [quote] = await pool.db.execute<{ base_units: string }>(
    sql`select base_units from quotes where order_id = ${id}`,
  );
  await chain.pay(usdt, address.address, BigInt(quote?.base_units ?? 0));
  await chain.mine(13);
  await vi.waitUntil(async () => (await rowOf(name, id))?.status === "paid", PATIENCE);
  await vi.waitUntil(() => receiver.received.some(({ path }) => path === `/${name}/${number}`), PATIENCE);
  return id;
}

test("each cell's shops create, are paid and hear of it through the same web process and worker", async () => {
  start();
  await Promise.all(NAMES.map(isWatched));
  const ids: string[] = [];
  for (const name of NAMES) ids.push(await sell(name, "first"));
  expect(ids.map((id) => id.slice(10, 12))).toEqual([...NAMES]);
  for (const [index, name] of NAMES.entries()) {
    const { pool, merchant } = shopOf(name);
    expect(await pool.db.select().from(orders)).toMatchObject([{ id: ids[index], merchantId: merchant.id }]);
    expect(await pool.db.select().from(transfers)).toMatchObject([{ status: "confirmed", orderId: ids[index] }]);
    expect(await pool.db.select().from(callbacks)).toHaveLength(1);
    expect((await post(name, "/order/detail", { trade_id: ids[index] })).data).toMatchObject({ trade_id: ids[index] });
  }
  expect(await Promise.all(ids.map(pageOf))).toEqual([200, 200, 200]);
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 200, 200]);
  expect(receiver.received).toHaveLength(3);
});

test("a shop of one cell finds nothing of another, and a link of a cell that nobody serves leads nowhere", async () => {
  const id = await add("01", "mine");
  expect((await post("00", "/order/detail", { trade_id: id })).status).not.toBe(200);
  expect((await post("01", "/order/detail", { trade_id: id })).status).toBe(200);
  expect(await pageOf(`${id.slice(0, 10)}zz${id.slice(12)}`)).toBe(404);
  const unknown = await fetch(`${web.url}${API_BASE}/order/detail`, {
    method: "POST",
    headers: { "x-api-key": "sg_x" },
  });
  expect(unknown.status).toBe(401);
});

test("a cell whose database is away stops no other, and goes on when it is back", async () => {
  start();
  await Promise.all(NAMES.map(isWatched));
  const mine = await add("02", "waits");
  const name = new URL(other.url).pathname.slice(1);
  const server = postgres(inject("testServerUrl"), { max: 1, onnotice: () => {} });
  await server`alter database ${server(name)} allow_connections false`;
  try {
    await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    expect((await post("02", "/order/detail", { trade_id: mine })).status).toBe(503);
    expect(await pageOf(mine)).toBe(503);
    expect((await fetch(`${web.url}/api/health/ready`)).status).toBe(200);
    expect(await pageOf(await sell("00", "meanwhile"))).toBe(200);
    expect(await pageOf(await sell("01", "meanwhile"))).toBe(200);
  } finally {
    await server`alter database ${server(name)} allow_connections true`;
    await server.end();
  }
  expect(await pageOf(await sell("02", "after"))).toBe(200);
});
