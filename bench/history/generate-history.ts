import { sql } from "drizzle-orm";
import { removeIndexes, restoreIndexes } from "@/bench/history/indexes";
import { addMerchant, type World } from "@/bench/world";
import type { Db } from "@/db/client";

/** The tables that grow with orders. */
export const TABLES = [
  "orders",
  "quotes",
  "transfers",
  "events",
  "callbacks",
  "callback_attempts",
  "audit_events",
] as const;

const OTHER_MERCHANTS = 50;
const BATCH = 200_000;
const PARALLEL = 2;
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

/** Orders that are spread evenly over a period. */
export interface History {
  orders: number;
  /** The time of the first order. */
  startMs: number;
  /** The time between two orders. */
  apartMs: number;
}

/** Returns a history whose last order is a minute older than `now`. */
export function historyUntil(now: Date, orders: number, spanMs: number): History {
  return { orders, startMs: now.getTime() - 60_000 - spanMs, apartMs: spanMs / orders };
}

/**
 * Fills a database with orders in the state in which the service leaves them. Of ten orders, six are paid, each with a transfer, an event,
 * a callback, an attempt and two status changes; the others are expired, a few of them cancelled. The newest hundred are pending. Amounts
 * are reserved until 212 minutes after the order. Half of all orders belong to the merchant of `world`, half of those with random order
 * numbers; the others belong to fifty more merchants. Rows are written by INSERT … SELECT into ordinary tables, and secondary indexes are
 * built afterward.
 *
 * Progress is recorded in the database, so that a later run can continue an interrupted run with the same history.
 */
export async function generateHistory(world: World, wanted: History, note: (line: string) => void): Promise<void> {
  const { db } = world.pool;
  const history = await beginHistory(world, wanted);
  const batches = await listMissingBatches(db, history.orders);
  const beganAt = performance.now();
  let written = 0;
  const write = async () => {
    for (let from = batches.shift(); from !== undefined; from = batches.shift()) {
      const to = Math.min(history.orders, from + BATCH);
      await insertBatch(db, history, from, to);
      written += to - from;
      const perSecond = Math.round((written / (performance.now() - beganAt)) * 1_000);
      note(`${written} orders written, ${batches.length} batches left, ${perSecond} per second`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, write));
  await restoreIndexes(db, note);
  await finish(world);
  note("statistics");
  await db.execute(sql`vacuum analyze`);
  // Without this checkpoint, the first measurements would wait until the history is written to disk.
  await db.execute(sql`checkpoint`);
}

/** Returns the history that an earlier run started in this database, or starts `wanted`. */
async function beginHistory(world: World, wanted: History): Promise<History> {
  const { db } = world.pool;
  await db.execute(sql`
    create table if not exists history_run (orders bigint, start_ms bigint, apart_ms float8, is_finished boolean not null default false)`);
  await db.execute(sql`create table if not exists history_batches (first bigint primary key)`);
  const [started] = await db.execute<{ orders: string; start_ms: string; apart_ms: number }>(
    sql`select * from history_run`,
  );
  if (started) {
    if (Number(started.orders) !== wanted.orders)
      throw new Error(`The database contains a history of ${started.orders} orders, not ${wanted.orders}.`);
    return { orders: wanted.orders, startMs: Number(started.start_ms), apartMs: started.apart_ms };
  }
  await seedMerchants(world);
  await makeMonths(db, wanted);
  await removeIndexes(db, TABLES);
  await db.execute(
    sql`insert into history_run values (${wanted.orders}, ${Math.round(wanted.startMs)}, ${wanted.apartMs})`,
  );
  return wanted;
}

/** Returns the offset of each batch of orders that is not written yet. */
async function listMissingBatches(db: Db, orders: number): Promise<number[]> {
  const rows = await db.execute<{ first: string }>(sql`select first from history_batches`);
  const written = new Set(rows.map(({ first }) => Number(first)));
  return Array.from({ length: Math.ceil(orders / BATCH) }, (_, index) => index * BATCH).filter(
    (first) => !written.has(first),
  );
}

async function seedMerchants({ pool, merchantId }: World): Promise<void> {
  for (let index = 0; index < OTHER_MERCHANTS; index++)
    await addMerchant(pool, `0x${(index + 1).toString(16).padStart(40, "0")}`);
  await pool.db.execute(sql`
    create table if not exists history_merchants as
    select a.merchant_id, a.id as address_id, a.address, k.id as key_id,
      case when a.merchant_id = ${merchantId} then 0 else row_number() over (partition by a.merchant_id = ${merchantId} order by a.id) end as slot
    from receiving_addresses a join api_keys k on k.merchant_id = a.merchant_id`);
}

/** Creates the partitions from the month of the first order to the month after the last order, as the worker does. */
async function makeMonths(db: Db, { orders, startMs, apartMs }: History): Promise<void> {
  const first = new Date(startMs);
  const last = new Date(startMs + orders * apartMs);
  const months = 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth();
  for (let index = 0; index <= months + 1; index++) {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index, 1)).toISOString().slice(0, 10);
    for (const table of ["audit_events", "callback_attempts"])
      await db.execute(sql`select make_month(${table}, ${month}::date)`);
  }
}

