import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { type PublicUnits, rowsOf, type StoredTransfer, takesAt } from "@/db/queries/transfers/matches";
import { paidAtOf } from "@/lib/domain/transfers/transfer";

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
    place as (
      select r.id, r.network from receiving_addresses r
      where r.merchant_id = ${transfer.merchantId} and r.address = ${transfer.toAddress} and r.network in (select network from other)),
    near as (
      select q.order_id, true as is_exact
      from place join other on other.network = place.network
        join quotes q on q.merchant_id = ${transfer.merchantId} and q.receiving_address_id = place.id
          and q.base_units = other.base_units and q.token = other.token
      where q.kind = 'shared' and ${takesAt(paidAtOf(transfer))}
      union all
      select q.order_id, (q.network, q.token, q.base_units) in (select network, token, base_units from other)
      from place join quotes q on q.receiving_address_id = place.id and q.merchant_id = ${transfer.merchantId}
      where q.kind = 'dedicated' and ${takesAt(paidAtOf(transfer))})
    select min(near.order_id) as id
    from near join orders o on o.id = near.order_id and o.merchant_id = ${transfer.merchantId}
    where o.status in ('pending', 'confirming', 'expired')
    having count(distinct near.order_id) = 1 and bool_or(near.is_exact)`);
  return row?.id ?? null;
}
