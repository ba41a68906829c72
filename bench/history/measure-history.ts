import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { seedPerson, signIn } from "@/bench/back-office";
import { generateHistory, sizesOf } from "@/bench/history/generate-history";
import { Connection, measureTimes } from "@/bench/load";
import { startWebProcess, type WebProcess } from "@/bench/web-process";
import { CONNECTIONS, startWorld, type World } from "@/bench/world";
import { countTotals } from "@/lib/reports/count-totals";

const ORDERS = 100_000_000;
/** The number that fills a page of every list: an empty page is not comparable with a full one. */
const FEW_ORDERS = 1_000;
/** The measured size of an average order with its share of all tables and indexes, plus 10 % for the log and for sorting. */
const BYTES_PER_ORDER = 5_000;
const SPARE_BYTES = 6e9;
const ROUNDS = 9;
const MAX_RATIO = 1.3;
const BASE = "/api/v1/pay/sdk/order";
const SETTINGS = { shared_buffers: "2GB", max_wal_size: "4GB", checkpoint_timeout: "30min" };
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
 * Compares a database with a history of orders (100 million unless `args` names another number) with one that has a thousand: orders created
 * and queried, pages of order/list, and pages of the back office, by turns on both.
 * @returns whether each takes at most 1.3 times as long
 */
export async function measureHistory(_world: World, args: readonly string[]): Promise<boolean> {
  const orders = Number(args[0] ?? ORDERS);
  if (!Number.isInteger(orders) || orders < FEW_ORDERS)
    throw new Error(
      `Name a whole number of orders, ${FEW_ORDERS} or more, for example: npm run bench -- history 1000000`,
    );
  await requireDisk(orders);
  const few = await startWorld(SETTINGS);
  const many = await startWorld(SETTINGS);
  try {
    await generateHistory(few, FEW_ORDERS, new Date(), () => {});
    const beganAt = performance.now();
    await generateHistory(many, orders, new Date(), note);
    const sizes = await sizesOf(many.pool.db);
    console.log(`${orders} orders were written in ${Math.round((performance.now() - beganAt) / 1_000)} s`);
    for (const [table, bytes] of sizes)
      console.log(
        `${table.padEnd(20)}${(bytes / 1e9).toFixed(2).padStart(8)} GB${Math.round(bytes / orders)
          .toString()
          .padStart(7)} bytes an order`,
      );
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    console.log(
      `${"all".padEnd(20)}${(total / 1e9).toFixed(2).padStart(8)} GB${Math.round(total / orders)
        .toString()
        .padStart(7)} bytes an order\n`,
    );
    const sides = [await openSide(few), await openSide(many)] as const;
    try {
      return await compare(sides[0], sides[1]);
    } finally {
      for (const side of sides) await side.close();
    }
  } finally {
    await Promise.all([few.close(), many.close()]);
  }
}

/** @throws Error if the disk has too little space for so many orders */
async function requireDisk(orders: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const free = bavail * bsize;
  const needed = orders * BYTES_PER_ORDER + SPARE_BYTES;
  const most = Math.max(0, Math.floor((free - SPARE_BYTES) / BYTES_PER_ORDER));
  if (needed > free)
    throw new Error(
      `${orders} orders need about ${Math.ceil(needed / 1e9)} GB below ${tmpdir()}, and ${Math.floor(free / 1e9)} GB are free. Set TMPDIR to a larger disk, or name fewer orders: at most ${most} fit.`,
    );
}

/** A database with a web process on it. */
interface Side {
  web: WebProcess;
  connections: readonly Connection[];
  /** Ids of orders over the whole history, and of the newest. */
  ids: readonly string[];
  newest: readonly string[];
  look(page: string): Promise<void>;
  /** Counts new orders into the totals, as a worker does every minute. */
  countNew(): Promise<void>;
  close(): Promise<void>;
}

