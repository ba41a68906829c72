import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { listOrders, readAllOrders } from "@/db/queries/orders/order-list";
import { searchOrderIds } from "@/db/queries/orders/order-search";
import { callbacks, orders, quotes } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import type { ListCursor } from "@/lib/domain/list-cursor";
import { createdSpan } from "@/lib/domain/list-filter";
import { amountSpan, type OrderFilter } from "@/lib/domain/orders/filter";
import { useTestDb } from "@/testing/database/clone";
import { explain } from "@/testing/database/explain";
import { publicOf, seedAddress, seedMerchant } from "@/testing/database/seed";

const testDb = useTestDb();
const COUNT = 5_000;
const PAGE = 50;
const start = new Date("2026-03-01T00:00:00Z");
const hour = (number: number) => new Date(start.getTime() + number * 600_000);

type Row = ReturnType<typeof rowOf>;
let rows: Row[];
let merchantId: string;
let wallet: string;

/** Returns a test row. Cancelled and failed orders are rare; underpaid orders are rarer. */
function rowOf(index: number) {
  const status = index % 997 === 5 ? ("cancelled" as const) : index % 3 ? ("expired" as const) : ("paid" as const);
  return {
    id: newId(hour(index)),
    createdAt: hour(index),
    status,
    mchOrderId: `${index % 2 ? "a" : "B"}-${index}`,
    exception: index % 1_501 === 3 ? ("underpaid" as const) : null,
    network: index % 7 === 0 ? "bsc" : "ethereum",
    currency: index % 5 === 0 ? ("USDC" as const) : ("USDT" as const),
    steps: BigInt((index % 100) + 1) * 1_000_000n,
    callback: index % 613 === 0 ? ("failed" as const) : status === "paid" ? ("delivered" as const) : null,
  };
}

beforeAll(async () => {
  const { db } = testDb.pool;
  merchantId = (await seedMerchant(db, start)).id;
  const strangers = await seedAddress(db, { merchantId: (await seedMerchant(db, start)).id }, start);
  const address = await seedAddress(db, { merchantId }, start);
  const rare = await seedAddress(db, { merchantId, kind: "dedicated" }, start);
  wallet = rare.address;
  rows = Array.from({ length: COUNT }, (_, index) => rowOf(index));
  for (let from = 0; from < COUNT; from += 1_000)
    await insert(rows.slice(from, from + 1_000), (row) => (row.mchOrderId === "a-77" ? rare : address));
  await insert([{ ...rowOf(8), mchOrderId: "a-strange" }], () => strangers);
  await testDb.pool.sql`analyze`;
});

async function insert(some: Row[], addressOf: (row: Row) => Awaited<ReturnType<typeof seedAddress>>) {
  await testDb.pool.db.transaction(async (tx) => {
    const all = some.map((row) => {
      const units = row.network === "bsc" ? row.steps * 10n ** 12n : row.steps;
      const { merchantId: owner, id: receivingAddressId, address: to, kind } = addressOf(row);
      const ofQuote = { receivingAddressId, address: to, kind, token: "0x1", baseUnits: units };
      return { ...row, ...ofQuote, ...publicOf(row.network, row.currency, units), merchantId: owner, quoteId: row.id };
    });
    const times = (at: Date) => ({ expiresAt: at, changedAt: at, reservedUntil: new Date(at.getTime() + 60_000) });
    await tx.insert(orders).values(
      all.map((row) => {
        const paidAt = row.status === "paid" ? row.createdAt : null;
        return { ...row, ...times(row.createdAt), amountUnits: row.baseUnits, paidAt };
      }),
    );
    await tx.insert(quotes).values(
      all.map(({ id, ...row }) => {
        return {
          ...row,
          ...times(row.createdAt),
          id,
          orderId: id,
          releasedAt: new Date(row.createdAt.getTime() + 1e6),
        };
      }),
    );
    const reported = all.flatMap((row) => (row.callback ? [{ ...row, callback: row.callback }] : []));
    if (reported.length === 0) return;
    await tx.insert(callbacks).values(
      reported.map(({ id, merchantId: owner, callback, createdAt }) => {
        const pending = { id, orderId: id, merchantId: owner, type: "payment.confirmed" as const, status: callback };
        return { ...pending, url: "https://a.example", origin: "https://a.example:443", body: "{}", createdAt };
      }),
    );
  });
}

/** Returns true if a row matches a filter. This is a plain reference implementation. */
function fits(row: Row, filter: OrderFilter): boolean {
  const { since, before } = createdSpan(filter);
  const { min, max } = amountSpan(filter);
  const named = filter.text ?? "";
  return (
    (!filter.status || row.status === filter.status) &&
    (!filter.exception || row.exception === filter.exception) &&
    (!filter.network || row.network === filter.network) &&
    (!filter.currency || row.currency === filter.currency) &&
    (!filter.callback || row.callback === filter.callback) &&
    (!since || row.createdAt >= since) &&
    (!before || row.createdAt < before) &&
    (min === null || row.steps >= min) &&
    (max === null || row.steps <= max) &&
    (named === wallet ? row.mchOrderId === "a-77" : row.mchOrderId.startsWith(named))
  );
}

