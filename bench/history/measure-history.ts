import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import path from "node:path";
import { seedPerson, signIn } from "@/bench/back-office";
import {
  amountOf,
  generateHistory,
  historyUntil,
  sizesOf,
  type TableSize,
  TIME_PART,
} from "@/bench/history/generate-history";
import { Connection, measureTimes } from "@/bench/load";
import { startWebProcess, type WebProcess } from "@/bench/web-process";
import { CONNECTIONS, startWorld, type World } from "@/bench/world";
import { countTotals } from "@/lib/reports/count-totals";

const DAY_MS = 86_400_000;
const ORDERS = 100_000_000;
const SPAN_MS = 3 * 365 * DAY_MS;
/**
 * The number of orders in the smaller database. It fills a page of every list and suggestion, because an empty page is not comparable with
 * a full one.
 */
const FEW_ORDERS = 20_000;
const FEW_SPAN_MS = 30 * DAY_MS;
/** The measured size of an average order with its share of all tables and indexes, plus 10% for the log and for sorting. */
const BYTES_PER_ORDER = 5_400;
/** The ratio of history to memory: 100 million orders on a machine with 64 GB. */
const HISTORY_TO_MEMORY = 7.5;
const MIN_MEMORY_BYTES = 256e6;
const SPARE_BYTES = 6e9;
const ROUNDS = 9;
/** The number of requests in a round. */
const REQUESTS = 2_000;
/** The number of sampled orders. It is high enough that no round repeats an order of an earlier round. */
const COLD_SAMPLE = 20_000;
const MAX_RATIO = 1.3;
const BASE = "/api/v1/pay/sdk/order";
const PAGES = [
  "/dashboard",
  "/dashboard?days=30",
  "/dashboard/orders",
  "/dashboard/orders?status=paid",
  "/dashboard/orders?callback=failed",
  "/dashboard/callbacks",
  "/dashboard/transfers",
  "/dashboard/transfers?show=unmatched",
];

/**
 * Compares a database with a history of orders over three years with a database that has 20,000 orders from the last month. Measures
 * orders created and queried, pages of order/list, and pages of the back office, alternating between both.
 * @param args the number of orders, 100 million by default, and a folder that keeps the database: a later run with the same folder
 * continues an interrupted history, or measures again without writing it
 * @returns true if each operation takes at most 1.3 times as long, except queries for old orders, which PostgreSQL has to read from disk
 */
export async function measureHistory(_world: World, args: readonly string[]): Promise<boolean> {
  const [count, folder] = args;
  const orders = Number(count ?? ORDERS);
  if (!Number.isInteger(orders) || orders < FEW_ORDERS)
    throw new Error(
      `Specify a whole number of orders, ${FEW_ORDERS} or more, for example: npm run bench -- history 1000000`,
    );
  if (folder === undefined) await requireDisk(orders);
  const settings = settingsFor(orders);
  const few = await startWorld(settings);
  const many = await startWorld(settings, folder === undefined ? null : path.resolve(folder));
  try {
    const now = new Date();
    await generateHistory(few, historyUntil(now, FEW_ORDERS, FEW_SPAN_MS), () => {});
    const beganAt = performance.now();
    await generateHistory(many, historyUntil(now, orders, SPAN_MS), note);
    console.log(`${orders} orders exist after ${Math.round((performance.now() - beganAt) / 1_000)} s`);
    printSizes(await sizesOf(many.pool.db), orders);
    console.log(`memory for data: ${settings.shared_buffers}\n`);
    const sides = [await openSide(few, FEW_ORDERS), await openSide(many, orders)] as const;
    try {
      return await compare(sides[0], sides[1]);
    } finally {
      for (const side of sides) await side.close();
    }
  } finally {
    await Promise.all([few.close(), many.close()]);
  }
}

/**
 * Returns the settings of both servers. The only memory for data is shared_buffers: without direct I/O, the operating system would cache
 * an entire history of a few million orders, which is impossible with 100 million.
 */
function settingsFor(orders: number) {
  const wanted = Math.max(MIN_MEMORY_BYTES, (orders * BYTES_PER_ORDER) / HISTORY_TO_MEMORY);
  return {
    shared_buffers: `${Math.round(Math.min(wanted, totalmem() / 2) / 2 ** 20)}MB`,
    debug_io_direct: "data",
    max_wal_size: "4GB",
    checkpoint_timeout: "30min",
  };
}

