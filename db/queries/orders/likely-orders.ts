import { and, desc, eq, ilike, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isShownQuote } from "@/db/queries/orders/back-office";
import { orders, quotes } from "@/db/schema";
import { rescaleUnits } from "@/lib/domain/money";
import { allNetworks, type Currency } from "@/lib/domain/networks";
import type { OrderCandidate } from "@/lib/domain/orders/likely-orders";
import { decimalsOf, type OrderStatus } from "@/lib/domain/orders/order";
import { isLookAlike, knownTokens } from "@/lib/domain/transfers/transfer";

/** An order near a transfer by amount, address and time. Amounts are base units of its shown quote's token. */
export interface NearOrder extends OrderCandidate {
  transferId: string;
}

interface Row {
  transfer_id: string;
  id: string;
  mch_order_id: string;
  status: OrderStatus;
  network: string;
  currency: Currency;
  address: string;
  due_units: string;
  price_units: string;
  paid_units: string;
  created_ms: number;
  expires_ms: number;
}

const NEAR_LIMIT = 60;
const UNDERPAID_LIMIT = 40;

/**
 * Rows (network, currency, contract, decimals) of every token; a currency whose contract was replaced has two. Currency null: a
 * look-alike, which a transfer may be of and an order never.
 */
function tokenRows() {
  const rows = allNetworks().flatMap((network) =>
    [...knownTokens(network)].map(([contract, token]) => {
      const currency = isLookAlike(token) ? null : token.currency;
      return sql`(${network.id}::text, ${currency}::text, ${contract}::text, ${token.decimals}::int)`;
    }),
  );
  return sql.join(rows, sql`, `);
}

/**
 * Orders of a merchant that one of these transfers might be meant for: asked for nearly this public amount on any network, or
 * partly paid, and made within the week before the transfer, or just after it. Those at the same address first, then the
 * nearest in time.
 */
export async function listNearOrders(db: Db, merchantId: string, transferIds: readonly string[]): Promise<NearOrder[]> {
  if (transferIds.length === 0) return [];
  const ids = sql.join(
    transferIds.map((id) => sql`${id}::text`),
    sql`, `,
  );
  const isNearInTime = sql`q.created_at between t.block_time - interval '7 days' and t.block_time + interval '1 hour'`;
  const rows = await db.execute<Row & Record<string, unknown>>(sql`
    with token (network, currency, contract, decimals) as (values ${tokenRows()}),
    loose as (
      select t.id, t.to_address, t.block_time, t.base_units / 10::numeric ^ k.decimals as amount
      from transfers t
        join token k on k.network = t.network and k.contract = t.token
      where t.id in (${ids}) and t.merchant_id = ${merchantId})
    select t.id as transfer_id, o.id, o.mch_order_id, o.status, s.network, s.currency, s.address,
      s.base_units::text as due_units, o.paid_units::text as paid_units,
      trunc(o.amount_units * 10::numeric ^ (shown.decimals - asked.decimals))::text as price_units,
      (extract(epoch from o.created_at) * 1000)::float8 as created_ms,
      (extract(epoch from o.expires_at) * 1000)::float8 as expires_ms
    from loose t
      cross join lateral (
        (select q.order_id from receiving_addresses r
          join token k on k.network = r.network and k.currency is not null
          join quotes q on q.receiving_address_id = r.id and q.merchant_id = r.merchant_id and q.token = k.contract
            and q.base_units between trunc(t.amount * 0.9 * 10::numeric ^ k.decimals)
              and trunc(least(t.amount / 0.7, greatest(t.amount * 1.1, t.amount + 11)) * 10::numeric ^ k.decimals)
          where r.merchant_id = ${merchantId} and ${isNearInTime}
          order by r.address = t.to_address desc, abs(extract(epoch from q.created_at - t.block_time)) limit ${NEAR_LIMIT})
        union
        (select q.order_id from orders u join quotes q on q.order_id = u.id and q.merchant_id = u.merchant_id and q.id = u.quote_id
          where u.merchant_id = ${merchantId} and u.exception = 'underpaid' and ${isNearInTime}
          order by u.id desc limit ${UNDERPAID_LIMIT})) near
      join orders o on o.id = near.order_id and o.merchant_id = ${merchantId}
      join quotes s on s.order_id = o.id and s.merchant_id = o.merchant_id and s.id = o.quote_id
      join token shown on shown.network = s.network and shown.contract = s.token
      join (select distinct network, currency, decimals from token) asked
        on asked.network = o.network and asked.currency = o.currency`);
  return rows.map(orderOf);
}

function orderOf(row: Row): NearOrder {
  return {
    transferId: row.transfer_id,
    id: row.id,
    mchOrderId: row.mch_order_id,
    status: row.status,
    network: row.network,
    currency: row.currency,
    address: row.address,
    dueUnits: BigInt(row.due_units),
    priceUnits: BigInt(row.price_units),
    paidUnits: BigInt(row.paid_units),
    createdAt: new Date(row.created_ms),
    expiresAt: new Date(row.expires_ms),
  };
}

const NAMED_LIMIT = 10;

/** Orders of a merchant that carry this id, or whose own number contains the text; newest first, at most ten. */
export async function listNamedOrders(
  db: Db,
  merchantId: string,
  text: string,
): Promise<Omit<NearOrder, "transferId">[]> {
  const rows = await db
    .select({ order: orders, quote: quotes })
    .from(orders)
    .innerJoin(quotes, isShownQuote)
    .where(
      and(
        eq(orders.merchantId, merchantId),
        or(eq(orders.id, text.toLowerCase()), ilike(orders.mchOrderId, `%${text.replace(/[\\%_]/g, "\\$&")}%`)),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(NAMED_LIMIT);
  return rows.map(({ order, quote }) => ({
    ...order,
    network: quote.network,
    currency: quote.currency,
    address: quote.address,
    dueUnits: quote.baseUnits,
    priceUnits: priceUnitsOf(order, quote),
  }));
}

type Asked = Pick<typeof orders.$inferSelect, "network" | "currency" | "amountUnits">;

/** What an order asks for, in base units of its shown quote's token. */
function priceUnitsOf({ network, currency, amountUnits }: Asked, quote: typeof quotes.$inferSelect): bigint {
  if (quote.askedUnits !== null) return quote.askedUnits;
  if (network === null || currency === null || amountUnits === null) return quote.baseUnits;
  return rescaleUnits(amountUnits, decimalsOf({ network, currency }), decimalsOf(quote));
}