const AMOUNT_STEP = 48_271;
const AMOUNTS = 499_999_993;

/** Returns the amount of the n-th order, from 1 to 501 in random order. The first 499,999,993 orders have distinct amounts. */
export function amountOf(n: number): number {
  return (1_000_000 + ((n * AMOUNT_STEP) % AMOUNTS)) / 1_000_000;
}

/** The SQL expression for the amount of the n-th order, in base units. */
const UNITS = sql.raw(`1000000 + (n * ${AMOUNT_STEP}) % ${AMOUNTS}`);

/** The SQL expression for the ten characters that encode the time `ms` in an id. */
export const TIME_PART = Array.from(
  { length: 10 },
  (_, cursor) => `substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> ${5 * (9 - cursor)}) & 31)::int + 1, 1)`,
).join(" || ");

async function insertBatch(db: Db, { orders, startMs, apartMs }: History, from: number, to: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`set local synchronous_commit = off`);
    await tx.execute(sql`insert into history_batches values (${from})`);
    await tx.execute(sql`
      create temporary table batch on commit drop as
      select b.*, m.merchant_id, m.address_id, m.address, m.key_id, to_timestamp(ms / 1000.0) as created,
        ${sql.raw(TIME_PART)} || '00' || lpad(n::text, 14, '0') as prefix, md5(n::text) as hash,
        case when n % 4 = 0 then md5('order ' || n) else 'order-' || n end as number
      from (
        select n, ${startMs}::bigint + (n * ${apartMs}::float8)::bigint as ms,
          case when n % 2 = 0 then 0 else 1 + (n / 2) % ${OTHER_MERCHANTS} end as slot,
          case when n > ${orders - 100} then 'pending' when n % 10 < 6 then 'paid' when n % 1000 = 999 then 'cancelled' else 'expired' end as status,
          case when n % 3 = 0 then 'USDC' else 'USDT' end as currency, case when n % 3 = 0 then ${USDC} else ${USDT} end as token,
          ${UNITS} as units
        from generate_series(${from + 1}::bigint, ${to}::bigint) n) b
      join history_merchants m on m.slot = b.slot`);
    for (const insert of INSERTS) await tx.execute(insert);
    await tx.execute(sql`
      insert into callbacks (id, merchant_id, order_id, type, url, origin, body, status, attempts, series_attempts, last_http_status,
        delivered_at, created_at)
      select 'evt_' || prefix || 'xe', merchant_id, prefix || 'xr', 'payment.confirmed', 'https://shop-' || slot || '.example/paid',
        'https://shop-' || slot || '.example', ${BODY}, case when n > ${orders - 500} and n % 10 = 0 then 'failed' else 'delivered' end, 1, 1,
        case when n > ${orders - 500} and n % 10 = 0 then 500 else 200 end,
        case when n > ${orders - 500} and n % 10 = 0 then null else created + interval '5 minutes' end, created + interval '5 minutes'
      from batch where status = 'paid' order by n`);
  });
}

const BODY =
  sql.raw(`'{"id":"evt_' || prefix || 'xe","type":"payment.confirmed","timestamp":"' || created || '","data":{"trade_id":"' || prefix
  || 'xr","mch_order_id":"' || number || '","status":"paid","exception":null,"amount":' || units / 1000000.0 || ',"actual_amount":' || units / 1000000.0
  || ',"currency":"' || currency || '","network":"ethereum","address":"' || address || '","paid_amount":' || units / 1000000.0
  || ',"payment_url":"https://pay.example.com/pay/' || prefix || 'xr","created_at":' || ms || ',"paid_at":' || ms + 300000
  || ',"transactions":[{"hash":"0x' || hash || hash || '","from":"0x' || hash || left(hash, 8) || '","amount":' || units / 1000000.0
  || ',"confirmations":64,"status":"confirmed"}]}}'`);

