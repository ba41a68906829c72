import type postgres from "postgres";
import type { Currency } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";

/** An order as stored in the database. Times are in milliseconds, amounts in base units. */
export interface OrderRow {
  id: string;
  merchantId: string;
  status: OrderStatus;
  exception: OrderException | null;
  version: number;
  quoteId: string | null;
  network: string | null;
  currency: Currency | null;
  paidUnits: bigint;
  createdMs: number;
  expiresMs: number;
  paidMs: number | null;
  extensions: number;
}

export interface QuoteRow {
  id: string;
  orderId: string;
  merchantId: string;
  network: string;
  currency: Currency;
  token: string;
  address: string;
  kind: "shared" | "dedicated";
  baseUnits: bigint;
  microUnits: bigint;
  createdMs: number;
  untilMs: number;
  releasedMs: number | null;
  /** The quote whose rest it requests after a transfer of too little, and that transfer; null for other quotes. */
  completesQuoteId: string | null;
  completesTransferId: string | null;
}

export interface TransferRow {
  id: string;
  merchantId: string;
  network: string;
  txId: string;
  position: string;
  token: string;
  to: string;
  baseUnits: bigint;
  blockHeight: number;
  blockHash: string;
  timeMs: number;
  status: "seen" | "confirmed" | "dropped";
  quoteId: string | null;
  orderId: string | null;
  depositId: string | null;
  isAssigned: boolean;
  isSweep: boolean;
  reason: string | null;
  matchedMs: number | null;
  seenMs: number;
  lostMs: number | null;
  unlinkedMs: number | null;
}

export interface CursorRow {
  network: string;
  timeMs: number;
  isClosed: boolean;
}

export interface EventRow {
  orderId: string | null;
  transferId: string | null;
  type: string;
  version: number;
}

export interface RefundRow {
  id: string;
  merchantId: string;
  orderId: string | null;
  transferId: string | null;
  status: string;
  microUnits: bigint;
  network: string | null;
  address: string | null;
  token: string | null;
  baseUnits: bigint | null;
  approvedMs: number | null;
}

export interface RefundTransferRow {
  network: string;
  txId: string;
  position: string;
  to: string;
  token: string;
  baseUnits: bigint;
  status: string;
  refundId: string | null;
  problem: string | null;
  matchedMs: number | null;
}

/** All data that the invariants check, as of one point in time. */
export interface Snapshot {
  orders: Map<string, OrderRow>;
  quotes: Map<string, QuoteRow>;
  transfers: TransferRow[];
  refunds: RefundRow[];
  refundTransfers: RefundTransferRow[];
  events: EventRow[];
  deposits: { id: string; merchantId: string; address: string; network: string }[];
  cursors: Map<string, CursorRow>;
  /** The hourly totals, as "merchant network currency" → paid orders and base units. */
  totals: Map<string, { paid: number; units: bigint }>;
  failing: { task: string; id: string; reason: string }[];
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const TABLES = {
  orders: `select id, merchant_id as "merchantId", status, exception, version, quote_id as "quoteId", network, currency,
    paid_units::text as "paidUnits", ${ms("created_at")} as "createdMs", ${ms("expires_at")} as "expiresMs", ${ms("paid_at")} as "paidMs",
    extensions from orders order by id`,
  quotes: `select id, order_id as "orderId", merchant_id as "merchantId", network, currency, token, address, kind,
    base_units::text as "baseUnits", micro_units::text as "microUnits", ${ms("created_at")} as "createdMs",
    ${ms("reserved_until")} as "untilMs", ${ms("released_at")} as "releasedMs", completes_quote_id as "completesQuoteId",
    completes_transfer_id as "completesTransferId" from quotes order by id`,
  transfers: `select id, merchant_id as "merchantId", network, tx_id as "txId", position, token, to_address as "to", base_units::text as "baseUnits",
    block_height as "blockHeight", block_hash as "blockHash", ${ms("block_time")} as "timeMs", status, quote_id as "quoteId",
    order_id as "orderId", deposit_id as "depositId", is_assigned as "isAssigned", is_sweep as "isSweep", unmatched_reason as reason,
    ${ms("matched_at")} as "matchedMs", ${ms("seen_at")} as "seenMs", ${ms("lost_at")} as "lostMs",
    ${ms("unlinked_at")} as "unlinkedMs" from transfers order by id`,
  refunds: `select id, merchant_id as "merchantId", order_id as "orderId", transfer_id as "transferId", status,
    micro_units::text as "microUnits", network, address, token,
    base_units::text as "baseUnits", ${ms("approved_at")} as "approvedMs" from refund_requests order by id`,
  refundTransfers: `select network, tx_id as "txId", position, to_address as "to", token, base_units::text as "baseUnits", status,
    refund_id as "refundId", problem, ${ms("matched_at")} as "matchedMs" from refund_transfers order by network, tx_id, position`,
  events: `select order_id as "orderId", transfer_id as "transferId", type, version from events order by position`,
  deposits: `select id, merchant_id as "merchantId", address, network from deposit_addresses order by id`,
  cursors: `select network, ${ms("block_time")} as "timeMs", closed_at is not null as "isClosed" from cursors where height is not null`,
  totals: `select merchant_id || ' ' || network || ' ' || currency as key, sum(paid)::int as paid, sum(paid_units)::text as units
    from hourly_totals where network <> '' group by 1`,
  failing: "select task, id, reason from failing_rows",
} as const;

const QUERY = `select json_build_object(${Object.entries(TABLES)
  .map(([name, query]) => `'${name}', (select coalesce(json_agg(r), '[]') from (${query}) r)`)
  .join(", ")}) as found`;

type Raw<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] };
interface Found extends Pick<Snapshot, "events" | "deposits" | "failing"> {
  orders: Raw<OrderRow>[];
  quotes: Raw<QuoteRow>[];
  transfers: Raw<TransferRow>[];
  refunds: (Omit<RefundRow, "microUnits" | "baseUnits"> & { microUnits: string; baseUnits: string | null })[];
  refundTransfers: Raw<RefundTransferRow>[];
  cursors: CursorRow[];
  totals: { key: string; paid: number; units: string }[];
}

/** Reads the snapshot in one statement. */
export async function readSnapshot(sql: postgres.Sql): Promise<Snapshot> {
  const [row] = await sql.unsafe<{ found: Found }[]>(QUERY, [], { prepare: true });
  if (!row) throw new Error("PostgreSQL returned no row");
  const { orders, quotes, transfers, refunds, refundTransfers, cursors, totals, ...rest } = row.found;
  return {
    ...rest,
    orders: new Map(orders.map((one) => [one.id, { ...one, paidUnits: BigInt(one.paidUnits) }])),
    quotes: new Map(
      quotes.map((one) => [one.id, { ...one, baseUnits: BigInt(one.baseUnits), microUnits: BigInt(one.microUnits) }]),
    ),
    transfers: transfers.map((one) => ({ ...one, baseUnits: BigInt(one.baseUnits) })),
    refunds: refunds.map((one) => ({
      ...one,
      microUnits: BigInt(one.microUnits),
      baseUnits: one.baseUnits === null ? null : BigInt(one.baseUnits),
    })),
    refundTransfers: refundTransfers.map((one) => ({ ...one, baseUnits: BigInt(one.baseUnits) })),
    cursors: new Map(cursors.map((one) => [one.network, one])),
    totals: new Map(totals.map(({ key, paid, units }) => [key, { paid, units: BigInt(units) }])),
  };
}
