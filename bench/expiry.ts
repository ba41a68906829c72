import { eq, sql } from "drizzle-orm";
import pino from "pino";
import type { World } from "@/bench/world";
import { type Db, type DbPool, openDb } from "@/db/client";
import { cursors, receivingAddresses, transfers } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { expireOrders } from "@/lib/orders/expire-orders";
import { releaseHolds } from "@/lib/orders/release-holds";

const COUNT = 100_000;
/** The number of orders that stay open and are paid while the others expire. */
const PAYABLE = 2_000;
const PAYMENT_EVERY_MS = 50;
const MATCH_BATCH = 10_000;
const WITHIN_S = 10;
const NETWORK = "ethereum";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const ctx = { publicUrl: "http://127.0.0.1", log: pino({ level: "silent" }) };
const MINUTE_MS = 60_000;

interface Shop {
  db: Db;
  merchantId: string;
  address: { id: string; address: string };
}

/**
 * A batch of orders whose amounts are `first` … `first + count - 1` base units. Each amount is reserved until a minute after its order
 * expires.
 */
interface Batch {
  name: string;
  first: number;
  count: number;
  expiresAt: Date;
}

/**
 * Measures the expiry of a hundred thousand orders in the same second, on a worker's connections, while payments for other orders keep
 * arriving and are matched. Also measures the release of their reserved amounts, and the matching of ten thousand payments that arrive at
 * the same time.
 * @returns true if all orders expired in time
 */
export async function measureExpiry(world: World): Promise<boolean> {
  const shop = await openShop(world);
  const workers = openDb(world.databaseUrl, { work: "worker", max: 9, applicationName: "stablegate-bench" });
  const watcher = openDb(world.databaseUrl, { work: "worker", max: 3, applicationName: "stablegate-bench" });
  try {
    return await measure(shop, workers, watcher);
  } finally {
    await Promise.all([workers.close(), watcher.close()]);
  }
}

async function measure(shop: Shop, { db }: DbPool, watcher: DbPool): Promise<boolean> {
  const now = new Date();
  const over = new Date(now.getTime() - MINUTE_MS);
  const live = new Date(now.getTime() + 30 * MINUTE_MS);
  await insertOrders(shop, { name: "gone", first: 1_000_000, count: COUNT, expiresAt: over });
  await insertOrders(shop, { name: "live", first: 1, count: PAYABLE, expiresAt: live });
  await insertOrders(shop, { name: "crowd", first: 5_000_000, count: MATCH_BATCH, expiresAt: live });
  await shop.db.execute(sql`analyze orders, quotes`);
  const single = await whilePaying(shop, watcher.db, 1, untilPaid(40));
  // Marks the network as read past the second in which these orders expire.
  await readUpTo(shop.db, now);
  const beside = await whilePaying(shop, watcher.db, 1_000, () => drain(() => expireOrders(db, ctx, now)));
  const { count: expired, seconds } = beside.done;
  print(`${expired} orders of one second expired`, seconds, `aim: ${WITHIN_S} s`);
  printWaits("matching meanwhile, from arrival", beside.waitsMs);
  printWaits("matching without other load", single.waitsMs);
  const later = new Date(now.getTime() + 10 * MINUTE_MS);
  await readUpTo(shop.db, later);
  const released = await drain(() => releaseHolds(db, ctx, later));
  print(`${released.count} amounts released`, released.seconds);
  await insertPayments(shop, { first: 5_000_000, count: MATCH_BATCH });
  const matched = await drain(() => matchTransfers(watcher.db, ctx, NETWORK, new Date()));
  print(`${matched.count} payments at once matched`, matched.seconds);
  return expired === COUNT && seconds <= WITHIN_S;
}

/** Calls `round` until it returns 0. Returns the sum of the results and the duration. */
async function drain(round: () => Promise<number>): Promise<{ count: number; seconds: number }> {
  const begin = performance.now();
  let count = 0;
  for (let done = await round(); done > 0; done = await round()) count += done;
  return { count, seconds: (performance.now() - begin) / 1_000 };
}

