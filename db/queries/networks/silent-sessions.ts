import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/**
 * Ends connections of this service whose process went silent in the middle of a statement, between sending its text and its
 * values: a silence that no timeout of PostgreSQL before 17 ends, while the locks of the transaction stay.
 * @returns how many were ended
 */
export async function endSilentSessions(db: Db, silentMs: number): Promise<number> {
  const rows = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name like 'stablegate-%'
      and state = 'active' and wait_event_type = 'Client' and wait_event = 'ClientRead' and pid <> pg_backend_pid()
      and state_change < clock_timestamp() - make_interval(secs => ${silentMs / 1_000})`);
  return rows.length;
}
