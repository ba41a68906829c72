import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/**
 * Ids of pending orders past their time, oldest first: only those whose networks' cursors have passed it too,
 * with nothing left to judge there. An order that was paid in time must never be expired by a slow watcher.
 */
export async function listExpirableOrders(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select o.id from orders o
    where o.status = 'pending' and o.expires_at <= ${now.toISOString()}::timestamptz
      and not exists (
        select from quotes q left join cursors c on c.network = q.network
        where q.order_id = o.id and q.released_at is null
          and (c.block_time is null or c.block_time < o.expires_at
            or exists (select from transfers t where t.network = q.network and t.judged_at is null)))
    order by o.expires_at limit ${limit}`);
  return rows.map((row) => row.id);
}
