import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { canonicalAddress } from "@/lib/domain/address";
import { unitsPerStep } from "@/lib/domain/money";
import { allNetworks } from "@/lib/domain/networks";
import { AMOUNTS_PER_PRICE } from "@/lib/domain/quote";

const BATCH = 500;

/** Rows (network, contract, base units of an amount window) of every token, those that are switched off included. */
function windowUnits() {
  const rows = allNetworks().flatMap(({ id, family, tokens }) =>
    tokens.map(({ contract, decimals }) => {
      const units = (unitsPerStep(decimals) * BigInt(AMOUNTS_PER_PRICE)).toString();
      return sql`(${id}::text, ${canonicalAddress(family, contract)}::text, ${units}::numeric)`;
    }),
  );
  return sql.join(rows, sql`, `);
}

/**
 * Sets quotes free, so that their amounts serve other orders: those of one order (a dedicated address rests until its
 * late window is over), or those whose time was over at
 * `dueBefore`. The latter only of orders that are past waiting, on networks that are read beyond that time, and at most
 * 500 at a time. Orders are locked before quotes, quotes before amount windows.
 * @returns how many were set free
 */
export async function releaseQuotes(
  db: Db,
  which: { orderId: string } | { dueBefore: Date },
  now: Date,
): Promise<number> {
  const chosen =
    "orderId" in which
      ? sql`select q.id from quotes q where q.order_id = ${which.orderId} and q.kind = 'shared' and q.released_at is null`
      : sql`select q.id from quotes q join orders o on o.id = q.order_id join cursors c on c.network = q.network
          where q.released_at is null and q.reserved_until <= ${which.dueBefore.toISOString()}::timestamptz
            and c.block_time >= q.reserved_until and o.status in ('expired', 'cancelled', 'paid')
          order by q.reserved_until limit ${BATCH} for update of o skip locked`;
  const [row] = await db.execute<{ released: number }>(sql`
    with chosen as (${chosen}),
    released as (
      update quotes q set released_at = ${now.toISOString()}::timestamptz from chosen
      where q.id = chosen.id and q.released_at is null
      returning q.receiving_address_id, q.network, q.token, q.kind, q.base_units),
    freed as (
      select r.receiving_address_id, r.token, div(r.base_units, t.units) as window_number,
        bit_or(set_bit(repeat('0', ${AMOUNTS_PER_PRICE})::bit(10000),
          div(mod(r.base_units, t.units), t.units / ${AMOUNTS_PER_PRICE})::integer, 1)) as bits
      from released r join (values ${windowUnits()}) as t (network, token, units)
        on t.network = r.network and t.token = r.token
      where r.kind = 'shared' group by 1, 2, 3),
    locked as (
      select w.receiving_address_id, w.token, w.window_number, w.taken & ~freed.bits as taken from amount_windows w
      join freed using (receiving_address_id, token, window_number) order by 1, 2, 3 for update of w),
    cleared as (
      update amount_windows w set taken = locked.taken from locked
      where bit_count(locked.taken) > 0 and (w.receiving_address_id, w.token, w.window_number)
        = (locked.receiving_address_id, locked.token, locked.window_number)),
    emptied as (
      delete from amount_windows w using locked
      where bit_count(locked.taken) = 0 and (w.receiving_address_id, w.token, w.window_number)
        = (locked.receiving_address_id, locked.token, locked.window_number))
    select count(*)::integer as released from released`);
  return row?.released ?? 0;
}
