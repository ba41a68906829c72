import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { hasNoTarget, targetColumn } from "@/db/queries/credit-targets";
import { rowList } from "@/db/queries/many-rows";
import { firstIdAt, idBefore } from "@/lib/domain/id";
import { allNetworks, type Currency } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import { FIAT_CODES, findFiat } from "@/lib/domain/rates/currencies";
import type { LedgerKind, LedgerSum, Month, Period } from "@/lib/domain/reports";

const STEP = 1_000;

/** An expression for the outcome of a transfer in the report. */
const KIND = sql`case when t.currency is null then 'look_alike' when t.status = 'dropped' then 'reversed' when t.status = 'seen' then 'open'
  when t.is_sweep then 'swept' when ${hasNoTarget("t")} then 'unmatched' when t.order_id is null then ${targetColumn("t")}->>'kind'
  when t.is_assigned then 'assigned' else 'matched' end`;

/**
 * Returns a condition on a transfer's block time, which counts as the time of sending. The time at which the transfer was first seen does
 * not matter.
 */
const within = (merchantId: string, { from, until }: Period): SQL => sql`
  t.merchant_id = ${merchantId} and t.block_time >= ${from.toISOString()}::timestamptz and t.block_time < ${until.toISOString()}::timestamptz`;

/** Returns the counts and sums of a merchant's transfers in a period, by token and outcome. */
export async function sumLedger(db: Db, merchantId: string, period: Period): Promise<LedgerSum[]> {
  const rows = await db.execute<Omit<LedgerSum, "units"> & { units: string }>(sql`
    select t.network, t.currency, ${KIND} as kind, count(*)::integer as transfers,
      (case when t.currency is null then 0 else sum(t.base_units) end)::text as units
    from transfers t where ${within(merchantId, period)} group by 1, 2, 3 order by 1, 2, 3`);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** An expression for the transfer that a claimed refund `q` returns: its own, or the first final one of its order. */
const REFUNDED_TRANSFER = sql`coalesce(q.transfer_id, (select p.id from transfers p
  where p.merchant_id = q.merchant_id and p.order_id = q.order_id and p.status = 'confirmed' order by p.seen_at, p.id limit 1))`;

/**
 * Returns a from-item `r` with a merchant's final refunds within a period, by the time of their own block: the transactions that users
 * recorded for transfers, and the transfers that completed refunds which customers claimed. A transaction that is both counts once.
 */
const refundsWithin = (merchantId: string, { from, until }: Period): SQL => {
  const within = (time: SQL) =>
    sql`${time} >= ${from.toISOString()}::timestamptz and ${time} < ${until.toISOString()}::timestamptz`;
  return sql`(
    select d.transfer_id as id, d.sent_at as at, t.network, t.currency, t.token, d.base_units, t.order_id, d.tx_id, '' as from_address,
      d.to_address, t.tx_id as refund_of, t.quote_id
    from refunds d join transfers t on t.id = d.transfer_id and t.merchant_id = d.merchant_id
    where d.merchant_id = ${merchantId} and d.state = 'final' and ${within(sql`d.sent_at`)}
      and not exists (select from refund_transfers x where x.network = d.network and x.tx_id = d.tx_id and x.merchant_id = d.merchant_id)
    union all
    select q.id, x.block_time, x.network, x.currency, x.token, x.base_units, coalesce(q.order_id, s.order_id), x.tx_id, x.from_address,
      x.to_address, s.tx_id,
      case when q.order_id is null then s.quote_id
        else (select o.quote_id from orders o where o.id = q.order_id and o.merchant_id = q.merchant_id) end
    from refund_transfers x join refund_requests q on q.id = x.refund_id and q.merchant_id = x.merchant_id
      left join transfers s on s.id = ${REFUNDED_TRANSFER} and s.merchant_id = q.merchant_id
    where x.merchant_id = ${merchantId} and x.status = 'confirmed' and x.refund_id is not null and ${within(sql`x.block_time`)}) r`;
};

/** Returns the counts and sums of a merchant's refunds in a period, by token. */
export async function sumRefunds(db: Db, merchantId: string, period: Period): Promise<LedgerSum[]> {
  const rows = await db.execute<Omit<LedgerSum, "units"> & { units: string }>(sql`
    select r.network, r.currency, 'refunded' as kind, count(*)::integer as transfers,
      (case when r.currency is null then 0 else sum(r.base_units) end)::text as units
    from ${refundsWithin(merchantId, period)} group by 1, 2 order by 1, 2`);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** Returns a from-item with the exact value of one base unit of each token, in whole tokens. */
function tokenFactors(): SQL {
  const factors = allNetworks().flatMap(({ id: network, tokens }) =>
    tokens.map(({ currency, decimals }) => ({ network, currency, factor: `0.${"0".repeat(decimals - 1)}1` })),
  );
  return sql`jsonb_to_recordset(${rowList(factors)}) as f (network text, currency text, factor numeric)`;
}

/** Returns a from-item with the decimals of the minor unit of each fiat currency. */
function fiatDecimals(): SQL {
  const rows = FIAT_CODES.map((fiat) => ({ fiat, decimals: findFiat(fiat)?.decimals ?? 2 }));
  return sql`jsonb_to_recordset(${rowList(rows)}) as m (fiat text, decimals integer)`;
}

/**
 * The joins that add the price of the order to which a transfer is credited, with the rate that was fixed for the transfer's own currency.
 */
const PRICED = sql`
  left join orders o on o.id = t.order_id and o.merchant_id = t.merchant_id
  left join quotes q on q.order_id = t.order_id and q.merchant_id = t.merchant_id and q.id = t.quote_id
  left join lateral (select p.price->>'fiat' as fiat, (p.price->>'rate')::numeric as rate
    from (select coalesce(q.price, o.price) as price) p where p.price->>'currency' = t.currency) r on true`;

/** The joins that add the price of the order of a refund `r`, with the rate that was fixed for the refunded currency. */
const pricedRefunds = (merchantId: string): SQL => sql`
  left join orders o on o.id = r.order_id and o.merchant_id = ${merchantId}
  left join quotes q on q.id = r.quote_id and q.merchant_id = ${merchantId} and q.order_id = r.order_id
  left join lateral (select c.price->>'fiat' as fiat, (c.price->>'rate')::numeric as rate
    from (select coalesce(q.price, o.price) as price) c where c.price->>'currency' = r.currency) p on true
  left join ${tokenFactors()} on f.network = r.network and f.currency = r.currency
  left join ${fiatDecimals()} on m.fiat = p.fiat`;

const REFUND_VALUE = sql`round(r.base_units * f.factor * p.rate, m.decimals)`;

/** The number of transfers that have a fiat value, and the sum of these values, rounded to minor units. */
type FiatSum = { fiat: string; transfers: number; value: string };

/** Returns the value of confirmed transfers in the fiat currencies in which their orders were priced. */
export async function sumFiat(db: Db, merchantId: string, period: Period): Promise<FiatSum[]> {
  const rows = await db.execute<FiatSum>(sql`
    select v.fiat, count(*)::integer as transfers, sum(v.value)::text as value from (
      select r.fiat, round(t.base_units * f.factor * r.rate, m.decimals) as value
      from transfers t ${PRICED}
        join ${tokenFactors()} on f.network = t.network and f.currency = t.currency
        left join ${fiatDecimals()} on m.fiat = r.fiat
      where ${within(merchantId, period)} and t.status = 'confirmed' and r.fiat is not null) v
    group by 1 order by 1`);
  return [...rows];
}

/** Returns the value of a period's refunds in the fiat currencies in which their orders were priced, at the rates of the orders. */
export async function sumRefundFiat(db: Db, merchantId: string, period: Period): Promise<FiatSum[]> {
  const rows = await db.execute<FiatSum>(sql`
    select v.fiat, count(*)::integer as transfers, sum(v.value)::text as value from (
      select p.fiat, ${REFUND_VALUE} as value from ${refundsWithin(merchantId, period)} ${pricedRefunds(merchantId)} where p.fiat is not null) v
    group by 1 order by 1`);
  return [...rows];
}

/** Returns the number of orders created within a period, by outcome. */
export async function countOrders(
  db: Db,
  merchantId: string,
  { from, until }: Period,
): Promise<{ status: OrderStatus; exception: OrderException | null; orders: number }[]> {
  const rows = await db.execute<{ status: OrderStatus; exception: OrderException | null; orders: number }>(sql`
    select o.status, o.exception, count(*)::integer as orders from orders o
    where o.merchant_id = ${merchantId} and o.id >= ${idBefore(from)} and o.id < ${firstIdAt(until)}
      and o.created_at >= ${from.toISOString()}::timestamptz and o.created_at < ${until.toISOString()}::timestamptz
    group by 1, 2 order by 1, 2`);
  return [...rows];
}

/** A row of the monthly file: a transfer or a final refund. */
export interface LedgerRow {
  id: string;
  at: Date;
  network: string;
  currency: Currency | null;
  token: string;
  units: bigint;
  kind: LedgerKind;
  orderId: string | null;
  mchOrderId: string | null;
  fiat: string | null;
  rate: string | null;
  /** The value in that fiat currency, rounded to its minor units. */
  value: string | null;
  txId: string;
  /** The sender; empty if it is not known, as for a refund. */
  fromAddress: string;
  toAddress: string;
  /** The amount refunded so far, regardless of when it was refunded. */
  refundedUnits: bigint;
  /** The transaction that a refund returns; null for other rows. */
  refundOf: string | null;
}

/**
 * An expression for the amount that was refunded of a transfer, in its base units: the recorded transactions, and the completed refunds that
 * customers claimed, also on networks with other decimals.
 */
const REFUNDED = sql`((select coalesce(sum(r.base_units), 0) from refunds r
    where r.transfer_id = t.id and r.merchant_id = t.merchant_id and r.state = 'final' and not exists (
      select from refund_transfers x where x.network = r.network and x.tx_id = r.tx_id and x.merchant_id = r.merchant_id))
  + (select coalesce(trunc(sum(q.micro_units) * 0.000001 / f.factor), 0) from refund_requests q
    where q.merchant_id = t.merchant_id and (q.transfer_id = t.id or q.order_id = t.order_id) and q.status = 'completed'
      and ${REFUNDED_TRANSFER} = t.id))::text`;

/** Yields every transfer of a month in block order, in chunks that are read on demand. */
export async function* readLedger(db: Db, merchantId: string, month: Month): AsyncGenerator<LedgerRow[]> {
  for (let cursor = { at: month.from.toISOString(), id: "" }; ; ) {
    const rows = await db.execute<WrittenRow>(sql`
      select t.id, null as "refundOf", ${REFUNDED} as "refundedUnits", t.block_time as at, t.network, t.currency, t.token, t.base_units::text as units, ${KIND} as kind, t.order_id as "orderId",
        o.mch_order_id as "mchOrderId", r.fiat, r.rate::text as rate, t.tx_id as "txId", t.from_address as "fromAddress",
        t.to_address as "toAddress", round(t.base_units * f.factor * r.rate, m.decimals)::text as value
      from (select * from transfers t where ${within(merchantId, month)}
          and (t.block_time, t.id) > (${cursor.at}::timestamptz, ${cursor.id}) order by t.block_time, t.id limit ${STEP}) t ${PRICED}
        left join ${tokenFactors()} on f.network = t.network and f.currency = t.currency
        left join ${fiatDecimals()} on m.fiat = r.fiat
      order by t.block_time, t.id`);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(readRow);
    if (rows.length < STEP) return;
    cursor = { at: last.at, id: last.id };
  }
}

/** Yields every final refund of a month in block order, like `readLedger`. */
export async function* readRefunds(db: Db, merchantId: string, month: Month): AsyncGenerator<LedgerRow[]> {
  for (let cursor = { at: month.from.toISOString(), id: "", txId: "" }; ; ) {
    const rows = await db.execute<WrittenRow>(sql`
      select r.id, r.at, r.network, r.currency, r.token, r.base_units::text as units, 'refunded' as kind, r.order_id as "orderId",
        o.mch_order_id as "mchOrderId", p.fiat, p.rate::text as rate, ${REFUND_VALUE}::text as value,
        r.tx_id as "txId", r.from_address as "fromAddress", r.to_address as "toAddress", '0' as "refundedUnits", r.refund_of as "refundOf"
      from ${refundsWithin(merchantId, month)} ${pricedRefunds(merchantId)}
      where (r.at, r.id, r.tx_id) > (${cursor.at}::timestamptz, ${cursor.id}, ${cursor.txId})
      order by r.at, r.id, r.tx_id limit ${STEP}`);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(readRow);
    if (rows.length < STEP) return;
    cursor = { at: last.at, id: last.id, txId: last.txId };
  }
}

type WrittenRow = Omit<LedgerRow, "at" | "units" | "refundedUnits"> & Record<"at" | "units" | "refundedUnits", string>;

function readRow({ at, units, refundedUnits, ...row }: WrittenRow): LedgerRow {
  return { ...row, at: new Date(at), units: BigInt(units), refundedUnits: BigInt(refundedUnits) };
}
