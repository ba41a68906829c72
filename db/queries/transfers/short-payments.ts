import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { idList } from "@/db/queries/many-rows";
import { TAKES } from "@/db/queries/transfers/matches";
import { SENT_AT } from "@/db/queries/transfers/sent-at";
import type { Currency } from "@/lib/domain/networks";

/** A transfer of too little to a shared address, and the quote of the only order that can have been meant. Base units of one token. */
export interface ShortPayment {
  transferId: string;
  merchantId: string;
  orderId: string;
  quoteId: string;
  network: string;
  currency: Currency;
  dueUnits: bigint;
  paidUnits: bigint;
}

interface Row extends Omit<ShortPayment, "dueUnits" | "paidUnits"> {
  dueUnits: string;
  paidUnits: string;
}

/**
 * Returns those of these unmatched transfers that paid too little for the only order of the merchant that held anything at the transfer's
 * address when it was sent: in any status, any token and on any network of the address. The order is pending, shows its quote for this
 * token at this address, and received nothing else. Only merchants who allow such links are included. At most one transfer is returned
 * for each order, the oldest.
 */
export async function listShortPayments(db: Db, transferIds: readonly string[]): Promise<ShortPayment[]> {
  if (transferIds.length === 0) return [];
  // The conditions of each branch are those of an index of the table.
  const isHere = sql`q.merchant_id = t.merchant_id and q.address = t.to_address and ${TAKES}`;
  const rows = await db.execute<Row & Record<string, unknown>>(sql`
    select distinct on (o.id) t.id as "transferId", t.merchant_id as "merchantId", o.id as "orderId", q.id as "quoteId", q.network, q.currency,
      q.base_units::text as "dueUnits", t.base_units::text as "paidUnits"
    from transfers t join merchants m on m.id = t.merchant_id and m.links_short_payments
    cross join lateral (
      select min(held.order_id) as order_id from (
        select order_id from (
          select q.order_id from quotes q where ${isHere} and q.released_at is null and q.kind = 'shared' and not q.shares_amount
          union all
          select q.order_id from quotes q where ${isHere} and q.released_at is null and q.kind = 'shared' and q.shares_amount
          union all
          select q.order_id from quotes q where ${isHere} and q.released_at is null and q.kind = 'dedicated'
          union all
          select q.order_id from quotes q where ${isHere} and q.released_at >= ${SENT_AT}) every group by order_id limit 2) held
      having count(*) = 1) sole
    join orders o on o.id = sole.order_id and o.merchant_id = t.merchant_id and o.status = 'pending'
    join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id and q.kind = 'shared'
      and q.receiving_address_id = t.receiving_address_id and q.token = t.token and q.base_units > t.base_units and ${TAKES}
    where t.id = any(${idList(transferIds)}) and t.unlinked_at is null
      and not exists (select from transfers x where x.order_id = o.id and x.merchant_id = o.merchant_id and x.status <> 'dropped')
      and not exists (select from quotes d where d.order_id = o.id and d.merchant_id = o.merchant_id and d.completes_quote_id is not null)
    order by o.id, t.id`);
  return rows.map(({ dueUnits, paidUnits, ...row }) => {
    return { ...row, dueUnits: BigInt(dueUnits), paidUnits: BigInt(paidUnits) };
  });
}

/** A quote that requests the rest of another quote. */
export interface RestQuote {
  id: string;
  orderId: string;
  merchantId: string;
  restUnits: bigint;
  completesQuoteId: string;
  completesTransferId: string;
}

/**
 * Reserves an amount for the rest of a quote at the quote's address (`reserve_rest`). Call it with the order locked.
 * @returns false if no amount is available
 */
export async function reserveRest(db: Db, rest: RestQuote, now: Date): Promise<boolean> {
  const wanted = {
    id: rest.id,
    order_id: rest.orderId,
    merchant_id: rest.merchantId,
    asked_units: rest.restUnits.toString(),
    completes_quote_id: rest.completesQuoteId,
    completes_transfer_id: rest.completesTransferId,
  };
  const [row] = await db.execute<{ reserved: boolean }>(sql`
    select reserve_rest(${JSON.stringify(wanted)}::text::jsonb, ${now.toISOString()}::timestamptz) as reserved`);
  return row?.reserved === true;
}
