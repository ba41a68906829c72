import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { CLOCK_TOLERANCE, type PublicUnits, rowsOf, type StoredTransfer } from "@/db/queries/transfer-matches";

/**
 * The order that a transfer was meant for beyond doubt: the only one of its merchant that waits at this very address and asks
 * for exactly this amount, in another currency or on another network. Null where none does, or where another could be meant
 * as well: an order that has this address to itself might be meant by any amount.
 * @param elsewhere the transfer's amount in every other token
 */
export async function findMeantOrder(
  db: Db,
  transfer: StoredTransfer,
  elsewhere: readonly PublicUnits[],
): Promise<string | null> {
  const [row] = await db.execute<{ id: string | null }>(sql`
    with other (network, token, base_units) as (values ${rowsOf(elsewhere)}),
    near as (
      select q.order_id, q.receiving_address_id, q.created_at, true as is_exact
      from other join quotes q on q.address = ${transfer.toAddress} and q.network = other.network
        and q.token = other.token and q.base_units = other.base_units
      where q.kind = 'shared' and q.released_at is null
      union all
      select q.order_id, q.receiving_address_id, q.created_at,
        (q.network, q.token, q.base_units) in (select network, token, base_units from other)
      from receiving_addresses r join quotes q on q.receiving_address_id = r.id
      where r.address = ${transfer.toAddress} and r.network in (select network from other)
        and q.kind = 'dedicated' and q.released_at is null)
    select min(near.order_id) as id
    from near join orders o on o.id = near.order_id
      join receiving_addresses r on r.id = near.receiving_address_id
      join receiving_addresses own on own.id = ${transfer.receivingAddressId}
    where r.merchant_id = own.merchant_id and o.status in ('pending', 'confirming', 'expired')
      and ${transfer.blockTime.toISOString()}::timestamptz >= near.created_at - ${CLOCK_TOLERANCE}
    having count(distinct near.order_id) = 1 and bool_or(near.is_exact)`);
  return row?.id ?? null;
}
