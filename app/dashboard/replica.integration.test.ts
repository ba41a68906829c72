import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { createContext } from "@/app/context";
import { GET as exportOrders } from "@/app/dashboard/orders/export/route";
import { GET as liveOrders } from "@/app/dashboard/orders/live/route";
import { keepSession } from "@/app/session";
import { type Db, type DbPool, openDb } from "@/db/client";
import { type EmbeddedServer, startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { createListReader } from "@/db/replica";
import { orders } from "@/db/schema";
import { openSession } from "@/lib/users/session";
import { seedOrder } from "@/testing/database/seed";
import { startStandby } from "@/testing/database/standby";
import { type SeededShop, seedShop } from "@/testing/office/shop";
import { TEST_ENV } from "@/testing/web";

const jar = vi.hoisted(() => new Map<string, string>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (jar.has(name) ? { name, value: jar.get(name) } : undefined),
    set: (name: string, value: string) => void jar.set(name, value),
  }),
  headers: async () => new Headers({ "user-agent": "curl/8", "x-forwarded-for": "192.0.2.9" }),
}));

const NAME = "stablegate";
const settings = { fsync: "off", full_page_writes: "off" };
let folder: string;
let primary: EmbeddedServer;
let standby: EmbeddedServer;
let pool: DbPool;
let replica: DbPool;
let control: postgres.Sql;
let shop: SeededShop;
/** The clock of the reader under test, which only the test advances. */
let time = new Date("2026-01-01T12:00:00Z");

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate replica-"));
  const dataDir = path.join(folder, "primary");
  primary = await startEmbedded({ dataDir, port: 0, password: "test", isPersistent: false, settings });
  const maintenance = postgres(primary.databaseUrl("postgres"), { max: 1 });
  await maintenance`create database ${maintenance(NAME)}`;
  await maintenance.end();
  await migrate(primary.databaseUrl(NAME));
  standby = await startStandby({ server: primary, dataDir, password: "test" }, path.join(folder, "standby"), settings);
  pool = openDb(primary.databaseUrl(NAME), { work: "none", max: 3 });
  replica = openDb(standby.databaseUrl(NAME), { work: "pages", max: 2 });
  control = postgres(standby.databaseUrl("postgres"), { max: 1, onnotice: () => {} });
  shop = await seedShop(pool.db, "mine", new Date());
  globalThis.stablegateContext = createContext({
    ...TEST_ENV,
    databaseUrl: primary.databaseUrl(NAME),
    databaseReplicaUrl: standby.databaseUrl(NAME),
  });
  const visitor = { ip: "192.0.2.9", userAgent: "curl/8" };
  await keepSession((await openSession(pool.db, shop.members.owner, visitor, new Date())) ?? "");
});
afterAll(async () => {
  await globalThis.stablegateContext?.close();
  await Promise.all([pool?.close(), replica?.close(), control?.end()]);
  await standby?.stop();
  await primary?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Returns a reader that waits `waitMs` for the replica, and the messages with which it reports an unavailable replica. */
function readerOf(waitMs: number, of = replica) {
  const messages: string[] = [];
  const onUnavailable = (why: string) => void messages.push(why);
  return {
    messages,
    reader: createListReader({
      primary: pool.db,
      replica: of,
      onUnavailable,
      now: () => time,
      waitMs,
      answerMs: PATIENT_MS,
    }),
  };
}

const isStandby = async (db: Db) => {
  const [row] = await db.execute<{ is_standby: boolean }>(sql`select pg_is_in_recovery() as is_standby`);
  return row?.is_standby;
};
/** A timeout long enough for a busy machine, so that the test is slow there but does not fail. */
const PATIENT_MS = 30_000;

/** Submits the form that creates an order, with the order number `ownNumber`. */
let baseUnits = 1_000n;

async function makeOrder(mchOrderId: string): Promise<void> {
  baseUnits += 1n;
  const { id } = await seedOrder(pool.db, { address: shop.address, baseUnits }, new Date());
  await pool.db.update(orders).set({ mchOrderId }).where(eq(orders.id, id));
}

async function listed(): Promise<string> {
  return (await liveOrders(new Request("https://pay.example.com/dashboard/orders/live"))).text();
}

async function exported(): Promise<string> {
  return (await exportOrders(new Request("https://pay.example.com/dashboard/orders/export?file=csv"))).text();
}

/** Returns how many orders with this number a database contains. */
const ordersOf = (number: string) => async (db: Db) =>
  (await db.execute(sql`select 1 from orders where mch_order_id = ${number}`)).length;

test("lists are read from a replica that has all acknowledged writes", async () => {
  const { reader, messages } = readerOf(PATIENT_MS);
  await makeOrder("kept-up");
  expect(await reader.read(ordersOf("kept-up"))).toBe(1);
  expect(await isStandby(await reader.choose())).toBe(true);
  expect(messages).toEqual([]);
  expect(await listed()).toContain("kept-up");
});

test("a user sees a new order in the list and the export, even while the replica lags", async () => {
  await control`select pg_wal_replay_pause()`;
  try {
    await makeOrder("just-made");
    expect(await ordersOf("just-made")(replica.db)).toBe(0);
    expect(await listed()).toContain("just-made");
    expect(await exported()).toContain("just-made");
    const { reader, messages } = readerOf(20);
    expect(await reader.read(ordersOf("just-made"))).toBe(1);
    expect(messages).toEqual(["it is more than 20 ms behind"]);
    // The replica is not queried during its cooldown. After the cooldown, it is queried again, and the reader waits for pending changes.
    await control`select pg_wal_replay_resume()`;
    expect(await isStandby(await reader.choose())).toBe(false);
    time = new Date(time.getTime() + 5_000);
    const patient = readerOf(PATIENT_MS).reader;
    expect(await isStandby(await patient.choose())).toBe(true);
    expect(await patient.read(ordersOf("just-made"))).toBe(1);
  } finally {
    await control`select pg_wal_replay_resume()`;
  }
});

test("a replica that waits before it replays shows nothing old", async () => {
  await control`alter system set recovery_min_apply_delay = '1h'`;
  await control`select pg_reload_conf()`;
  try {
    await makeOrder("delayed");
    const { reader, messages } = readerOf(20);
    expect(await reader.read(ordersOf("delayed"))).toBe(1);
    expect(messages).toEqual(["it is more than 20 ms behind"]);
    expect(await listed()).toContain("delayed");
  } finally {
    await control`alter system reset recovery_min_apply_delay`;
    await control`select pg_reload_conf()`;
  }
  expect(await readerOf(PATIENT_MS).reader.read(ordersOf("delayed"))).toBe(1);
});

test("a read that fails on the replica midway is repeated on the primary", async () => {
  const { reader, messages } = readerOf(PATIENT_MS);
  const seen: (boolean | undefined)[] = [];
  const answer = await reader.read(async (db) => {
    const standby = await isStandby(db);
    seen.push(standby);
    // A recovery conflict cancels statements on a standby. Terminating the connection simulates such a conflict.
    if (standby) await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    return "read";
  });
  expect([answer, seen, messages]).toEqual(["read", [true, false], ["it failed during a query"]]);
});

test("a server that is no standby of this primary is never read, however new", async () => {
  const { reader, messages } = readerOf(PATIENT_MS, pool);
  expect(await reader.choose()).toBe(pool.db);
  expect(messages).toEqual([expect.stringContaining("promoted")]);
  const stranger = openDb(inject("testServerUrl"), { work: "pages", max: 1 });
  const other = readerOf(PATIENT_MS, stranger);
  expect(await other.reader.choose()).toBe(pool.db);
  expect(other.messages).toEqual([expect.stringContaining("not a replica of this database")]);
  await stranger.close();
});

test("without its replica the back office shows everything", async () => {
  await standby.stop();
  await makeOrder("alone");
  const { reader, messages } = readerOf(PATIENT_MS);
  expect(await reader.read(ordersOf("alone"))).toBe(1);
  expect(messages).toEqual(["it does not respond"]);
  expect(await listed()).toContain("alone");
  expect(await exported()).toContain("alone");
});
