import { and, gt, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { isReadToEnd } from "@/db/queries/orders/holds";
import { merchants } from "@/db/schema";
import { firstIdAt } from "@/lib/domain/id";
import type { OrderIntegration } from "@/lib/domain/integration-id";

/** The tables that are partitioned by month. */
const MONTHLY = ["audit_events", "callback_attempts"] as const;
const MONTHS_AHEAD = 2;
/** A short lock timeout, because other transactions queue behind one that waits for a lock. */
const LOCK_WAIT = sql.raw("set local lock_timeout = '1s'");

const monthOf = (at: Date, ahead: number) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
const dateOf = (month: Date) => month.toISOString().slice(0, 10);
const nameOf = (table: string, month: Date) => `${table}_${month.toISOString().slice(0, 7).replace("-", "_")}`;

/**
 * Creates the partitions of the next months through a function that runs as the owner of the tables. Attaching a partition blocks no
 * readers or writers. Rows of this month that were inserted before its partition existed are not moved. Safe to repeat.
 * @returns the names of the created partitions
 */
export async function makeMonths(db: Db, now: Date): Promise<string[]> {
  const made: string[] = [];
  for (const table of MONTHLY)
    for (let ahead = 1; ahead <= MONTHS_AHEAD; ahead++) {
      const month = monthOf(now, ahead);
      if (await makeMonth(db, table, month)) made.push(nameOf(table, month));
    }
  return made;
}

async function makeMonth(db: Db, table: string, month: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(LOCK_WAIT);
    const [row] = await tx.execute<{ is_made: boolean }>(
      sql`select make_month(${table}, ${dateOf(month)}::date) as is_made`,
    );
    return row?.is_made === true;
  });
}

/**
 * Drops the partitions of months that ended before a time.
 * @returns their names
 */
export async function dropMonths(db: Db, before: Date): Promise<string[]> {
  const rows = await db.execute<{ name: string; table: string }>(sql`
    select c.relname as name, p.relname as table from pg_inherits i
      join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relnamespace = current_schema()::regnamespace order by 1`);
  const last = before.toISOString().slice(0, 7).replace("-", "_");
  const old = rows.filter(({ name, table }) => /_\d{4}_\d\d$/.test(name) && name < `${table}_${last}`);
  for (const { name, table } of old)
    await db.transaction(async (tx) => {
      await tx.execute(LOCK_WAIT);
      await tx.execute(sql`select drop_month(${table}, ${`${name.slice(-7).replace("_", "-")}-01`}::date)`);
    });
  return old.map(({ name }) => name);
}

/**
 * Deletes rows of the default partitions that are older than a time, at most `limit` rows of each table.
 * @returns the number of deleted rows
 */
export async function pruneUnmatched(db: Db, before: Date, limit: number): Promise<number> {
  const at = sql`${before.toISOString()}::timestamptz`;
  const rows = await db.execute<{ count: number }>(sql`
    with events as (
      delete from audit_events_default where (id, merchant_id, at) in (
        select id, merchant_id, at from audit_events_default where at < ${at} limit ${limit}) returning 1),
    attempts as (
      delete from callback_attempts_default where (callback_id, merchant_id, number, started_at) in (
        select callback_id, merchant_id, number, started_at from callback_attempts_default
        where started_at < ${at} limit ${limit}) returning 1)
    select (select count(*) from events)::int + (select count(*) from attempts)::int as count`);
  return rows[0]?.count ?? 0;
}

/** The orders to delete: those that were closed before a given time, of one shop or of all shops. */
interface OldOrders {
  before: Date;
  merchantId?: string;
}

/**
 * Returns a condition on `orders o`: the order was closed before a given time, has no newer related rows, all of its holds are released,
 * and its networks have been read up to the end of these holds. A network that an operator closed may be reopened, and transfers found
 * then are matched to the earlier holds. Orders with transfers belong to the ledger and are never deleted.
 */
