import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import type { World } from "@/bench/world";
import { type Db, runPrepared } from "@/db/client";
import type { OrderSearch } from "@/db/queries/orders/order-search";
import { receivingAddresses } from "@/db/schema";
import { createDb } from "@/db/session";
import { searchOrders } from "@/lib/orders/query-order";

const SIZES = [10_000, 1_000_000];
const ROUNDS = 15;
const LIMIT = 100;
/**
 * The maximum number of rows that a page may read: the orders of a search, one more to detect further orders, and the rows that a page
 * shows for each.
 */
const MAX_ROWS = 2_001 + 2_001 + 10 * LIMIT;
/** The number of seconds between two orders. */
const APART_S = 30;
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const OPEN: OrderSearch = {
  status: null,
  network: null,
  currency: null,
  createdFrom: null,
  createdTo: null,
  cursor: null,
  limit: LIMIT,
};

type Filter = Partial<OrderSearch>;

interface Measured {
  ms: number;
  rows: number;
  found: number;
}

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/**
 * Measures pages of order/list for a merchant with ten thousand orders and with a million: the first page, one in the middle and the last,
 * with each filter alone and with all of them.
 * @returns true if no page read more rows than allowed, regardless of the number of orders
 */
export async function measureLists(world: World): Promise<boolean> {
  const asked: { text: string; params: unknown[] }[] = [];
  const watched = postgres(world.databaseUrl, {
    max: 1,
    onnotice: () => {},
    debug: (_connection, text, params) => asked.push({ text, params }),
  });
  const db: Db = createDb(watched);
  let made = 0;
  let maximum = 0;
  try {
    for (const size of SIZES) {
      await insertOrders(world, made, size);
      made = size;
      console.log(`\n${size} orders, ${LIMIT} per page: milliseconds, rows read, orders found`);
      for (const [name, filter] of await filtersOf(world.pool.db, size)) {
        const cells: string[] = [];
        for (const cursor of await cursorsOf(world.pool.db, size)) {
          const page = await measure(db, watched, asked, world, { ...OPEN, ...filter, cursor });
          maximum = Math.max(maximum, page.rows);
          cells.push(
            `${page.ms.toFixed(1).padStart(6)} ms ${String(page.rows).padStart(6)} ${String(page.found).padStart(4)}`,
          );
        }
        console.log(`${name.padEnd(14)}${cells.join("  |")}`);
      }
    }
  } finally {
    await watched.end();
  }
  console.log(`\nmaximum of rows read for a page: ${maximum}; the limit is ${MAX_ROWS}`);
  return maximum <= MAX_ROWS;
}

async function measure(
  db: Db,
  watched: postgres.Sql,
  asked: { text: string; params: unknown[] }[],
  { merchantId, apiKeyId }: World,
  search: OrderSearch,
): Promise<Measured> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    asked.length = 0;
    const begin = performance.now();
    const { orders } = await searchOrders(db, { merchantId, apiKeyId }, search, new Date());
    times.push(performance.now() - begin);
    found = orders.length;
  }
  let rows = 0;
  for (const { text, params } of asked.filter((one) => /^\s*(select|with)/i.test(one.text))) {
    const [row] = await watched.unsafe(`explain (analyze, format json) ${text}`, params as never[]);
    for (const { Plan } of (row?.["QUERY PLAN"] ?? []) as { Plan: PlanNode }[]) rows += rowsOf(Plan);
  }
  return { ms: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN, rows, found };
}

/** Returns the number of order and quote rows that a plan read, including rows that it discarded. */
function rowsOf(node: PlanNode): number {
  const isCounted = ["orders", "quotes"].includes(node["Relation Name"] ?? "");
  const each = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const own = isCounted ? Math.round(each * node["Actual Loops"]) : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

/** Returns the cursors of the first page, a page in the middle, and the last page. */
async function cursorsOf(db: Db, size: number): Promise<(string | null)[]> {
  const at = async (number: number) => {
    const [row] = await runPrepared<{ id: string }>(db, "select id from orders where mch_order_id = $1", [
      `list-${number}`,
    ]);
    return row?.id ?? null;
  };
  return [null, await at(Math.floor(size / 2)), await at(50)];
}

async function filtersOf(db: Db, size: number): Promise<[string, Filter][]> {
  const [times] = await db.execute<{ early: number; late: number }>(sql`
    select extract(epoch from min(created_at))::float8 as early, extract(epoch from max(created_at))::float8 as late from orders`);
  const part = (share: number) =>
    new Date(((times?.early ?? 0) + ((times?.late ?? 0) - (times?.early ?? 0)) * share) * 1_000);
  const span = { createdFrom: part(0.1), createdTo: part(0.9) };
  return [
    ["nothing", {}],
    ["status", { status: "paid" }],
    ["rare status", { status: "cancelled" }],
    ["network", { network: "bsc" }],
    ["no network", { network: "tron" }],
    ["currency", { currency: "USDC" }],
    ["created_from", { createdFrom: part(0.5) }],
    ["created_to", { createdTo: part(0.5) }],
    [`all of ${size}`, { ...span, status: "expired", network: "bsc", currency: "USDC" }],
    ["all, rare", { ...span, status: "cancelled", network: "bsc", currency: "USDC" }],
  ];
}

/**
 * Inserts orders `from` (exclusive) to `to`, half a minute apart, with ids as the service would assign them. One in 50,000 is cancelled.
 */
export async function insertOrders({ pool: { db }, merchantId }: World, from: number, to: number): Promise<void> {
  const [address] = await db.select().from(receivingAddresses).where(eq(receivingAddresses.merchantId, merchantId));
  if (!address) throw new Error("The merchant of the benchmark has no receiving address");
  const digits = Array.from({ length: 10 }, (_, position) => {
    return `substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> ${5 * (9 - position)}) & 31)::int + 1, 1)`;
  });
  const id = sql.raw(`${digits.join(" || ")} || '00' || lpad(n::text, 16, '0')`);
  const rows = sql`
    (select n, (1700000000000 + n * ${APART_S * 1_000}::bigint) as ms,
      case when n % 50000 = 7 then 'cancelled' when n % 3 = 0 then 'paid' when n % 3 = 1 then 'expired' else 'pending' end as status,
      case when n % 2 = 0 then 'ethereum' else 'bsc' end as network, case when n % 5 < 3 then 'USDT' else 'USDC' end as currency
    from generate_series(${from + 1}::bigint, ${to}::bigint) n) r`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into orders (id, merchant_id, mch_order_id, network, currency, amount_units, quote_id, status, expires_at, created_at,
        changed_at, paid_at)
      select ${id}, ${merchantId}, 'list-' || n, network, currency, n, 'q', status, to_timestamp(ms / 1000 + 1800),
        to_timestamp(ms / 1000), to_timestamp(ms / 1000), case when status = 'paid' then to_timestamp(ms / 1000) end from ${rows}`);
    await tx.execute(sql`
      insert into quotes (id, order_id, merchant_id, receiving_address_id, network, currency, token, address, kind, base_units,
        family, micro_units, created_at, reserved_until)
      select 'q', ${id}, ${merchantId}, ${address.id}, network, currency, ${USDT}, ${address.address}, 'shared', n, 'evm', n,
        to_timestamp(ms / 1000), to_timestamp(ms / 1000 + 12600) from ${rows}`);
  });
  await db.execute(sql`analyze orders, quotes`);
}
