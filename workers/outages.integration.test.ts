import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers } from "@/testing/watch/worker";

const OUTAGES_MS = [3_000, 9_000, 60_000];
const PATIENCE = { timeout: 40_000, interval: 100 };
const bsc = getNetwork("bsc");
const workers = useWorkers();

let folder: string;
let server: EmbeddedServer;
let chain: TestChain;
const pools: DbPool[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-outage-"));
  [server, chain] = await Promise.all([startServer(0), startTestChain(bsc)]);
  await chain.mine(5);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await Promise.all([server.stop(), chain.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** Starts the server on its existing data. */
function startServer(port: number): Promise<EmbeddedServer> {
  const settings = { fsync: "off", synchronous_commit: "off" };
  return startEmbedded({ dataDir: path.join(folder, "data"), port, password: "test", isPersistent: true, settings });
}

/** Stops the server for a time: this test is about the length of the outage. */
async function stopFor(ms: number): Promise<void> {
  const port = Number(new URL(server.databaseUrl("postgres")).port);
  await server.stop();
  await new Promise((resolve) => setTimeout(resolve, ms));
  server = await startServer(port);
}

/** Opens an installation with its own database and some workers, one of which has read the chain. */
async function openInstallation(workerCount: number) {
  const name = `with_${workerCount}`;
  const sql = postgres(server.databaseUrl("postgres"), { max: 1, onnotice: () => {} });
  await sql`create database ${sql(name)}`;
  await sql.end();
  const url = server.databaseUrl(name);
  await migrate(url);
  const pool = openDb(url, { work: "none", max: 2, applicationName: "stablegate-test" });
  pools.push(pool);
  const { db } = pool;
  const merchantId = (await seedMerchant(db, new Date())).id;
  const address = await seedAddress(db, { merchantId, network: "bsc" }, new Date());
  const programs = Array.from({ length: workerCount }, () =>
    workers.start({ DATABASE_URL: url, BSC_RPC_URLS: chain.node.url }),
  );
  let lastUnits = 10n ** 18n;
  const isRead = async () => (await db.select().from(cursors).where(eq(cursors.network, "bsc")))[0]?.height != null;
  await vi.waitUntil(isRead, PATIENCE);
  return {
    db,
    createOne: async () => {
      lastUnits += 10n ** 14n;
      return seedOrder(db, { address, baseUnits: lastUnits, notifyUrl: "http://127.0.0.1:9/" }, new Date());
    },
    output: () => programs.map((program) => program.output()).join("\n"),
  };
}

type Installation = Awaited<ReturnType<typeof openInstallation>>;
type Order = Awaited<ReturnType<Installation["createOne"]>>;

async function pay({ address, baseUnits }: Order): Promise<void> {
  await chain.pay(getToken(bsc, "USDT").contract, address.address, baseUnits);
}

async function becomesPaid({ db, output }: Installation, { id }: Order, what: string): Promise<void> {
  const status = async () => (await db.select().from(orders).where(eq(orders.id, id)))[0]?.status;
  await vi
    .waitUntil(async () => (await status()) === "paid", PATIENCE)
    .catch(async () => expect.fail(`${what} is ${await status()}; the workers wrote:\n${output().slice(-3_000)}`));
}

test("after a database outage of 3, 9 or 60 s, one worker and two workers credit what was paid during and after it, once", {
  timeout: 300_000,
}, async () => {
  const installations = await Promise.all([openInstallation(1), openInstallation(2)]);
  for (const outageMs of OUTAGES_MS) {
    const during = await Promise.all(installations.map((one) => one.createOne()));
    const outage = stopFor(outageMs);
    for (const order of during) await pay(order);
    await chain.mine(20);
    await outage;
    const after = await Promise.all(installations.map((one) => one.createOne()));
    for (const order of after) await pay(order);
    await chain.mine(20);
    for (const [index, installation] of installations.entries()) {
      const which = `of installation ${index}, outage of ${outageMs} ms`;
      await becomesPaid(installation, during[index] as Order, `the order paid during the outage ${which}`);
      await becomesPaid(installation, after[index] as Order, `the order paid after the outage ${which}`);
    }
  }
  for (const { db } of installations) {
    const paid = await db.select().from(orders);
    const sent = await db.select().from(callbacks);
    expect(paid.map(({ status, exception }) => [status, exception])).toEqual(paid.map(() => ["paid", null]));
    expect(sent.map(({ orderId }) => orderId).sort()).toEqual(paid.map(({ id }) => id).sort());
    expect(await db.select().from(transfers)).toHaveLength(paid.length);
  }
});
