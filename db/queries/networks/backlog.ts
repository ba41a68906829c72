import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** The backlog of the whole installation. Each number is counted up to 100,000. */
export interface Backlog {
  unmatchedTransfers: number;
  pendingCallbacks: number;
  /** The number of callbacks that are due and not being delivered. */
  dueCallbacks: number;
  /** The age in seconds of the oldest due callback; 0 if none is due. */
  oldestDueSeconds: number;
  failedCallbacks: number;
  heldAmounts: number;
}

const MAX = sql.raw("limit 100000");

/** Counts the backlog, using a separate index for each number. */
export async function countBacklog(db: Db, now: Date): Promise<Backlog> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await db.execute<{ [Key in keyof Backlog]: string }>(sql`select
    (select count(*) from (select 1 from transfers where unmatched_reason is not null and status <> 'dropped' ${MAX}) t) as "unmatchedTransfers",
    (select count(*) from (select 1 from callbacks where status = 'pending' ${MAX}) c) as "pendingCallbacks",
    (select count(*) from (select 1 from callbacks where status = 'pending' and next_attempt_at <= ${at} ${MAX}) c) as "dueCallbacks",
    (select coalesce(greatest(0, extract(epoch from ${at} - min(next_attempt_at))), 0) from callbacks where status = 'pending') as "oldestDueSeconds",
    (select count(*) from (select 1 from callbacks where status = 'failed' ${MAX}) c) as "failedCallbacks",
    (select count(*) from (select 1 from quotes where released_at is null ${MAX}) q) as "heldAmounts"`);
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, text]) => [name, Number(text)]),
  ) as unknown as Backlog;
}

/** Returns the number of connections of this service to its database, by purpose and current state. */
export async function countConnections(db: Db): Promise<{ work: string; state: string; count: number }[]> {
  return db.execute<{ work: string; state: string; count: number }>(sql`
    select split_part(application_name, ' ', 1) as work, coalesce(state, 'unknown') as state, count(*)::int as count
    from pg_stat_activity where datname = current_database() and application_name like 'stablegate-%'
    group by 1, 2 order by 1, 2`);
}
