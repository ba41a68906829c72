import { eq } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import { announceWaiting, listHeldUntil, listWaiting } from "@/db/queries/networks/waiting";
import { insertOrder } from "@/db/queries/orders/order-creation";
import { cursors, orders, quotes, transfers } from "@/db/schema";
import { WATCH_WANTED } from "@/lib/domain/channels";
import { newId } from "@/lib/domain/id";
import type { Waiting } from "@/lib/domain/networks/watch-state";
import { useTestDb } from "@/testing/database/clone";
import { empty } from "@/testing/database/empty";
import { seedAddress, seedMerchant, seedOrder, seedTransfer } from "@/testing/database/seed";
import { type Loop, startLoop } from "@/workers/loop";
import { watchLoops } from "@/workers/watch-loops";

const testDb = useTestDb();
const db = () => testDb.pool.db;
const now = new Date();
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const WATCHED = ["ethereum", "bsc"];
let merchantId: string;

const waitingOn = async (network: string) => (await listWaiting(db(), WATCHED, now)).get(network);
const addressOn = (network: string, address = `0x${"ab".repeat(20)}`) =>
  seedAddress(db(), { merchantId, network, address }, now);
const seen = async (orderId: string | null, address: Awaited<ReturnType<typeof addressOn>>, blockTime: Date) => {
  const { id } = await seedTransfer(db(), { address, baseUnits: 5n, blockTime }, now);
  await db().update(transfers).set({ orderId, seenAt: blockTime }).where(eq(transfers.id, id));
};

beforeEach(async () => {
  await empty(db(), "merchants", "orders", "quotes", "transfers", "cursors");
  merchantId = (await seedMerchant(db(), now)).id;
});

test("a pending order waits on its network, and on the one that its payer switched to; a held amount alone does not", async () => {
  const order = await seedOrder(db(), { address: await addressOn("ethereum"), baseUnits: 5n }, now);
  expect(await waitingOn("ethereum")).toMatchObject({ hasPending: true, isConfirming: false, hasUnconfirmed: false });
  expect(await waitingOn("bsc")).toMatchObject({ hasPending: false });
  const address = await addressOn("bsc");
  const [quote] = await db().select().from(quotes).where(eq(quotes.orderId, order.id));
  if (!quote) throw new Error("unreachable");
  const second = {
    id: newId(now),
    receivingAddressId: address.id,
    network: "bsc",
    askedUnits: 6n,
    baseUnits: 6n,
    microUnits: 6n,
  };
  await db()
    .insert(quotes)
    .values({ ...quote, ...second });
  expect(await waitingOn("bsc")).toMatchObject({ hasPending: true });
  await db().update(orders).set({ status: "expired" });
  for (const network of WATCHED) expect(await waitingOn(network)).toMatchObject({ hasPending: false });
  expect(await listHeldUntil(db(), now)).toEqual(
    new Map(["ethereum", "bsc"].map((network) => [network, order.reservedUntil])),
  );
});

test("a payment in time keeps its network active until it is final; late, unrequested and unconfirmable ones do not", async () => {
  const address = await addressOn("ethereum");
  const { id } = await seedOrder(db(), { address, baseUnits: 5n, expiresInSeconds: -300 }, now);
  await db().update(orders).set({ status: "confirming" });
  await seen(id, address, ago(60));
  expect(await waitingOn("ethereum")).toMatchObject({ isConfirming: false, hasUnconfirmed: true });
  await seen(id, address, ago(4_000));
  expect(await waitingOn("ethereum")).toMatchObject({ isConfirming: false });
  await seen(id, address, ago(400));
  expect(await waitingOn("ethereum")).toMatchObject({ isConfirming: true, hasUnconfirmed: true });
  await db().update(transfers).set({ status: "confirmed" });
  expect(await waitingOn("ethereum")).toMatchObject({ isConfirming: false, hasUnconfirmed: false });
});

test("a new order activates an idle network, and does not notify an active one", async () => {
  const reported: string[] = [];
  const { sql } = testDb.pool;
  const listening = await sql.listen(WATCH_WANTED, (network) => void reported.push(network));
  await db()
    .insert(cursors)
    .values([
      { network: "ethereum", watchState: "asleep" },
      { network: "bsc", watchState: "awake" },
    ]);
  for (const network of ["bsc", "ethereum"]) await insertOrder(db(), { ...NO_ORDER, merchantId, network }, now);
  for (const network of ["bsc", "ethereum"]) await announceWaiting(db(), network);
  await sql.notify(WATCH_WANTED, "end");
  await vi.waitUntil(() => reported.includes("end"));
  expect(reported).toEqual(["ethereum", "ethereum", "end"]);
  await listening.unlisten();
});

/** An order whose insert fails because its key does not exist. It wakes a network unnecessarily, which is acceptable. */
const NO_ORDER = {
  id: newId(now),
  quoteId: newId(now),
  apiKeyId: "none",
  mchOrderId: "1",
  currency: "USDT" as const,
  token: "0x",
  amountUnits: 1n,
  unitsPerStep: 1n,
  notifyUrl: null,
  redirectUrl: null,
  locale: null,
  expiresInSeconds: null,
};

test("a new order activates an idle network even if its notification is lost", async () => {
  let reads = 0;
  let syncs = 0;
  let sawPending = false;
  const watcher = {
    wakeWith: () => {},
    // Only the first of several rounds acquires the lease.
    hold: () => syncs === 0,
    keepLease: async () => false,
    see: ({ hasPending }: Waiting) => {
      const isWorthLogging = hasPending && !sawPending;
      sawPending = hasPending;
      return isWorthLogging;
    },
    watch: async () => {
      reads += 1;
      return 600_000;
    },
    verify: async () => 600_000,
    answer: async () => 600_000,
    answerMerchants: async () => 60_000,
    release: async () => {},
  };
  const log = pino({ level: "silent" });
  const loop = (name: string, run: () => Promise<number>) => startLoop({ name, log, maxWaitMs: 1_000, run });
  const pools = { pool: testDb.pool, vital: testDb.pool, owner: "one" };
  const syncClock = async () => {
    syncs += 1;
  };
  const watched = { ...pools, watchers: new Map([["ethereum", watcher]]), now: () => now, syncClock };
  const loops: Loop[] = watchLoops({ ...watched, alwaysActive: false }, loop);
  await vi.waitUntil(() => reads === 2);
  expect(syncs).toBe(1);
  await seedOrder(db(), { address: await addressOn("ethereum"), baseUnits: 5n }, now);
  await vi.waitUntil(() => reads === 3, { timeout: 10_000 });
  await Promise.all(loops.map((one) => one.stop()));
});