function isSettledOrder({ before, merchantId }: OldOrders) {
  const at = sql`${before.toISOString()}::timestamptz`;
  const isOfShop = merchantId ? sql`o.merchant_id = ${merchantId} and` : sql``;
  return sql`${isOfShop} o.id < ${firstIdAt(before)} and o.changed_at < ${at} and o.status in ('expired', 'cancelled')
      and not exists (
        select from quotes q left join cursors c on c.network = q.network
        where q.order_id = o.id and q.merchant_id = o.merchant_id
          and (q.released_at is null or q.released_at >= ${at} or ${isReadToEnd} is not true))
      and not exists (select from transfers t where t.order_id = o.id and t.merchant_id = o.merchant_id)
      and not exists (
        select from transfers t where t.meant_order_id = o.id and t.merchant_id = o.merchant_id and t.seen_at >= ${at})
      and not exists (
        select from callbacks c where c.order_id = o.id and c.merchant_id = o.merchant_id
          and (c.status = 'pending' and c.unsigned_since is null or c.created_at >= ${at}))`;
}

/**
 * Records the numbers of orders that may be deleted: those that were closed before a given time. `pruneOrders` deletes them later, once
 * every create request that started earlier can see the number.
 * @returns the number of orders
 */
export async function markPrunable(db: Db, old: OldOrders, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    insert into used_order_numbers (merchant_id, mch_order_id, dialect, order_id, used_at)
    select o.merchant_id, o.mch_order_id, o.dialect, o.id, statement_timestamp() from orders o
    where ${isSettledOrder(old)}
      and not exists (select from used_order_numbers u where u.merchant_id = o.merchant_id and u.mch_order_id = o.mch_order_id
        and u.dialect = o.dialect)
    order by o.id limit ${limit}
    on conflict do nothing returning 1`);
  return rows.length;
}

/**
 * Deletes orders whose numbers were recorded at least a minute ago, with their quotes, callbacks and attempts. Checks again that each
 * order may be deleted, because a user may have assigned a transfer to it in the meantime. Transfers that were meant for a deleted order
 * but credited to no order stay in the ledger.
 */
export async function pruneOrders(db: Db, old: OldOrders, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const chosen = await tx.execute<{ id: string }>(sql`
      select o.id from used_order_numbers u
        join orders o on o.id = u.order_id and o.merchant_id = u.merchant_id
      where not u.is_pruned and u.used_at < statement_timestamp() - interval '1 minute' and ${isSettledOrder(old)}
      order by u.used_at limit ${limit} for update of o skip locked`);
    if (chosen.length === 0) return 0;
    const ids = idList(chosen.map(({ id }) => id));
    await tx.execute(sql`update transfers set meant_order_id = null where meant_order_id = any(${ids})`);
    await tx.execute(sql`
      delete from callback_attempts where (merchant_id, callback_id) in (
        select merchant_id, id from callbacks where order_id = any(${ids}))`);
    await tx.execute(sql`delete from callbacks where order_id = any(${ids})`);
    await tx.execute(sql`delete from events where order_id = any(${ids})`);
    await tx.execute(sql`delete from lookups where order_id = any(${ids})`);
    await tx.execute(sql`delete from payment_claims where order_id = any(${ids})`);
    await tx.execute(sql`delete from payment_link_orders where order_id = any(${ids})`);
    await tx.execute(sql`delete from quotes where order_id = any(${ids})`);
    await tx.execute(sql`delete from orders where id = any(${ids})`);
    await tx.execute(
      sql`update used_order_numbers set is_pruned = true where not is_pruned and order_id = any(${ids})`,
    );
    return chosen.length;
  });
}

/**
 * Returns the shops that override the retention of unpaid orders, with its value in days: at most `limit` shops with ids after `after`,
 * ordered by id.
 */
export async function listUnpaidDays(
  db: Db,
  after: string,
  limit: number,
): Promise<{ merchantId: string; days: number }[]> {
  return db
    .select({ merchantId: merchants.id, days: sql<number>`${merchants.unpaidDays}` })
    .from(merchants)
    .where(and(isNotNull(merchants.unpaidDays), gt(merchants.id, after)))
    .orderBy(merchants.id)
    .limit(limit);
}

/** Returns the trade_id of a deleted order by the merchant's own number in an integration; null if there is none. */
export async function findPrunedOrder(
  db: Db,
  { merchantId, mchOrderId, integration }: { merchantId: string; mchOrderId: string; integration: OrderIntegration },
): Promise<string | null> {
  const [row] = await db.execute<{ id: string }>(sql`
    select order_id as id from used_order_numbers where merchant_id = ${merchantId} and mch_order_id = ${mchOrderId}
      and dialect = ${integration}`);
  return row?.id ?? null;
}
