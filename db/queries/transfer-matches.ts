import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isTurnOf } from "@/db/queries/failing-rows";
import { quotes, transfers } from "@/db/schema";
import type { OrderStatus } from "@/lib/domain/order";
import { paidAtOf, type UnmatchedReason } from "@/lib/domain/transfer";

export type StoredTransfer = typeof transfers.$inferSelect;

/** How long before a quote a block may be stamped and still pay it: block times start before their block is full. */
export const CLOCK_TOLERANCE = sql`interval '2 minutes'`;

/** Ids of transfers of a network that nobody judged yet, oldest first; those that failed only when it is their turn again. */
export async function listUnjudged(db: Db, network: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.network, network), isNull(transfers.judgedAt), isTurnOf("match", transfers.id, now)))
    .orderBy(transfers.id)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Locks a transfer that is still to be judged; null when another worker has it or was quicker. */
export async function lockUnjudged(db: Db, id: string): Promise<StoredTransfer | null> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), isNull(transfers.judgedAt)))
    .for("update", { skipLocked: true });
  return row ?? null;
}

/**
 * The live quote that a transfer pays (contract §6): network, token contract and address equal, and the amount too
 * on a shared address. A transfer from before the quote existed or after its late window pays something else; a cancelled
 * order takes nothing.
 */
export async function findLiveQuote(db: Db, transfer: StoredTransfer): Promise<{ id: string; orderId: string } | null> {
  const [quote] = await db.execute<{ id: string; orderId: string }>(sql`
    select id, order_id as "orderId" from (
      select * from quotes q where q.kind = 'shared' and q.released_at is null
        and q.address = ${transfer.toAddress} and q.base_units = ${transfer.baseUnits.toString()}::numeric
      union all
      select * from quotes q where q.kind = 'dedicated' and q.released_at is null
        and q.receiving_address_id = ${transfer.receivingAddressId}
        and not exists (select from orders o where o.id = q.order_id and o.status = 'cancelled')) live
    where network = ${transfer.network} and token = ${transfer.token}
      and created_at - ${CLOCK_TOLERANCE} <= ${transfer.blockTime.toISOString()}::timestamptz
      and reserved_until >= ${paidAtOf(transfer).toISOString()}::timestamptz
    limit 1`);
  return quote ?? null;
}

/** Locks the order of a quote, then says whether the quote still takes transfers: orders are always locked before their quotes. */
export async function isStillLive(db: Db, quote: { id: string; orderId: string }): Promise<boolean> {
  const [order] = await db.execute<{ status: OrderStatus }>(
    sql`select status from orders where id = ${quote.orderId} for update`,
  );
  if (order?.status === "cancelled") return false;
  const rows = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.id, quote.id), isNull(quotes.releasedAt)));
  return rows.length === 1;
}

/**
 * Why no quote asks for a transfer, from the quotes that nearly did. In this order: the order that has this dedicated address
 * now asks for another token; this amount (on a dedicated address: any) was asked for here before; the same public amount is
 * asked for in another currency here, or on another network of the same address. Only orders of the same merchant count: two
 * may have one address on different networks.
 */
export async function findUnmatchedReason(
  db: Db,
  transfer: StoredTransfer,
  publicUnits: readonly PublicUnits[],
): Promise<UnmatchedReason> {
  const blockTime = sql`${transfer.blockTime.toISOString()}::timestamptz`;
  const paidAt = sql`${paidAtOf(transfer).toISOString()}::timestamptz`;
  const otherPlace = sql`case when q.network = ${transfer.network} then 'other_currency' else 'other_network' end`;
  const [row] = await db.execute<{ reason: UnmatchedReason }>(sql`
    with other (network, token, base_units) as (values ${rowsOf(publicUnits)}),
    own as (select merchant_id from receiving_addresses where id = ${transfer.receivingAddressId})
    select reason from (
      (select ${otherPlace} as reason, 1 as place, q.created_at
      from receiving_addresses r join quotes q on q.receiving_address_id = r.id join orders o on o.id = q.order_id
      where r.address = ${transfer.toAddress} and r.network in (select network from other)
        and r.merchant_id = (select merchant_id from own) and q.kind = 'dedicated' and q.released_at is null and o.status <> 'cancelled'
        and (q.network, q.token) <> (${transfer.network}, ${transfer.token}))
      union all
      (select case o.status when 'paid' then 'order_settled' when 'cancelled' then 'order_cancelled' else 'late' end, 2, q.created_at
      from quotes q join orders o on o.id = q.order_id
      where q.receiving_address_id = ${transfer.receivingAddressId} and q.token = ${transfer.token}
        and (q.kind = 'dedicated' or q.base_units = ${transfer.baseUnits.toString()}::numeric)
        and q.created_at <= ${blockTime} + ${CLOCK_TOLERANCE}
        and (o.status = 'cancelled' or q.reserved_until < ${paidAt} or (q.released_at is not null and o.status = 'paid')))
      union all
      (select ${otherPlace}, 3, q.created_at
      from quotes q join other on q.network = other.network and q.token = other.token and q.base_units = other.base_units
        join receiving_addresses r on r.id = q.receiving_address_id and r.merchant_id = (select merchant_id from own)
      where q.address = ${transfer.toAddress} and q.kind = 'shared' and q.released_at is null)) near
    order by place, created_at desc limit 1`);
  return row?.reason ?? "no_such_amount";
}

/** The same public amount in another token. */
export interface PublicUnits {
  network: string;
  token: string;
  baseUnits: bigint;
}

/** Amounts in other tokens as rows of a `values` list. */
export function rowsOf(amounts: readonly PublicUnits[]) {
  const rows = amounts.map(
    ({ network, token, baseUnits }) => sql`(${network}::text, ${token}::text, ${baseUnits.toString()}::numeric)`,
  );
  return sql.join(rows, sql`, `);
}

/** Records that a transfer pays a quote. */
export async function linkTransfer(
  db: Db,
  id: string,
  quote: { id: string; orderId: string },
  now: Date,
): Promise<void> {
  await db
    .update(transfers)
    .set({ quoteId: quote.id, orderId: quote.orderId, meantOrderId: null, unmatchedReason: null, judgedAt: now })
    .where(and(eq(transfers.id, id), isNull(transfers.judgedAt), isNotNull(transfers.currency)));
}

export interface Judgement {
  /** Why it pays nothing; null where it pays an order. */
  reason: UnmatchedReason | null;
  meantOrderId: string | null;
}

/** Records what came of looking at a transfer. */
export async function markJudged(db: Db, id: string, judgement: Judgement, now: Date): Promise<void> {
  const { reason, meantOrderId } = judgement;
  await db
    .update(transfers)
    .set({ unmatchedReason: reason, meantOrderId, judgedAt: now })
    .where(and(eq(transfers.id, id), isNull(transfers.judgedAt)));
}
