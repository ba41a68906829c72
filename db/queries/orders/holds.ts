import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isTurnOf, rowList } from "@/db/queries/many-rows";
import { CLOCK_TOLERANCE } from "@/db/queries/transfers/matches";

/**
 * A condition: true if a network `c` has been read up to the end of a hold `q`, and every transfer that was found at the hold's address is
 * matched.
 */
export const isReadToEnd = sql.raw(`(
  c.block_time >= q.reserved_until
  and not exists (
    select from transfers t
    where t.network = q.network and t.matched_at is null and t.receiving_address_id = q.receiving_address_id
      and t.merchant_id = q.merchant_id))`);

/** A condition: true if an order `o` expects no payment, or only a payment on a network that an operator closed. */
const IS_SETTLED = sql.raw(`(
  o.status in ('expired', 'cancelled', 'paid')
  or o.status = 'confirming' and not exists (
    select from transfers t left join cursors n on n.network = t.network
    where t.order_id = o.id and t.merchant_id = o.merchant_id and t.status = 'seen' and n.closed_at is null))`);

/**
 * Returns a condition for holds `q` of settled orders `o` that ended at least two minutes ago, because the block time of a payment may be
 * up to two minutes before the creation of its order. On a network `c` that an operator closed, holds end by time only. On other networks,
 * they end once the network has been read up to their end.
 */
const hasEnded = (now: Date) => sql`
  q.released_at is null and q.reserved_until <= ${now.toISOString()}::timestamptz - ${CLOCK_TOLERANCE}
  and (c.closed_at is not null or ${isReadToEnd}) and ${IS_SETTLED}`;

/** A quote with its order. */
export interface Hold {
  id: string;
  orderId: string;
  merchantId: string;
}

/**
 * Returns quotes whose holds have ended, oldest first. Quotes whose release failed are included only when they are due for a retry. The
 * query scans the index of holds and checks each order separately, so that it stops at the limit.
 */
export async function listEndedHolds(db: Db, now: Date, limit: number): Promise<Hold[]> {
  return db.execute<Hold & Record<string, unknown>>(sql`
    select q.id, q.order_id as "orderId", q.merchant_id as "merchantId" from quotes q
    where q.released_at is null and q.reserved_until <= ${now.toISOString()}::timestamptz - ${CLOCK_TOLERANCE}
      and (select ${hasEnded(now)} from orders o join cursors c on c.network = q.network
        where o.id = q.order_id and o.merchant_id = q.merchant_id)
      and ${isTurnOf("release", sql`q.id`, now)}
    order by q.reserved_until limit ${limit}`);
}

/**
 * Releases the given holds that have ended, in one statement, so that other orders can use their amounts. Orders are locked before quotes;
 * orders that another worker has locked are skipped. Safe to repeat. Matching queries holds by time, so transfers that are read later
 * still find their hold.
 * @param now the time by the database's clock
 * @returns the number of released holds
 */
export async function releaseEndedHolds(db: Db, holds: readonly Hold[], now: Date): Promise<number> {
  const [row] = await db.execute<{ released: number }>(sql`
    with chosen as (
      select q.id, q.order_id, q.merchant_id
      from jsonb_to_recordset(${rowList(holds)}) as h (id text, "orderId" text, "merchantId" text)
        join quotes q on q.order_id = h."orderId" and q.merchant_id = h."merchantId" and q.id = h.id
        join orders o on o.id = q.order_id and o.merchant_id = q.merchant_id join cursors c on c.network = q.network
      where ${hasEnded(now)}
      order by o.id for update of o skip locked),
    released as (
      update quotes q set released_at = ${now.toISOString()}::timestamptz from chosen
      where q.order_id = chosen.order_id and q.merchant_id = chosen.merchant_id and q.id = chosen.id and q.released_at is null
      returning q.id)
    select count(*)::integer as released from released`);
  return row?.released ?? 0;
}