const DAY = fc.nat(36).map((days) =>
  hour(days * 144)
    .toISOString()
    .slice(0, 10),
);
const FILTER = (): fc.Arbitrary<OrderFilter> =>
  fc.record(
    {
      status: fc.constantFrom("paid", "expired", "cancelled"),
      exception: fc.constant("underpaid"),
      network: fc.constantFrom("bsc", "ethereum", "tron"),
      currency: fc.constantFrom("USDT", "USDC"),
      callback: fc.constantFrom("failed", "delivered"),
      from: DAY,
      to: DAY,
      min: fc.constantFrom("3", "99.000001"),
      max: fc.constantFrom("4", "100"),
      text: fc.constantFrom("a-", "a-1", "B-77", "a-77", wallet, "a-strange"),
    },
    { requiredKeys: [] },
  );

async function turnPages(filter: OrderFilter): Promise<string[]> {
  const ids: string[] = [];
  let position: ListCursor = null;
  for (;;) {
    const page = await listOrders(testDb.pool.db, merchantId, filter, position, PAGE * 20);
    ids.push(...page.rows.map(({ id }) => id));
    if (!page.older) return ids;
    position = page.older;
  }
}

test("pages and files contain exactly the filtered orders, in order", async () => {
  await fc.assert(
    fc.asyncProperty(FILTER(), async (filter) => {
      const expected = rows.filter((row) => fits(row, filter)).map(({ id }) => id);
      expect(await turnPages(filter)).toEqual(expected.reverse());
      const all: string[] = [];
      for await (const some of readAllOrders(testDb.pool.db, merchantId, filter)) all.push(...some.map(({ id }) => id));
      expect(all).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test("a page that reached its read limit reports until when, and the next continues there; going back shows the same", async () => {
  const { db } = testDb.pool;
  const filter: OrderFilter = { status: "cancelled" };
  const first = await listOrders(db, merchantId, filter, null, PAGE);
  expect(first.lookedUntil).toEqual(rows[COUNT - 2_001]?.createdAt);
  const second = await listOrders(db, merchantId, filter, first.older, PAGE);
  const back = await listOrders(db, merchantId, filter, second.newer, PAGE);
  const shown = (page: typeof first) => page.rows.map(({ mchOrderId }) => mchOrderId);
  expect([...shown(first), ...shown(second)]).toEqual(["B-4990", "a-3993", "B-2996", "a-1999", "B-1002"]);
  expect(shown(back)).toEqual(expect.arrayContaining(shown(first)));
});

test("a list reads no more orders than its page needs", async () => {
  const search = { network: null, currency: null, createdFrom: null, createdTo: null, cursor: null, limit: PAGE };
  const queries: ((db: Db) => Promise<unknown>)[] = [
    (db) => listOrders(db, merchantId, { status: "paid" }, null, PAGE),
    (db) => searchOrderIds(db, merchantId, { ...search, status: "paid" }),
  ];
  for (const query of queries) expect(await countReadOrders(query)).toBeLessThan(6 * PAGE);
});

/** Returns the number of rows of `orders` that a query reads. */
async function countReadOrders(query: (db: Db) => Promise<unknown>): Promise<number> {
  return testDb.pool.db.transaction(async (tx) => {
    // The statistics of a session may still include rows that earlier transactions read.
    const readBefore = await countReadRows(tx);
    await query(tx);
    return (await countReadRows(tx)) - readBefore;
  });
}

async function countReadRows(tx: Db): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select (seq_tup_read + idx_tup_fetch)::integer as count from pg_stat_xact_user_tables where relid = 'orders'::regclass`);
  return row?.count ?? Number.NaN;
}

test.each<[string, OrderFilter]>([
  ["nothing", {}],
  ["a status", { status: "paid" }],
  ["an exception", { exception: "underpaid" }],
  ["a network, a currency and amounts", { network: "bsc", currency: "USDC", min: "1", max: "5" }],
  ["days", { from: "2026-03-02", to: "2026-03-03" }],
  ["failed callbacks", { callback: "failed" }],
  ["delivered callbacks", { callback: "delivered" }],
  ["a text", { text: "a-7" }],
  ["a common text", { text: "a-" }],
])("%s is read by indexes with any table size", async (_name, filter) => {
  const facts = await explain(testDb.pool.sql, (db) => listOrders(db, merchantId, filter, null, PAGE));
  expect(facts.scanned).toEqual([]);
  expect(facts.indexes.some((name) => name.startsWith("orders_"))).toBe(true);
});
