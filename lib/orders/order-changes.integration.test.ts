import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { type DbPool, openDb } from "@/db/client";
import { orders } from "@/db/schema";
import { ORDER_CHANGED } from "@/lib/domain/channels";
import { createLog } from "@/lib/log";
import { createOrderChanges } from "@/lib/orders/order-changes";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, seedOrder } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-03-01T12:00:00Z");
const log = createLog("test", "fatal");
const WAIT = { timeout: 30_000, interval: 20 };

let orderId = "";
let otherId = "";

beforeAll(async () => {
  const { db } = testDb.pool;
  const merchant = await seedMerchant(db, now);
  const address = await seedAddress(db, { merchantId: merchant.id }, now);
  orderId = (await seedOrder(db, { address, baseUnits: 1_000_000n }, now)).id;
  otherId = (await seedOrder(db, { address, baseUnits: 2_000_000n }, now)).id;
});

const notify = (id: string, version: number) => testDb.pool.sql.notify(ORDER_CHANGED, `${id} ${version}`);
const write = (id: string, version: number) => testDb.pool.db.update(orders).set({ version }).where(eq(orders.id, id));
const listeners = () => testDb.pool.sql`
  select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%'`;

function recorder() {
  const versions: number[] = [];
  let isClosed = false;
  return {
    versions,
    isClosed: () => isClosed,
    changed: (version: number) => void versions.push(version),
    closed: () => {
      isClosed = true;
    },
  };
}

test("all watchers of an order are notified, and no others, over one connection", async () => {
  const changes = createOrderChanges(testDb.pool, log);
  const first = recorder();
  const second = recorder();
  const other = recorder();
  changes.watch(orderId, first);
  const leave = changes.watch(orderId, second);
  changes.watch(otherId, other);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), WAIT);
  await notify(orderId, 7);
  await vi.waitFor(() => expect([first, second].map(({ versions }) => Math.max(...versions))).toEqual([7, 7]), WAIT);
  leave();
  await notify(orderId, 8);
  await vi.waitFor(() => expect(first.versions).toContain(8), WAIT);
  expect(second.versions).not.toContain(8);
  expect(other.versions.filter((version) => version > 1)).toEqual([]);
  expect(await listeners()).toHaveLength(1);
  changes.close();
  expect([first.isClosed(), second.isClosed(), other.isClosed()]).toEqual([true, false, true]);
});

test("a change while the listening connection was interrupted is reported once it is restored", async () => {
  const changes = createOrderChanges(testDb.pool, log);
  const watcher = recorder();
  changes.watch(orderId, watcher);
  await vi.waitFor(() => expect(watcher.versions).not.toEqual([]), WAIT);
  await write(orderId, 20);
  await testDb.pool.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`;
  await vi.waitFor(() => expect(watcher.versions).toContain(20), WAIT);
  await notify(orderId, 21);
  await vi.waitFor(() => expect(watcher.versions).toContain(21), WAIT);
  changes.close();
});

test("a database that stays away for a while, or is away at first, is found again", async () => {
  const target = new URL(testDb.url);
  const gate = await openGate(Number(target.port), target.hostname);
  const url = new URL(testDb.url);
  url.hostname = "127.0.0.1";
  url.port = String(gate.port);
  const pool: DbPool = openDb(url.href, { work: "none" });
  const changes = createOrderChanges(pool, log);
  const watcher = recorder();
  try {
    gate.shut();
    changes.watch(orderId, watcher);
    await gate.refused(2);
    await write(orderId, 30);
    gate.open();
    await vi.waitFor(() => expect(watcher.versions).toContain(30), WAIT);

    gate.shut();
    await write(orderId, 31);
    await gate.refused(2);
    gate.open();
    await vi.waitFor(() => expect(watcher.versions).toContain(31), WAIT);
    await notify(orderId, 32);
    await vi.waitFor(() => expect(watcher.versions).toContain(32), WAIT);
  } finally {
    changes.close();
    await pool.close();
    await gate.end();
  }
});

/** Starts a TCP proxy to the database. When it is shut, it closes all connections and refuses new ones. */
async function openGate(port: number, host: string) {
  const sockets = new Set<Socket>();
  let isOpen = true;
  let refusals = 0;
  const server: Server = createServer((client) => {
    if (!isOpen) {
      refusals += 1;
      client.destroy();
      return;
    }
    const database = connect(port, host);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    open: () => {
      isOpen = true;
    },
    shut: () => {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
    },
    refused: (more: number) => {
      const goal = refusals + more;
      return vi.waitFor(() => expect(refusals).toBeGreaterThanOrEqual(goal), WAIT);
    },
    end: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
