import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isTurnOf } from "@/db/queries/transfers/failing-rows";
import { quotes, transfers } from "@/db/schema";
import { paidAtOf, type UnmatchedReason } from "@/lib/domain/transfers/transfer";

export type StoredTransfer = typeof transfers.$inferSelect;

/** How long before a quote a block may be stamped and still pay it: block times start before their block is full. */
export const CLOCK_TOLERANCE = sql`interval '2 minutes'`;

/** Ids of transfers of a network that nobody judged yet, oldest first; those that failed only when it is their turn again. */
export async function listToMatch(db: Db, network: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.network, network), isNull(transfers.matchedAt), isTurnOf("match", transfers.id, now)))
    .orderBy(transfers.id)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Locks a transfer that is still to be judged; null when another worker has it or was quicker. */
export async function lockToMatch(db: Db, id: string): Promise<StoredTransfer | null> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), isNull(transfers.matchedAt)))
    .for("update", { skipLocked: true });
  return row ?? null;
}

/** True where a hold `q` takes what was sent at an instant: whether its amount was given up since does not matter. */
export function takesAt(sentAt: Date) {
  const at = sql`${sentAt.toISOString()}::timestamptz`;
  return sql`q.created_at - ${CLOCK_TOLERANCE} <= ${at} and q.reserved_until >= ${at}`;
}

/**
 * The quote that held what a transfer pays when it was sent (contract §6): network, token contract and address equal, and the
 * amount too on a shared address. Its order may be cancelled: then it is nobody else's money either.
 */
export async function findHolder(db: Db, transfer: StoredTransfer): Promise<{ id: string; orderId: string } | null> {
  const [quote] = await db.execute<{ id: string; orderId: string }>(sql`
    select q.id, q.order_id as "orderId" from (
      select * from quotes where merchant_id = ${transfer.merchantId} and kind = 'shared' and receiving_address_id = ${transfer.receivingAddressId}
        and base_units = ${transfer.baseUnits.toString()}::numeric
      union all
      select * from quotes where merchant_id = ${transfer.merchantId} and kind = 'dedicated' and receiving_address_id = ${transfer.receivingAddressId}) q
    where q.network = ${transfer.network} and q.token = ${transfer.token} and ${takesAt(paidAtOf(transfer))}
    order by q.created_at, q.id limit 1`);
  return quote ?? null;
}

/** True while a transfer is what the quote asks for that it is linked to; a reorg may have made something else of it. */
export async function stillPays(db: Db, transfer: StoredTransfer): Promise<boolean> {
  const [quote] = await db
    .select()
    .from(quotes)
    .where(
      and(
        eq(quotes.orderId, transfer.orderId ?? ""),
        eq(quotes.merchantId, transfer.merchantId),
        eq(quotes.id, transfer.quoteId ?? ""),
      ),
    );
  if (!quote || quote.receivingAddressId !== transfer.receivingAddressId || quote.token !== transfer.token)
    return false;
  return quote.kind === "dedicated" || quote.baseUnits === transfer.baseUnits;
}

/** Takes a transfer from the order it was matched to, to be matched anew. One that a person assigned stays. */
export async function unlinkTransfer(db: Db, id: string): Promise<void> {
  await db
    .update(transfers)
    .set({ quoteId: null, orderId: null })
    .where(and(eq(transfers.id, id), isNull(transfers.matchedAt), eq(transfers.isAssigned, false)));
}

/**
 * Why no quote asked for a transfer when it was sent, from the quotes that nearly did. In this order: the order that had this
 * dedicated address then asked for another token; this amount (on a dedicated address: any) was asked for here before; the same
 * public amount was asked for in another currency here, or on another network of the same address.
 */
export async function findUnmatchedReason(
  db: Db,
  transfer: StoredTransfer,
  publicUnits: readonly PublicUnits[],
): Promise<UnmatchedReason> {
  const sentAt = paidAtOf(transfer);
  const before = sql`q.token = ${transfer.token} and q.reserved_until < ${sentAt.toISOString()}::timestamptz`;
  const otherPlace = sql`case when q.network = ${transfer.network} then 'other_currency' else 'other_network' end`;
  const [row] = await db.execute<{ reason: UnmatchedReason }>(sql`
    with other (network, token, base_units) as (values ${rowsOf(publicUnits)}),
    place as (
      select r.id from receiving_addresses r
      where r.address = ${transfer.toAddress} and r.network in (select network from other)
        and r.merchant_id = ${transfer.merchantId}),
    earlier as (
      select q.order_id, q.created_at from quotes q
      where q.merchant_id = ${transfer.merchantId} and q.kind = 'shared' and q.receiving_address_id = ${transfer.receivingAddressId}
        and q.base_units = ${transfer.baseUnits.toString()}::numeric and ${before}
      union all
      select q.order_id, q.created_at from quotes q
      where q.merchant_id = ${transfer.merchantId} and q.kind = 'dedicated' and q.receiving_address_id = ${transfer.receivingAddressId} and ${before})
    select reason from (
      (select ${otherPlace} as reason, 1 as place, q.created_at
      from place join quotes q on q.receiving_address_id = place.id and q.merchant_id = ${transfer.merchantId}
        join orders o on o.id = q.order_id and o.merchant_id = q.merchant_id
      where q.kind = 'dedicated' and o.status <> 'cancelled' and ${takesAt(sentAt)}
        and (q.network, q.token) <> (${transfer.network}, ${transfer.token}))
      union all
      (select case o.status when 'paid' then 'order_settled' when 'cancelled' then 'order_cancelled' else 'late' end,
        2, earlier.created_at
      from earlier join orders o on o.id = earlier.order_id and o.merchant_id = ${transfer.merchantId})
      union all
      (select ${otherPlace}, 3, q.created_at
      from place cross join other join quotes q on q.merchant_id = ${transfer.merchantId}
        and q.receiving_address_id = place.id and q.base_units = other.base_units
        and q.network = other.network and q.token = other.token
      where q.kind = 'shared' and ${takesAt(sentAt)})) near
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
    .set({ quoteId: quote.id, orderId: quote.orderId, meantOrderId: null, unmatchedReason: null, matchedAt: now })
    .where(and(eq(transfers.id, id), isNull(transfers.matchedAt), isNotNull(transfers.currency)));
}

export interface MatchResult {
  /** Why it pays nothing; null where it pays an order. */
  reason: UnmatchedReason | null;
  meantOrderId: string | null;
}

/** Records what came of looking at a transfer. */
export async function markMatched(db: Db, id: string, judgement: MatchResult, now: Date): Promise<void> {
  const { reason, meantOrderId } = judgement;
  await db
    .update(transfers)
    .set({ unmatchedReason: reason, meantOrderId, matchedAt: now })
    .where(and(eq(transfers.id, id), isNull(transfers.matchedAt)));
}
