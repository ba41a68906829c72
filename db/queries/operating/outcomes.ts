import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { NetworkOrders, Outcome } from "@/lib/domain/operating/conditions";

/** The number of days for which the rows of each hour are kept separate. Older hours are only part of the total. */
const KEPT_DAYS = 35;

export interface OutcomeTotal {
  network: string;
  currency: string;
  outcome: Outcome;
  /** The total count since the installation started to record outcomes. */
  count: number;
  /** The count in the last 24 full hours and the current hour. */
  lastDay: number;
}

/** Returns the outcomes of orders, summed over all hours: a few rows for each network, currency and hour, however many orders there are. */
export async function listOutcomes(db: Db, now: Date): Promise<OutcomeTotal[]> {
  const rows = await db.execute<{
    network: string;
    currency: string;
    outcome: Outcome;
    count: string;
    day: string;
  }>(sql`
    select network, currency, outcome, sum(count)::text as count,
      coalesce(sum(count) filter (where hour >= ${now.toISOString()}::timestamptz - interval '25 hours'), 0)::text as day
    from outcome_counts group by 1, 2, 3 order by 1, 2, 3`);
  return rows.map(({ count, day, ...row }) => ({ ...row, count: Number(count), lastDay: Number(day) }));
}

/** Returns the numbers of orders on each network in the last two hours, and in the week before. */
export async function listNetworkOrders(db: Db, now: Date): Promise<NetworkOrders[]> {
  const since = sql`date_trunc('hour', ${now.toISOString()}::timestamptz, 'UTC') - interval '2 hours'`;
  const part = (outcome: Outcome, isPast: boolean) => sql`coalesce(sum(count) filter (
    where outcome = ${outcome}::text and ${isPast ? sql`hour < ${since}` : sql`hour >= ${since}`}), 0)::integer`;
  return db.execute<NetworkOrders & Record<string, unknown>>(sql`
    select network, ${part("created", false)} as created, ${part("paid", false)} as paid,
      ${part("created", true)} as "pastCreated", ${part("paid", true)} as "pastPaid"
    from outcome_counts where network <> '' and hour >= ${since} - interval '7 days' group by 1 order by 1`);
}

/**
 * Merges the rows of each hour, network, currency and outcome into one. Safe to repeat and to run in several workers:
 * each skips the rows that another one deleted, and the sum is written in the same statement.
 */
export async function mergeOutcomes(db: Db, now: Date): Promise<void> {
  const oldest = sql`date_trunc('hour', ${now.toISOString()}::timestamptz, 'UTC') - make_interval(days => ${KEPT_DAYS})`;
  const hour = sql`case when hour < ${oldest} then 'epoch'::timestamptz else hour end`;
  await db.execute(sql`
    with doubled as (
      select ${hour} as hour, network, currency, outcome from outcome_counts group by 1, 2, 3, 4 
      having count(*) > 1 or bool_or(hour < ${oldest} and hour > 'epoch')),
    gone as (
      delete from outcome_counts where id in (
        select c.id from outcome_counts c join doubled d on d.network = c.network and d.currency = c.currency
          and d.outcome = c.outcome and d.hour = case when c.hour < ${oldest} then 'epoch'::timestamptz else c.hour end
        for update of c skip locked)
      returning hour, network, currency, outcome, count)
    insert into outcome_counts (hour, network, currency, outcome, count)
    select ${hour}, network, currency, outcome, sum(count) from gone group by 1, 2, 3, 4`);
}

const FAILED_IN_A_ROW = 5;
const MAX_MERCHANTS = 20;

/** Returns the merchants with the most callbacks that failed five times in a row and are still pending, at most 20. */
export async function listFailingMerchants(db: Db): Promise<{ merchantId: string; count: number }[]> {
  return db.execute<{ merchantId: string; count: number }>(sql`
    select merchant_id as "merchantId", count(*)::integer as count from (
      select merchant_id from callbacks where status = 'pending' and series_attempts >= ${FAILED_IN_A_ROW} limit 100000) failing
    group by 1 order by 2 desc, 1 limit ${MAX_MERCHANTS}`);
}
