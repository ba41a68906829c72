import { and, desc, eq, ilike, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { rowList } from "@/db/queries/many-rows";
import { isShownQuote } from "@/db/queries/orders/back-office";
import { orders, quotes } from "@/db/schema";
import { firstIdAt } from "@/lib/domain/id";
import { PUBLIC_DECIMALS, rescaleUnits } from "@/lib/domain/money";
import { allNetworks, type Currency } from "@/lib/domain/networks";
import type { OrderCandidate } from "@/lib/domain/orders/likely-orders";
import { decimalsOf, type OrderStatus } from "@/lib/domain/orders/order";
import { isLookAlike, knownTokens } from "@/lib/domain/transfers/transfer";

/** An order that is similar to a transfer in amount, address and time. Amounts are in base units of its shown quote's token. */
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
  held_ms: number;
  is_claimed: boolean;
}

/**
 * The maximum numbers of orders before and after a transfer that are examined. In a busy shop, the week before a transfer has many more
 * orders.
 */
const MAX_BEFORE = 500;
const MAX_AFTER = 100;
/** An upper bound for the value of a transfer in the search. No order has an amount this high, and all bounds fit into a bigint. */
const MAX_MICRO = 10 ** 18;
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
const NEAR_LIMIT = 60;
const SAME_ADDRESS_LIMIT = 40;
const UNDERPAID_LIMIT = 40;
const CLAIMS_LIMIT = 10;

/**
 * Returns rows (network, currency, contract, decimals) of every token; a currency whose contract was replaced has two. The currency is
 * null for a look-alike. A transfer may be of a look-alike, but an order never is.
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
 * Returns orders of a merchant that one of these transfers may be meant for. These are orders that were created within the week before the
 * transfer or just after it, and that are partly paid, have an amount close to the transfer's on any network, or have any amount at the
 * transfer's address on its network. The order that reserved the transfer's amount is included even if the transfer differs, and so are the
 * orders whose payers entered the transaction.
 */
export async function listNearOrders(
  db: Db,
  merchantId: string,
  among: readonly { id: string; blockTime: Date }[],
): Promise<NearOrder[]> {
  if (among.length === 0) return [];
  const isNearInTime = sql`q.created_at between t.block_time - interval '7 days' and t.block_time + interval '1 hour'`;
  const mine = sql`o.merchant_id = ${merchantId}`;
  const rows = await db.execute<Row & Record<string, unknown>>(sql`
    with token (network, currency, contract, decimals) as (values ${tokenRows()}),
    loose as materialized (
      select t.id, t.tx_id, t.meant_order_id, t.network, t.to_address, t.block_time, trunc(m.micro * 0.9)::bigint as least_micro,
        trunc(greatest(m.micro * 1.1, m.micro + 6000000))::bigint as most_micro,
        about."firstId" as first_id, about."atId" as at_id, about."lastId" as last_id
      from jsonb_to_recordset(${rowList(among.map(anchorOf))}) about(id text, "firstId" text, "atId" text, "lastId" text)
        join transfers t on t.id = about.id and t.merchant_id = ${merchantId}
        join token k on k.network = t.network and k.contract = t.token
        cross join lateral (select least(t.base_units * 10::numeric ^ (${PUBLIC_DECIMALS} - k.decimals), ${MAX_MICRO}) as micro) m)
    select t.id as transfer_id, o.id, o.mch_order_id, o.status, s.network, s.currency, s.address,
      s.base_units::text as due_units, o.paid_units::text as paid_units,
      trunc(o.amount_units * 10::numeric ^ (shown.decimals - asked.decimals))::text as price_units,
      (extract(epoch from o.created_at) * 1000)::float8 as created_ms,
      (extract(epoch from o.expires_at) * 1000)::float8 as expires_ms,
      (extract(epoch from s.reserved_until) * 1000)::float8 as held_ms,
      exists (select from payment_claims p
        where p.order_id = o.id and p.merchant_id = o.merchant_id and p.tx_id = t.tx_id) as is_claimed
    from loose t
      cross join lateral (
        with around as materialized (
          select q.order_id, q.micro_units between t.least_micro and t.most_micro as is_near,
            q.network = t.network and q.address = t.to_address as is_here,
            abs(extract(epoch from q.created_at - t.block_time)) as seconds
          from (
            (select o.id from orders o where ${mine} and o.id >= t.first_id and o.id < t.at_id order by o.id desc limit ${MAX_BEFORE})
            union all
            (select o.id from orders o where ${mine} and o.id >= t.at_id and o.id < t.last_id order by o.id limit ${MAX_AFTER})) about
          join quotes q on q.order_id = about.id and q.merchant_id = ${merchantId}
          where ${isNearInTime})
        (select order_id from around where is_near order by is_here desc, seconds limit ${NEAR_LIMIT})
        union
        (select order_id from around where is_here order by seconds limit ${SAME_ADDRESS_LIMIT})
        union
        (select q.order_id from orders u join quotes q on q.order_id = u.id and q.merchant_id = u.merchant_id and q.id = u.quote_id
          where u.merchant_id = ${merchantId} and u.exception = 'underpaid' and ${isNearInTime}
          order by u.id desc limit ${UNDERPAID_LIMIT})
        union
        (select p.order_id from payment_claims p where p.merchant_id = ${merchantId} and p.tx_id = t.tx_id
          order by p.claimed_at limit ${CLAIMS_LIMIT})
        union
        (select t.meant_order_id where t.meant_order_id is not null)) near
      join orders o on o.id = near.order_id and o.merchant_id = ${merchantId}
      join quotes s on s.order_id = o.id and s.merchant_id = o.merchant_id and s.id = o.quote_id
      join token shown on shown.network = s.network and shown.contract = s.token
      join (select distinct network, currency, decimals from token) asked
        on asked.network = o.network and asked.currency = o.currency`);
  return rows.map(orderOf);
}

/** Returns the ids that bound the orders around a transfer: ids begin with the time. */
function anchorOf({ id, blockTime }: { id: string; blockTime: Date }) {
  const at = (ms: number) => firstIdAt(new Date(blockTime.getTime() + ms));
  return { id, firstId: at(-WEEK_MS), atId: at(0), lastId: at(HOUR_MS) };
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
    heldUntil: new Date(row.held_ms),
    isClaimed: row.is_claimed,
  };
}

const NAMED_LIMIT = 10;

/** Returns the orders of a merchant that have this id, or whose own number contains the text; newest first, at most ten. */
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
    heldUntil: quote.reservedUntil,
    priceUnits: priceUnitsOf(order, quote),
  }));
}

type Asked = Pick<typeof orders.$inferSelect, "network" | "currency" | "amountUnits">;

/** Returns the order amount, in base units of its shown quote's token. */
function priceUnitsOf({ network, currency, amountUnits }: Asked, quote: typeof quotes.$inferSelect): bigint {
  if (quote.askedUnits !== null) return quote.askedUnits;
  if (network === null || currency === null || amountUnits === null) return quote.baseUnits;
  return rescaleUnits(amountUnits, decimalsOf({ network, currency }), decimalsOf(quote));
}