const INSERTS = [
  sql`
    insert into orders (id, merchant_id, api_key_id, mch_order_id, network, currency, amount_units, quote_id, status, version, paid_units,
      settled_by_transfer_id, notify_url, expires_at, created_at, changed_at, paid_at)
    select prefix || 'xr', merchant_id, key_id, number, 'ethereum', currency, units, prefix || 'xq', status,
      case status when 'paid' then 3 when 'pending' then 1 else 2 end, case status when 'paid' then units else 0 end,
      case status when 'paid' then prefix || 'xt' end, 'https://shop-' || slot || '.example/paid',
      case status when 'pending' then created + interval '1 day' else created + interval '30 minutes' end, created,
      created + interval '5 minutes', case status when 'paid' then created + interval '5 minutes' end
    from batch order by n`,
  sql`
    insert into quotes (id, order_id, merchant_id, receiving_address_id, network, family, currency, token, address, kind, base_units,
      micro_units, created_at, reserved_until, released_at)
    select prefix || 'xq', prefix || 'xr', merchant_id, address_id, 'ethereum', 'evm', currency, token, address, 'shared', units, units,
      created, case status when 'pending' then created + interval '27 hours' else created + interval '210 minutes' end,
      case when status <> 'pending' and created + interval '212 minutes' < now() then created + interval '212 minutes' end
    from batch order by n`,
  sql`
    insert into transfers (id, merchant_id, network, tx_id, position, currency, token, from_address, to_address, base_units, block_height,
      block_hash, block_time, status, receiving_address_id, quote_id, order_id, matched_at, seen_at, confirmed_at, confirmations)
    select prefix || 'xt', merchant_id, 'ethereum', '0x' || hash || md5(hash), 't:0', currency, token, '0x' || hash || left(hash, 8), address,
      units, ms / 12000, '0x' || md5((ms / 12000)::text) || md5((ms / 12000)::text), created + interval '4 minutes', 'confirmed', address_id,
      prefix || 'xq', prefix || 'xr', created + interval '4 minutes', created + interval '4 minutes', created + interval '5 minutes', 64
    from batch where status = 'paid' order by n`,
  sql`
    insert into events (id, merchant_id, order_id, type, version, body, position, number, created_at)
    select 'evt_' || prefix || 'xe', merchant_id, prefix || 'xr', 'payment.confirmed', 3, ${BODY}, n, n, created + interval '5 minutes'
    from batch where status = 'paid' order by n`,
  sql`
    insert into callback_attempts (merchant_id, callback_id, number, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
      http_status, answer, peer)
    select merchant_id, 'evt_' || prefix || 'xe', 1, created + interval '5 minutes', 120, 3, 20, 25, 70, 200, '{"received":true}', '203.0.113.7'
    from batch where status = 'paid' order by n`,
  sql`
    insert into audit_events (id, merchant_id, order_id, action, detail, at)
    select prefix || case move when 'confirming' then 'a1' else 'a2' end, merchant_id, prefix || 'xr', 'order.' || move,
      jsonb_build_object('from', case when move = 'paid' then 'confirming' else 'pending' end, 'to', move, 'paid_units', units::text),
      created + case move when 'confirming' then interval '4 minutes' when 'paid' then interval '5 minutes' else interval '30 minutes' end
    from batch cross join lateral unnest(case status when 'paid' then array['confirming', 'paid'] when 'pending' then '{}'::text[] else array[status] end) move
    order by n`,
];

/**
 * Adds thirty unmatched transfers, the event counters and the hourly totals, as a worker would have left them. Does nothing if this was
 * done before.
 */
async function finish({ pool, merchantId }: World): Promise<void> {
  await pool.db.transaction(async (db) => {
    const started = await db.execute(sql`update history_run set is_finished = true where not is_finished returning 1`);
    if (started.length === 0) return;
    await db.execute(sql`
      update transfers t set quote_id = null, order_id = null, unmatched_reason = 'no_such_amount'
      from (select id from transfers where merchant_id = ${merchantId} order by id desc limit 30) n
      where t.id = n.id and t.merchant_id = ${merchantId}`);
    await db.execute(
      sql`insert into event_counters (merchant_id, last) select merchant_id, max(number) from events group by 1`,
    );
    await db.execute(
      sql`select setval(pg_get_serial_sequence('events', 'position'), (select max(position) + 1 from events))`,
    );
    await db.execute(sql`
      insert into hourly_totals (merchant_id, hour, network, currency, created)
      select merchant_id, date_trunc('hour', created_at, 'UTC'), '', '', count(*) from orders group by 1, 2`);
    await db.execute(sql`
      insert into hourly_totals (merchant_id, hour, network, currency, converted, paid, paid_units, pay_seconds)
      select merchant_id, date_trunc('hour', paid_at, 'UTC'), network, currency, count(*), count(*), sum(paid_units), 300 * count(*)
      from orders where status = 'paid' group by 1, 2, 3, 4`);
    await db.execute(sql`
      insert into total_cursors (counted, last_id) select 'orders', max(id) from orders union all select 'callbacks', max(id) from callbacks
      on conflict (counted) do update set last_id = excluded.last_id`);
  });
}

/** The size in bytes of a table and of its indexes, including its partitions. */
export interface TableSize {
  table: string;
  rows: number;
  indexes: number;
}

/** Returns the sizes of the tables that grow with orders. */
export async function sizesOf(db: Db): Promise<TableSize[]> {
  const rows = await db.execute<{ table: string; rows: string; indexes: string }>(sql`
    select coalesce(p.relname, c.relname) as table, sum(pg_table_size(c.oid))::text as rows, sum(pg_indexes_size(c.oid))::text as indexes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and coalesce(p.relname, c.relname) = any(${sql.param([...TABLES])})
    group by 1 order by 1`);
  return rows.map(({ table, rows, indexes }) => ({ table, rows: Number(rows), indexes: Number(indexes) }));
}
