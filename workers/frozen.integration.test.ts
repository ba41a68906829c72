import { eq, type SQL, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callbacks, cursors, orders, transfers } from "@/db/schema";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { startTestChain, type TestChain } from "@/testing/chains/evm";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";
import { useWorkers, type WorkerProcess } from "@/testing/watch/worker";

const testDb = useTestDb();
const workers = useWorkers();
const PATIENCE = { timeout: 40_000, interval: 50 };
const TAKEOVER = { timeout: 20_000, interval: 50 };
const bsc = getNetwork("bsc");
const db = () => testDb.pool.db;

let chain: TestChain;
beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "audit_events", "transfers", "blocks", "cursors", "callbacks");
  await testDb.owner.db.execute(sql`drop trigger if exists wait_here on blocks`);
  chain = await startTestChain(bsc);
  await chain.mine(5);
});
afterEach(() => chain.stop());

const start = () => workers.start({ DATABASE_URL: testDb.url, BSC_RPC_URLS: chain.node.url });
const cursor = async () => (await db().select().from(cursors).where(eq(cursors.network, "bsc")))[0];
const holds = async (worker: WorkerProcess) => (await cursor())?.leaseOwner?.includes(`:${worker.pid}:`) ?? false;

/** Returns the connections of workers whose open transaction has written rows, and whose state is `state`. */
async function writers(state: string): Promise<number[]> {
  const rows = await db().execute<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database()
      and application_name like 'stablegate-worker%' and backend_xid is not null and ${sql.raw(state)}`,
  );
  return rows.map(({ pid }) => pid);
}

const LOCK = sql`select pg_advisory_xact_lock(4711)`;

/** Stops a worker with SIGSTOP while it has locked the cursor's row and has not committed. */
async function freezeInTransaction(worker: WorkerProcess, hold: SQL, pay: () => Promise<void>): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.execute(hold);
    await pay();
    await vi.waitUntil(async () => (await writers("wait_event_type = 'Lock'")).length > 0, PATIENCE);
    process.kill(worker.pid, "SIGSTOP");
  });
  await vi.waitUntil(async () => (await writers("wait_event = 'ClientRead'")).length > 0, PATIENCE);
}

/** Makes inserts of blocks wait for a lock. */
async function slowDown(): Promise<void> {
  await testDb.owner.db.execute(sql`create or replace function wait_here() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(4711); return null; end'`);
  await testDb.owner.db.execute(sql`create trigger wait_here before insert on blocks execute function wait_here()`);
}

test.each([
  { name: "between two statements", hold: LOCK },
  { name: "between the two halves of a statement", hold: sql`lock table blocks in access exclusive mode` },
])(
  "a worker that is frozen in a transaction, $name, is replaced within 20 s and writes nothing when it thaws",
  { timeout: 150_000 },
  async ({ hold }) => {
    const merchantId = (await seedMerchant(db(), new Date())).id;
    const address = await seedAddress(db(), { merchantId, network: "bsc" }, new Date());
    const order = await seedOrder(
      db(),
      { address, baseUnits: 10n ** 18n, notifyUrl: "http://127.0.0.1:9/" },
      new Date(),
    );
    const first = start();
    await vi.waitUntil(async () => (await holds(first)) && (await cursor())?.height != null, PATIENCE);
    const second = start();
    await vi.waitUntil(() => second.output().includes("the worker is running"), PATIENCE);
    if (hold === LOCK) await slowDown();
    await freezeInTransaction(first, hold, async () => {
      await chain.pay(getToken(bsc, "USDT").contract, address.address, 10n ** 18n);
      await chain.mine(20);
    });

    await vi.waitUntil(() => holds(second), TAKEOVER);
    const isPaid = async () => (await db().select().from(orders).where(eq(orders.id, order.id)))[0]?.status === "paid";
    await vi.waitUntil(isPaid, PATIENCE);
    await vi.waitUntil(async () => (await db().select().from(callbacks)).length > 0, PATIENCE);
    const before = await db().select().from(transfers);

    const printed = first.output().length;
    process.kill(first.pid, "SIGCONT");
    await vi.waitUntil(() => first.output().slice(printed).includes("a loop failed and continues"), PATIENCE);
    const height = (await cursor())?.height ?? 0;
    await chain.mine(3);
    await vi.waitUntil(async () => ((await cursor())?.height ?? 0) >= height + 3, PATIENCE);
    expect(await holds(second)).toBe(true);
    expect(await db().select().from(transfers)).toEqual(before);
    expect(await db().select().from(callbacks)).toHaveLength(1);
    expect(await db().select().from(orders)).toMatchObject([{ status: "paid" }]);
  },
);

/** A duration that exceeds two leases. */
const FROZEN_MS = 12_000;

/** Suspends a process for a while; real time must pass in this test. */
async function freeze(worker: WorkerProcess): Promise<void> {
  process.kill(worker.pid, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
  process.kill(worker.pid, "SIGCONT");
}

describe("a worker that stood still for longer than its lease", { timeout: 150_000 }, () => {
  let merchantId = "";
  let lastUnits = 10n ** 18n;
  beforeEach(async () => {
    merchantId = (await seedMerchant(db(), new Date())).id;
  });

  /** Creates an order at an address that no worker has loaded yet. */
  async function createOne() {
    lastUnits += 10n ** 14n;
    const address = await seedAddress(db(), { merchantId, network: "bsc" }, new Date());
    return seedOrder(db(), { address, baseUnits: lastUnits, notifyUrl: "http://127.0.0.1:9/" }, new Date());
  }
  async function pay({ address, baseUnits }: Awaited<ReturnType<typeof createOne>>) {
    await chain.pay(getToken(bsc, "USDT").contract, address.address, baseUnits);
    await chain.mine(20);
  }
  const isPaid = async (id: string) =>
    (await db().select().from(orders).where(eq(orders.id, id)))[0]?.status === "paid";
  const hasRead = async (worker: WorkerProcess) => (await holds(worker)) && (await cursor())?.height != null;

  test("takes its own expired lease again when it is the only one", async () => {
    const worker = start();
    await vi.waitUntil(() => hasRead(worker), PATIENCE);
    await freeze(worker);
    const order = await createOne();
    await pay(order);
    await vi.waitUntil(() => isPaid(order.id), PATIENCE);
    expect(await db().select().from(callbacks)).toHaveLength(1);
  });

  test("reads nothing while a second worker does, and continues where that one stopped", async () => {
    const first = start();
    await vi.waitUntil(() => hasRead(first), PATIENCE);
    const second = start();
    await vi.waitUntil(() => second.output().includes("the worker is running"), PATIENCE);
    const thawed = freeze(first);
    await vi.waitUntil(() => holds(second), TAKEOVER);
    const during = await createOne();
    await pay(during);
    await vi.waitUntil(() => isPaid(during.id), PATIENCE);
    await thawed;
    await second.end("SIGKILL");
    const after = await createOne();
    await pay(after);
    await vi.waitUntil(() => isPaid(after.id), PATIENCE);
    expect(await holds(first)).toBe(true);
    expect(await db().select().from(callbacks)).toHaveLength(2);
    expect(await db().select().from(transfers)).toHaveLength(2);
  });
});