/** Runs `work` while a payment arrives every 50 ms and is matched in the same way as by a network's watcher. */
async function whilePaying<T>(shop: Shop, watcher: Db, first: number, work: (waits: number[]) => Promise<T>) {
  const waitsMs: number[] = [];
  let isOver = false;
  const paying = (async () => {
    for (let units = first; !isOver; units++) {
      const begin = performance.now();
      await insertPayments(shop, { first: units, count: 1 });
      await matchTransfers(watcher, ctx, NETWORK, new Date());
      waitsMs.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, PAYMENT_EVERY_MS));
    }
  })();
  const done = await work(waitsMs);
  isOver = true;
  await paying;
  return { done, waitsMs };
}

const untilPaid = (count: number) => async (waits: readonly number[]) => {
  while (waits.length < count) await new Promise((resolve) => setTimeout(resolve, PAYMENT_EVERY_MS));
};

async function openShop({ pool: { db }, merchantId }: World): Promise<Shop> {
  const [address] = await db
    .select({ id: receivingAddresses.id, address: receivingAddresses.address })
    .from(receivingAddresses)
    .where(eq(receivingAddresses.merchantId, merchantId));
  if (!address) throw new Error("The merchant of the benchmark has no receiving address");
  return { db, merchantId, address };
}

async function readUpTo(db: Db, at: Date): Promise<void> {
  const row = {
    height: 100,
    hash: "0x00",
    blockTime: at,
    headHeight: 100,
    headTime: at,
    caughtUpAt: at,
    respondedAt: at,
  };
  await db
    .insert(cursors)
    .values({ network: NETWORK, ...row })
    .onConflictDoUpdate({ target: cursors.network, set: row });
}

/** Inserts orders with their quotes. Foreign keys are valid by construction, and checking each would take longer than writing. */
async function insertOrders({ db, merchantId, address }: Shop, batch: Batch): Promise<void> {
  const { name, first, count, expiresAt } = batch;
  const expires = sql`${expiresAt.toISOString()}::timestamptz`;
  const made = sql`${expires} - interval '30 minutes'`;
  const units = sql`generate_series(${first}::int, ${first + count - 1}::int) units`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into orders (id, merchant_id, mch_order_id, network, currency, amount_units, quote_id, status, expires_at,
        created_at, changed_at)
      select ${name} || units, ${merchantId}, ${name} || units, ${NETWORK}, 'USDT', units, 'q' || ${name} || units,
        'pending', ${expires}, ${made}, ${made} from ${units}`);
    await tx.execute(sql`
      insert into quotes (id, order_id, merchant_id, receiving_address_id, network, currency, token, address, kind, base_units,
        family, micro_units, created_at, reserved_until)
      select 'q' || ${name} || units, ${name} || units, ${merchantId}, ${address.id}, ${NETWORK}, 'USDT', ${USDT}, ${address.address},
        'shared', units, 'evm', units, ${made}, ${expires} + interval '1 minute' from ${units}`);
  });
}

async function insertPayments({ db, merchantId, address }: Shop, { first, count }: { first: number; count: number }) {
  const now = new Date();
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(now),
    merchantId,
    network: NETWORK,
    txId: `0x${(first + index).toString(16).padStart(64, "0")}`,
    position: `${USDT}:0`,
    currency: "USDT" as const,
    token: USDT,
    fromAddress: `0x${"11".repeat(20)}`,
    toAddress: address.address,
    baseUnits: BigInt(first + index),
    blockHeight: 100,
    blockHash: "0x00",
    blockTime: now,
    status: "seen" as const,
    receivingAddressId: address.id,
    seenAt: now,
  }));
  for (let index = 0; index < rows.length; index += 1_000)
    await db.insert(transfers).values(rows.slice(index, index + 1_000));
}

function printWaits(name: string, waitsMs: readonly number[]): void {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0);
  console.log(`${name.padEnd(40)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   longest ${at(1)} ms   of ${sorted.length}`);
}

function print(name: string, seconds: number, aim = ""): void {
  console.log(`${name.padEnd(40)} ${seconds.toFixed(2).padStart(6)} s   ${aim}`);
}
