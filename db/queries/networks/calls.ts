import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { CallCount } from "@/lib/domain/networks/budget";

/** The calls to add to the counts of one endpoint on one day (YYYY-MM-DD, UTC). */
interface NewCalls {
  network: string;
  endpoint: string;
  day: string;
  calls: number;
  errors: number;
}

/** The number of days for which counts are kept: more than a year, for comparisons. */
const KEPT_DAYS = 400;

/** Adds counts in one statement, which is safe with concurrent processes. Old days are deleted. */
export async function addCalls(db: Db, added: readonly NewCalls[]): Promise<void> {
  await db.execute(sql`
    insert into endpoint_calls (network, endpoint, day, calls, errors)
    select network, endpoint, day, sum(calls)::bigint, sum(errors)::bigint
      from jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb)
        as added(network text, endpoint text, day date, calls bigint, errors bigint)
      group by network, endpoint, day
      order by network, endpoint, day
    on conflict (network, endpoint, day) do update
      set calls = endpoint_calls.calls + excluded.calls, errors = endpoint_calls.errors + excluded.errors`);
}

/**
 * Deletes counts that are too old.
 * @param day today, as in `addCalls`
 */
export async function deleteOldCalls(db: Db, day: string): Promise<void> {
  await db.execute(sql`delete from endpoint_calls where day < ${day}::date - ${KEPT_DAYS}::integer`);
}

/** Returns the calls of every endpoint on a day and in its month up to that day. Endpoints without calls in that month are omitted. */
export async function listCalls(db: Db, day: string): Promise<CallCount[]> {
  const rows = await db.execute<{
    network: string;
    endpoint: string;
    today: string;
    this_month: string;
    errors: string;
  }>(
    sql`select network, endpoint,
          coalesce(sum(calls) filter (where day = ${day}::date), 0)::text as today,
          sum(calls)::text as this_month,
          coalesce(sum(errors) filter (where day = ${day}::date), 0)::text as errors
        from endpoint_calls
        where day between date_trunc('month', ${day}::date)::date and ${day}::date
        group by network, endpoint
        order by network, endpoint`,
  );
  return rows.map(({ network, endpoint, today, this_month, errors }) => ({
    network,
    endpoint,
    today: Number(today),
    thisMonth: Number(this_month),
    errorsToday: Number(errors),
  }));
}