function printSizes(sizes: readonly TableSize[], orders: number): void {
  const perOrder = (bytes: number) => Math.round(bytes / orders).toString();
  console.log(`\n${"bytes per order".padEnd(24)}   rows  indexes`);
  for (const { table, rows, indexes } of sizes)
    console.log(`${table.padEnd(24)}${perOrder(rows).padStart(7)}${perOrder(indexes).padStart(9)}`);
  const total = sizes.reduce((sum, { rows, indexes }) => sum + rows + indexes, 0);
  console.log(`${"all".padEnd(24)}${perOrder(total).padStart(16)}, ${(total / 1e9).toFixed(2)} GB\n`);
}

/**
 * Checks that the disk has enough space for this number of orders.
 * @throws Error if it does not
 */
async function requireDisk(orders: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const free = bavail * bsize;
  const needed = orders * BYTES_PER_ORDER + SPARE_BYTES;
  const maximum = Math.max(0, Math.floor((free - SPARE_BYTES) / BYTES_PER_ORDER));
  if (needed > free)
    throw new Error(
      `${orders} orders need about ${Math.ceil(needed / 1e9)} GB under ${tmpdir()}, and ${Math.floor(free / 1e9)} GB are free. Set TMPDIR to a larger disk, or specify fewer orders: at most ${maximum} fit.`,
    );
}

/** A measured database, with the web process that uses it. */
interface Side {
  web: WebProcess;
  connections: readonly Connection[];
  /** The ids of orders: from random times in the whole history, from random times in the last week, and of the newest orders. */
  ids: readonly string[];
  ofWeek: readonly string[];
  newest: readonly string[];
  /** Returns the amount of the next order, which no other order reserves. */
  nextAmount(): number;
  look(page: string): Promise<void>;
  /** Adds new orders to the totals, as a worker does every minute. */
  countNew(): Promise<void>;
  close(): Promise<void>;
}

/** The indexes in which the insertion of an order with a random number and amount reads a random page. */
const READ_AT_RANDOM = ["orders_merchant_id_mch_order_id_key", "quotes_address_idx"];

/** Loads the indexes in `READ_AT_RANDOM` into memory, to match a database that has accepted orders for days. */
async function readIndexes({ pool }: World): Promise<void> {
  await pool.sql`create extension if not exists pg_prewarm`;
  await pool.sql`select pg_prewarm(name::regclass) from unnest(${READ_AT_RANDOM}::text[]) name`;
}

/**
 * The SQL query for the first order of a merchant after each of $3 random times. The times start $2 before the newest order, or at the
 * beginning of the history.
 */
const SAMPLE = `
  select o.id from (select created_at as last from orders order by id desc limit 1) newest,
    (select created_at as first from orders order by id limit 1) oldest,
    lateral (select greatest(oldest.first, newest.last - $2::interval) as first, newest.last) span,
    lateral (select (extract(epoch from span.first + random() * (span.last - span.first)) * 1000)::bigint as ms
      from generate_series(1, $3::integer)) moment,
    lateral (select ${TIME_PART} as prefix) p,
    lateral (select id from orders where merchant_id = $1 and id >= p.prefix order by id limit 1) o`;

async function openSide(world: World, orders: number): Promise<Side> {
  await seedPerson(world);
  await readIndexes(world);
  const web = await startWebProcess(world.databaseUrl, { hasPages: true });
  const cookie = await signIn(web.port);
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(web.port, world.apiKey));
  const { sql } = world.pool;
  const ids = await sql.unsafe<{ id: string }[]>(SAMPLE, [world.merchantId, "100 years", COLD_SAMPLE]);
  const ofWeek = await sql.unsafe<{ id: string }[]>(SAMPLE, [world.merchantId, "7 days", REQUESTS]);
  const newest = await sql<{ id: string }[]>`
    select id from orders where merchant_id = ${world.merchantId} order by id desc limit 400`;
  // Orders that an earlier run created on this database still reserve their amounts.
  const [live] = await sql<
    { count: number }[]
  >`select count(*)::integer as count from quotes where released_at is null`;
  let order = orders + (live?.count ?? 0);
  return {
    web,
    connections,
    ids: ids.map(({ id }) => id),
    ofWeek: ofWeek.map(({ id }) => id),
    newest: newest.map(({ id }) => id),
    nextAmount: () => amountOf(++order),
    async look(page) {
      const answer = await fetch(`http://127.0.0.1:${web.port}${page}`, { headers: { cookie }, redirect: "manual" });
      const text = await answer.text();
      if (answer.status !== 200 || !text.includes("</html>")) throw new Error(`${page} answered ${answer.status}`);
    },
    async countNew() {
      while ((await countTotals(world.pool.db, new Date())) > 0);
    },
    async close() {
      for (const connection of connections) connection.close();
      await web.stop();
    },
  };
}

