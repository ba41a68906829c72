import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isTurnOf } from "@/db/queries/transfers/failing-rows";

/**
 * Ids of pending orders past their time, oldest first: only those whose networks' cursors have passed it too,
 * with nothing left to judge there that could pay them. An order that was paid in time must never be expired by a slow watcher.
 * Looked for network by network, so that those of one that is not read so far cost nothing.
 */
export async function listExpirableOrders(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select due.id from cursors c cross join lateral (
      select o.id, o.expires_at from orders o
      where o.network = c.network and o.expiring_at <= least(c.block_time, ${now.toISOString()}::timestamptz)
        and not exists (
          select from quotes q left join cursors other on other.network = q.network
          where q.order_id = o.id and q.merchant_id = o.merchant_id and q.released_at is null
            and (other.block_time is null or other.block_time < o.expires_at))
        and not exists (
          select from quotes q join transfers t on t.receiving_address_id = q.receiving_address_id and t.merchant_id = q.merchant_id
          where q.order_id = o.id and q.merchant_id = o.merchant_id and t.matched_at is null and (q.kind = 'dedicated' or t.base_units = q.base_units))
        and not exists (select from transfers t where t.order_id = o.id and t.merchant_id = o.merchant_id and t.matched_at is null)
        and ${isTurnOf("expire", sql`o.id`, now)}
      order by o.expiring_at limit ${limit}) due
    where c.block_time is not null
    order by due.expires_at limit ${limit}`);
  return rows.map((row) => row.id);
}