/** 20,000 orders of a merchant at random times of the history. */
const SAMPLE = `
  select o.id from (select min(created_at) as first, max(created_at) as last from orders) span,
    lateral (select (extract(epoch from span.first + random() * (span.last - span.first)) * 1000)::bigint as ms from generate_series(1, 20000)) moment,
    lateral (select ${Array.from({ length: 10 }, (_, place) => `substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> ${5 * (9 - place)}) & 31)::int + 1, 1)`).join(" || ")} as prefix) p,
    lateral (select id from orders where merchant_id = $1 and id >= p.prefix order by id limit 1) o`;

async function openSide(world: World): Promise<Side> {
  await seedPerson(world);
  const web = await startWebProcess(world.databaseUrl, { hasPages: true });
  const cookie = await signIn(web.port);
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(web.port, world.apiKey));
  const { sql } = world.pool;
  const ids = await sql.unsafe<{ id: string }[]>(SAMPLE, [world.merchantId]);
  const newest = await sql<{ id: string }[]>`
    select id from orders where merchant_id = ${world.merchantId} order by id desc limit 400`;
  return {
    web,
    connections,
    ids: ids.map(({ id }) => id),
    newest: newest.map(({ id }) => id),
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

/** Measures one kind of work once. @returns the milliseconds of one request */
type Measure = (side: Side, round: number) => Promise<number>;

let created = 0;

const times = async (count: number, side: Side, ask: (connection: Connection, index: number) => Promise<unknown>) => {
  let index = 0;
  const measured = await measureTimes(count, side.connections.length, async (_, worker) => {
    const connection = side.connections[worker];
    if (connection) await ask(connection, index++);
  });
  return 1_000 / measured.perSecond;
};

const alone = async (count: number, ask: () => Promise<unknown>) =>
  (await measureTimes(count, 1, async () => void (await ask()))).p50Ms;

const query =
  (idsOf: (side: Side) => readonly string[]): Measure =>
  (side, round) =>
    times(2_000, side, (connection, index) => {
      const ids = idsOf(side);
      return connection.post(`${BASE}/detail`, `{"trade_id":"${ids[(round * 2_000 + index) % ids.length]}"}`);
    });

const list =
  (fieldsOf: (side: Side) => object): Measure =>
  (side) =>
    alone(40, async () => side.connections[0]?.post(`${BASE}/list`, JSON.stringify({ limit: 100, ...fieldsOf(side) })));

const WORK: readonly [name: string, measure: Measure][] = [
  [
    "create an order, 16 connections",
    (side) =>
      times(2_000, side, (connection) => {
        const index = created++;
        return connection.post(
          `${BASE}/add`,
          `{"currency":"USDT","network":"ethereum","amount":${1_000_000 + index},"mch_order_id":"new-${index}"}`,
        );
      }),
  ],
  ["query one of the newest orders, 16 connections", query(({ newest }) => newest)],
  ["query any order, 16 connections", query(({ ids }) => ids)],
  ["order/list, first page of 100", list(() => ({}))],
  ["order/list, only paid", list(() => ({ status: "paid" }))],
  ["order/list, a page in the middle", list(({ ids }) => ({ cursor: ids.toSorted()[Math.floor(ids.length / 2)] }))],
  ...PAGES.map((page): [string, Measure] => [page, (side) => alone(8, () => side.look(page))]),
];

async function compare(few: Side, many: Side): Promise<boolean> {
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  let isGood = true;
  console.log(`${"median of nine, by turns".padEnd(52)}few orders      many     ratio`);
  for (const [name, measure] of WORK) {
    for (const side of [few, many]) await side.countNew();
    const found: [few: number[], many: number[]] = [[], []];
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++)
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const ms = await measure(side === 0 ? few : many, round);
        if (round > 0) found[side === 0 ? 0 : 1].push(ms);
      }
    const before = median(found[0]);
    const after = median(found[1]);
    const ratio = after / before;
    isGood &&= ratio <= MAX_RATIO;
    console.log(
      `${name.padEnd(50)}${before.toFixed(2).padStart(9)} ms${after.toFixed(2).padStart(9)} ms${ratio.toFixed(2).padStart(7)}${ratio > MAX_RATIO ? `   more than ${MAX_RATIO}` : ""}`,
    );
  }
  return isGood;
}

function note(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
