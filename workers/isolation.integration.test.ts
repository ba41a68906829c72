import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eq, isNotNull, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cursors, orders } from "@/db/schema";
import { getNetwork, getToken, NETWORKS } from "@/lib/domain/networks";
import { seedCallbacks } from "@/testing/callbacks/seed";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 50_000, interval: 50 };
const bsc = getNetwork("bsc");
const others = NETWORKS.filter(({ id }) => id !== "bsc");
const db = () => testDb.pool.db;
/** The number of concurrent deliveries, far above the number of connections. */
const ORIGINS = 40;
const FEWEST_STUCK = 4;
const stops: (() => Promise<unknown>)[] = [];

let chain: TestChain;
let merchantId: string;

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
  chain = await startTestChain(bsc);
  stops.push(() => chain.stop());
  await chain.mine(5);
  merchantId = (await seedMerchant(db(), new Date())).id;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const start = (env: Record<string, string>) =>
  workers.start({
    DATABASE_URL: testDb.url,
    BSC_RPC_URLS: chain.node.url,
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    LOG_LEVEL: "info",
    ...env,
  });

async function payOnBsc(notifyUrl?: string): Promise<string> {
  const address = await seedAddress(db(), { merchantId, network: "bsc" }, new Date());
  const seed = { address, baseUnits: 10n ** 18n, ...(notifyUrl ? { notifyUrl } : {}) };
  const { id } = await seedOrder(db(), seed, new Date());
  await chain.pay(getToken(bsc, "USDT").contract, address.address, 10n ** 18n);
  await chain.mine(20);
  return id;
}

const isPaid = async (id: string) => (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status === "paid";

/** Writes eight bytes in eight seconds, the entire time limit. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 1_000);
  response.on("close", () => clearInterval(timer));
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 0x20);

/** Writes as much as the client reads. */
function flood(response: ServerResponse): void {
  const pour = () => {
    while (!response.destroyed && response.write(MEGABYTE));
  };
  response.on("drain", pour);
  pour();
}

describe("a payment on one network is detected, confirmed and its callback sent", () => {
  test.each([
    { name: "never answer", ids: others, answer: () => {} },
    { name: "answer a byte a second", ids: others, answer: trickle },
    { name: "never end their answers", ids: others.slice(0, 1), answer: flood },
  ])("while the endpoints of others $name", async ({ ids, answer }) => {
    const sick = await serve((request, response) => {
      request.resume();
      answer(response);
    });
    let reported = 0;
    const shop = await serve((request, response) => {
      request.resume();
      reported += 1;
      response.end("success");
    });
    start(Object.fromEntries(ids.map(({ id }) => [`${id.toUpperCase()}_RPC_URLS`, `http://127.0.0.1:${sick}`])));
    const id = await payOnBsc(`http://127.0.0.1:${shop}/callback`);
    await vi.waitUntil(() => isPaid(id), PATIENCE);
    await vi.waitUntil(() => reported > 0, PATIENCE);
    const read = await db().select().from(cursors).where(isNotNull(cursors.height));
    expect(read.map(({ network }) => network)).toEqual(["bsc"]);
  });

  test("while statements of everything else wait for a lock", async () => {
    const waiting: ServerResponse[] = [];
    const shop = await serve((request, response) => {
      request.resume();
      waiting.push(response);
    });
    for (let host = 1; host <= ORIGINS; host++)
      await seedCallbacks(db(), { merchantId, url: `http://127.0.0.${host}:${shop}/`, count: 4 }, new Date());
    start({});
    await vi.waitUntil(() => waiting.length >= ORIGINS, PATIENCE);
    await db().transaction(async (tx) => {
      await tx.execute(sql`select id from callbacks for update`);
      for (const response of waiting) response.end("success");
      const stuck = sql`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await vi.waitUntil(async () => Number((await db().execute(stuck))[0]?.["count"]) >= FEWEST_STUCK, PATIENCE);
      const id = await payOnBsc();
      await vi.waitUntil(() => isPaid(id), PATIENCE);
    });
  });
});
