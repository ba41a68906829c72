import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { totalCursors } from "@/db/schema";
import { firstIdAt } from "@/lib/domain/id";
import type { FailedTotal, StepTotal } from "@/lib/domain/orders/figures";

/** The tables that the worker counts, and the longest time from the creation of a row's id to its insertion. */
const COUNTED = {
  /** Orders are inserted by requests, which end within 15 s, including batches and retries. */
  orders: { idPrefix: "", aheadMs: 120_000 },
  /** Callbacks are inserted by rounds of the worker, which use the time at which the round began. */
  callbacks: { idPrefix: "evt_", aheadMs: 900_000 },
} as const;

export type Counted = keyof typeof COUNTED;

/** The maximum number of rows that are counted at a time. */
const STEP = 20_000;

/**
 * Counts new rows into the hourly totals, at most 20,000. The cursor moves in the same transaction, so each row is counted once,
 * regardless of which worker is first. Only rows older than every open transaction are counted, so that no row with a lower id can be
 * committed afterwards.
 * @param now the time of the database's clock
 * @returns the number of counted rows; if it is not 0, more may be pending
 */
export async function countIntoTotals(db: Db, counted: Counted, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const end = await endOfKnown(tx, counted, now);
    const from = await findCursor(tx, counted);
    const table = sql.identifier(counted);
    const column = sql.identifier(counted === "orders" ? "created" : "callbacks");
    const [range] = await tx.execute<{ last: string | null; count: number }>(sql`
      select max(r.id) as last, count(*)::integer as count from (
        select t.id from ${table} t where t.id > ${from} and t.id < ${end} order by t.id limit ${STEP}) r`);
    if (!range || range.last === null) return 0;
    if (!(await moveCursor(tx, counted, from, range.last))) return 0;
    await tx.execute(sql`
      insert into hourly_totals as h (merchant_id, hour, network, currency, ${column})
      select t.merchant_id, date_trunc('hour', t.created_at, 'UTC'), '', '', count(*) from ${table} t
      where t.id > ${from} and t.id <= ${range.last} group by 1, 2 order by 1, 2
      on conflict (merchant_id, hour, network, currency) do update set ${column} = h.${column} + excluded.${column}`);
    if (counted === "orders")
      await tx.execute(sql`
        insert into outcome_counts (hour, network, currency, outcome, count)
        select date_trunc('hour', t.created_at, 'UTC'), coalesce(t.network, ''), coalesce(t.currency, ''), 'created', count(*)
        from orders t where t.id > ${from} and t.id <= ${range.last} group by 1, 2, 3`);
    return range.count;
  });
}

/** Returns an id below which every row is already visible. Call it before the rows are read. */
async function endOfKnown(db: Db, counted: Counted, now: Date): Promise<string> {
  // The query covers sessions of this role and, through `oldest_transaction()`, those of the owner, whose times PostgreSQL shows only to
  // the owner.
  const [oldest] = await db.execute<{ ms: number | null }>(sql`
    select (extract(epoch from least(min(a.xact_start), oldest_transaction())) * 1000)::float8 as ms from pg_stat_activity a
    where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()`);
  const { idPrefix, aheadMs } = COUNTED[counted];
  return idPrefix + firstIdAt(new Date(Math.min(now.getTime(), oldest?.ms ?? now.getTime()) - aheadMs));
}

async function findCursor(db: Db, counted: Counted): Promise<string> {
  const [row] = await db.select().from(totalCursors).where(eq(totalCursors.counted, counted));
  return row?.lastId ?? "";
}

/**
 * Moves the cursor of the counted rows.
 * @returns false if another worker moved the cursor first; the caller must then count nothing
 */
async function moveCursor(db: Db, counted: Counted, from: string, lastId: string): Promise<boolean> {
  const moved = from
    ? await db
        .update(totalCursors)
        .set({ lastId })
        .where(and(eq(totalCursors.counted, counted), eq(totalCursors.lastId, from)))
        .returning({ counted: totalCursors.counted })
    : await db
        .insert(totalCursors)
        .values({ counted, lastId })
        .onConflictDoNothing()
        .returning({ counted: totalCursors.counted });
  return moved.length > 0;
}

/** The maximum number of uncounted orders that are read. */
const MAX_UNCOUNTED = 50_000;

interface TotalRow extends Omit<StepTotal, "at" | "paidUnits" | "paySeconds"> {
  at: string;
  units: string;
  seconds: string;
}

/** Returns a merchant's totals since a given time, by hour or by UTC day, including rows that the worker has not counted yet. */
export async function listTotals(
  db: Db,
  merchantId: string,
  { since, step }: { since: Date; step: "hour" | "day" },
): Promise<StepTotal[]> {
  const from = sql`${since.toISOString()}::timestamptz`;
  const rows = await db.execute<TotalRow & Record<string, unknown>>(sql`
    select date_trunc(${step}, hour, 'UTC') as at, network, currency, sum(created)::integer as created,
      sum(converted)::integer as converted, sum(paid)::integer as paid, sum(paid_units)::text as units,
      sum(pay_seconds)::text as seconds, sum(callbacks)::integer as callbacks
    from (
      select hour, network, currency, created, converted, paid, paid_units, pay_seconds, callbacks from hourly_totals
      where merchant_id = ${merchantId} and hour >= ${from}
      union all
      (${uncounted(merchantId, "orders", from)})
      union all
      (${uncounted(merchantId, "callbacks", from)})) parts
    group by 1, 2, 3 order by 1, 2, 3`);
  return rows.map(({ at, units, seconds, network, currency, created, converted, paid, callbacks }) => ({
    at: new Date(at),
    network,
    currency,
    created,
    converted,
    paid,
    callbacks,
    paidUnits: BigInt(units),
    paySeconds: Number(seconds),
  }));
}

function uncounted(merchantId: string, counted: Counted, from: ReturnType<typeof sql>) {
  const [created, callbacks] = counted === "orders" ? [1, 0] : [0, 1];
  return sql`
    select t.created_at as hour, '' as network, '' as currency, ${created}::integer as created, 0 as converted, 0 as paid,
      0 as paid_units, 0 as pay_seconds, ${callbacks}::integer as callbacks
    from (select n.created_at from ${sql.identifier(counted)} n
      where n.merchant_id = ${merchantId}
        and n.id > coalesce((select c.last_id from total_cursors c where c.counted = ${counted}), '')
      order by n.id limit ${MAX_UNCOUNTED}) t
    where t.created_at >= ${from}`;
}

/** Returns the numbers of a merchant's permanently failed callbacks since a given time, by the hour or UTC day in which they were created. */
export async function listFailed(
  db: Db,
  merchantId: string,
  { since, step }: { since: Date; step: "hour" | "day" },
): Promise<FailedTotal[]> {
  const rows = await db.execute<{ at: string; count: number }>(sql`
    select date_trunc(${step}, created_at, 'UTC') as at, count(*)::integer as count from callbacks
    where merchant_id = ${merchantId} and status = 'failed' and created_at >= ${since.toISOString()}::timestamptz
    group by 1 order by 1`);
  return rows.map(({ at, count }) => ({ at: new Date(at), count }));
}