/**
 * Measures one kind of work once.
 * @returns the milliseconds of one request
 */
type Measure = (side: Side, round: number) => Promise<number>;

const times = async (count: number, side: Side, ask: (connection: Connection, index: number) => Promise<unknown>) => {
  let index = 0;
  const measured = await measureTimes(count, side.connections.length, async (_, worker) => {
    const connection = side.connections[worker];
    if (connection) await ask(connection, index++);
  });
  return 1_000 / measured.perSecond;
};

const single = async (count: number, ask: () => Promise<unknown>) =>
  (await measureTimes(count, 1, async () => void (await ask()))).p50Ms;

const query =
  (idsOf: (side: Side) => readonly string[]): Measure =>
  (side, round) =>
    times(REQUESTS, side, (connection, index) => {
      const ids = idsOf(side);
      return connection.post(`${BASE}/detail`, `{"trade_id":"${ids[(round * REQUESTS + index) % ids.length]}"}`);
    });

const list =
  (fieldsOf: (side: Side) => object): Measure =>
  (side) =>
    single(40, async () =>
      side.connections[0]?.post(`${BASE}/list`, JSON.stringify({ limit: 100, ...fieldsOf(side) })),
    );

const create =
  (numberOf: (amount: number) => string): Measure =>
  (side) =>
    times(REQUESTS, side, (connection) => {
      const amount = side.nextAmount();
      const order = { currency: "USDT", network: "ethereum", amount, mch_order_id: numberOf(amount) };
      return connection.post(`${BASE}/add`, JSON.stringify(order));
    });

const RUN = Date.now();
let created = 0;

/** The name of the row for queries from disk. Its ratio depends on disk and memory, so it is reported without a limit. */
const COLD_QUERY = "query any order, from disk, 16 connections";

const WORK: readonly [name: string, measure: Measure][] = [
  ["create orders with rising numbers, 16 connections", create(() => `new-${RUN}-${created++}`)],
  ["create orders with random numbers, 16 connections", create(() => randomUUID().replaceAll("-", ""))],
  ["query one of the newest orders, 16 connections", query(({ newest }) => newest)],
  ["query an order of the last week, 16 connections", query(({ ofWeek }) => ofWeek)],
  [COLD_QUERY, query(({ ids }) => ids)],
  ["order/list, first page of 100", list(() => ({}))],
  ["order/list, only paid", list(() => ({ status: "paid" }))],
  ["order/list, a page in the middle", list(({ ids }) => ({ cursor: ids.toSorted()[Math.floor(ids.length / 2)] }))],
  ...PAGES.map((page): [string, Measure] => [page, (side) => single(8, () => side.look(page))]),
];

async function compare(few: Side, many: Side): Promise<boolean> {
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  let isGood = true;
  console.log(`${"median of nine, alternating".padEnd(52)}few orders      many     ratio`);
  for (const [name, measure] of WORK) {
    for (const side of [few, many]) await side.countNew();
    const found: [few: number[], many: number[]] = [[], []];
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++)
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const ms = await measure(side === 0 ? few : many, round);
        if (round > 0) found[side === 0 ? 0 : 1].push(ms);
      }
    const before = median(found[0]);
    const after = median(found[1]);
    const ratio = after / before;
    const isTooSlow = name !== COLD_QUERY && ratio > MAX_RATIO;
    if (isTooSlow) isGood = false;
    console.log(
      `${name.padEnd(50)}${before.toFixed(2).padStart(9)} ms${after.toFixed(2).padStart(9)} ms${ratio.toFixed(2).padStart(7)}${isTooSlow ? `   more than ${MAX_RATIO}` : ""}`,
    );
  }
  return isGood;
}

function note(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
