import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { hasNoTarget, SET_TARGET } from "@/db/queries/credit-targets";
import { idList, isTurnOf, rowList } from "@/db/queries/many-rows";
import { SENT_AT } from "@/db/queries/transfers/sent-at";
import { transfers } from "@/db/schema";
import type { CreditTarget } from "@/lib/domain/credit-target";
import { RECENT_HOLD_MS, type UnmatchedReason } from "@/lib/domain/transfers/transfer";

export type StoredTransfer = typeof transfers.$inferSelect;

/** A condition for a transfer to a receiving address whose part in a refund is not decided yet. */
const IS_REFUND_UNMATCHED = sql`exists (select from refund_transfers x
  where x.network = "transfers"."network" and x.tx_id = "transfers"."tx_id" and x.position = "transfers"."position"
    and x.matched_at is null)`;

/**
 * The time in milliseconds by which a block time may precede the creation of the quote that a transfer in the block matches, because a
 * block gets its time before it is full.
 */
export const CLOCK_TOLERANCE_MS = 120_000;
export const CLOCK_TOLERANCE = sql.raw(`interval '${CLOCK_TOLERANCE_MS} milliseconds'`);

/**
 * Returns the ids of transfers of a network that must be matched, oldest first. Transfers that may complete a refund are matched with it
 * first. Transfers whose matching failed are included only if they are due for a retry.
 */
export async function listToMatch(db: Db, network: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        isNull(transfers.matchedAt),
        isTurnOf("match", transfers.id, now),
        sql`not ${IS_REFUND_UNMATCHED}`,
      ),
    )
    .orderBy(transfers.id)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Locks transfers that must still be matched. Skips those that another worker has locked or already matched. */
export async function lockToMatch(db: Db, ids: readonly string[]): Promise<StoredTransfer[]> {
  return db
    .select()
    .from(transfers)
    .where(and(sql`${transfers.id} = any(${idList(ids)})`, isNull(transfers.matchedAt)))
    .orderBy(transfers.id)
    .for("update", { skipLocked: true });
}

/**
 * Returns a condition that is true if a hold `q` accepts a transfer that was sent at a given time. A later release of its amount does not
 * matter.
 */
const takes = (sentAt: SQL) => sql`q.created_at - ${CLOCK_TOLERANCE} <= ${sentAt} and q.reserved_until >= ${sentAt}`;
/** A condition that is true if a hold `q` accepts a transfer `t` by its time. */
export const TAKES = takes(SENT_AT);

/** The columns of a transfer that decide which hold it matches. */
interface Sent {
  merchantId: SQL;
  network: SQL;
  token: SQL;
  receivingAddressId: SQL;
  baseUnits: SQL;
  at: SQL;
}

/**
 * Returns a query for the quotes that held the amount of a transfer when it was sent (specification §6): the network, token contract and
 * address match, and at a shared address the amount does too. Quotes of cancelled orders are included, so that the transfer is not
 * credited to a different order.
 */
export const holdersOf = ({ merchantId, network, token, receivingAddressId, baseUnits, at }: Sent) => sql`
  (select * from (
    select * from quotes where merchant_id = ${merchantId} and kind = 'shared' and receiving_address_id = ${receivingAddressId}
      and base_units = ${baseUnits}
    union all
    select * from quotes where merchant_id = ${merchantId} and kind = 'dedicated' and receiving_address_id = ${receivingAddressId}) q
  where q.network = ${network} and q.token = ${token} and ${takes(at)})`;

/** A query for the holders of transfers `t`. */
const HOLDERS = holdersOf({
  merchantId: sql`t.merchant_id`,
  network: sql`t.network`,
  token: sql`t.token`,
  baseUnits: sql`t.base_units`,
  receivingAddressId: sql`t.receiving_address_id`,
  at: SENT_AT,
});

/** The quote that held the amount of a transfer. */
export interface Holder {
  transferId: string;
  quoteId: string;
  orderId: string;
}

/**
 * Returns the quotes that held the amounts of transfers when they were sent.
 * @returns one for each transfer whose amount was held
 */
export async function findHolders(db: Db, transferIds: readonly string[]): Promise<Holder[]> {
  if (transferIds.length === 0) return [];
  return db.execute<Holder & Record<string, unknown>>(sql`
    select t.id as "transferId", holder.id as "quoteId", holder.order_id as "orderId"
    from transfers t cross join lateral (
      select q.id, q.order_id from ${HOLDERS} q order by q.created_at, q.id limit 1) holder
    where t.id = any(${idList(transferIds)})`);
}

/**
 * Returns the transfers that were sent from a receiver or an xpub-derived address of the same merchant, including removed addresses.
 * @param networks all networks of the family, because an address is the same on each
 */
export async function listSweeps(
  db: Db,
  transferIds: readonly string[],
  networks: readonly string[],
): Promise<string[]> {
  if (transferIds.length === 0) return [];
  const rows = await db.execute<{ id: string }>(sql`
    select t.id from transfers t where t.id = any(${idList(transferIds)}) and (
      exists (select from receiving_addresses r where r.merchant_id = t.merchant_id and r.network = any(${idList(networks)})
        and r.address = t.from_address and r.source <> 'pasted')
      or exists (select from receiver_trials x where x.merchant_id = t.merchant_id and x.receiver = t.from_address))`);
  return rows.map(({ id }) => id);
}

/**
 * Returns the linked transfers that no longer match their quotes: a reorg changed them, or their block has a different time, at which the
 * quote did not hold their amount. Transfers that were confirmed before keep their time.
 */
export async function listNoLongerPaying(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.execute<{ id: string }>(sql`
    select t.id from transfers t left join quotes q on q.order_id = t.order_id and q.merchant_id = t.merchant_id and q.id = t.quote_id
      and q.receiving_address_id = t.receiving_address_id and q.token = t.token
      and (q.kind = 'dedicated' or q.base_units = t.base_units or exists (
        select from quotes rest where rest.order_id = q.order_id and rest.merchant_id = q.merchant_id and rest.completes_quote_id = q.id
          and rest.completes_transfer_id = t.id and rest.asked_units = q.base_units - t.base_units)) and (t.lost_at is not null or ${TAKES})
    where t.id = any(${idList(ids)}) and q.id is null`);
  return rows.map(({ id }) => id);
}

/** Returns the ids of the transfers that are linked to an order, including dropped ones. */
export async function listLinkedTransfers(db: Db, orderId: string): Promise<string[]> {
  const rows = await selectLinked(db, orderId);
  return rows.map(({ id }) => id);
}

/**
 * Returns the ids of the transfers that are linked to an order, and locks these transfers until the transaction ends. Lock them before
 * their order.
 */
export async function lockLinkedTransfers(db: Db, orderId: string): Promise<string[]> {
  const rows = await selectLinked(db, orderId).for("update");
  return rows.map(({ id }) => id);
}

function selectLinked(db: Db, orderId: string) {
  return db.select({ id: transfers.id }).from(transfers).where(eq(transfers.orderId, orderId)).orderBy(transfers.id);
}

const NOT_LINKED = { orderId: null, quoteId: null, isAssigned: false } as const;
const reasonUnlessDropped = (reason: UnmatchedReason) =>
  sql<UnmatchedReason>`case when ${transfers.status} = 'dropped' then 'taken_back' else ${reason} end`;

/**
 * Unlinks all transfers of an order that is being cancelled. They become unmatched, and the order is stored as the one they were meant
 * for. Lock the transfers first.
 */
export async function unlinkFromCancelled(db: Db, orderId: string, now: Date): Promise<void> {
  await db
    .update(transfers)
    .set({
      ...NOT_LINKED,
      meantOrderId: sql`case when ${transfers.status} <> 'dropped' then ${transfers.orderId} end`,
      unmatchedReason: reasonUnlessDropped("order_cancelled"),
      matchedAt: now,
    })
    .where(eq(transfers.orderId, orderId));
}

/**
 * Unlinks a transfer from its order at the request of a user. It is never matched automatically afterwards. Returns false if it is not
 * linked to that order.
 */
export async function unlinkTransfer(db: Db, id: string, orderId: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({
      ...NOT_LINKED,
      meantOrderId: null,
      unmatchedReason: reasonUnlessDropped("unlinked"),
      unlinkedAt: now,
      matchedAt: now,
    })
    .where(and(eq(transfers.id, id), eq(transfers.orderId, orderId)))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** An amount of a different token that has the same value. */
export interface PublicUnits {
  network: string;
  token: string;
  baseUnits: bigint;
}

/** A transfer and the equivalent amounts in all other tokens, which the payer may have meant to send. */
export interface UnmatchedAmounts {
  id: string;
  elsewhere: readonly PublicUnits[];
}

/** Returns a from-item of unmatched transfers `t`, each with its amounts in other tokens as `t.elsewhere`. */
const unmatchedRows = (unmatched: readonly UnmatchedAmounts[]) => sql`
  (select stored.*, given.elsewhere
    from jsonb_to_recordset(${rowList(unmatched)}) as given (id text, elsewhere jsonb)
    join transfers stored on stored.id = given.id) t`;

const RECENT = sql.raw(`interval '${RECENT_HOLD_MS} milliseconds'`);

/**
 * CTEs for the amounts of `t` in other tokens, and for the merchant's receiving addresses on their networks that are equal to the address
 * of `t`.
 */
const ELSEWHERE = sql.raw(`
  other as (
    select network, token, "baseUnits" as base_units
    from jsonb_to_recordset(t.elsewhere) as o (network text, token text, "baseUnits" numeric)),
  place as (
    select r.id, r.network from receiving_addresses r
    where r.address = t.to_address and r.network in (select network from other) and r.merchant_id = t.merchant_id)`);

/**
 * Returns, by transfer id, the reasons why transfers matched no quote when they were sent, based on similar quotes. Transfers without a
 * similar quote are omitted. The first rule that applies decides; if several quotes meet it, the newest one does:
 * 1. a hold of this token at this address, of exactly this amount, that ended at most a day before;
 * 2. a hold that was active at this address, of exactly this public amount in a different currency or on a different network;
 * 3. like 1, but of a different amount, on a dedicated address;
 * 4. like 2, but of a different amount, on a dedicated address;
 * 5. a hold as in 1 or 3 that ended earlier.
 */
export async function findUnmatchedReasons(
  db: Db,
  unmatched: readonly UnmatchedAmounts[],
): Promise<Map<string, UnmatchedReason>> {
  if (unmatched.length === 0) return new Map();
  const ended = sql`q.merchant_id = t.merchant_id and q.receiving_address_id = t.receiving_address_id and q.token = t.token
    and q.reserved_until < ${SENT_AT}`;
  const endedRank = sql`case when q.reserved_until + ${RECENT} < ${SENT_AT} then 5 when q.base_units = t.base_units then 1 else 3 end`;
  const otherRank = sql`case when (q.network, q.token, q.base_units) in (select network, token, base_units from other) then 2 else 4 end`;
  const otherReason = sql`case when q.network = t.network then 'other_currency' else 'other_network' end`;
  const rows = await db.execute<{ id: string; reason: UnmatchedReason }>(sql`
    select t.id, near.reason from ${unmatchedRows(unmatched)} cross join lateral (
      with ${ELSEWHERE},
      ended as (
        select q.order_id, q.created_at, ${endedRank} as rank from quotes q
        where q.kind = 'shared' and q.base_units = t.base_units and ${ended}
        union all
        select q.order_id, q.created_at, ${endedRank} from quotes q where q.kind = 'dedicated' and ${ended})
      select reason from (
        (select ${otherReason} as reason, ${otherRank} as rank, q.created_at
        from place join quotes q on q.merchant_id = t.merchant_id and q.receiving_address_id = place.id
          join orders o on o.id = q.order_id and o.merchant_id = t.merchant_id
        where q.kind = 'dedicated' and o.status <> 'cancelled' and ${TAKES}
          and (q.network, q.token) <> (t.network, t.token))
        union all
        (select case o.status when 'paid' then 'order_settled' when 'cancelled' then 'order_cancelled' else 'late' end,
          ended.rank, ended.created_at
        from ended join orders o on o.id = ended.order_id and o.merchant_id = t.merchant_id)
        union all
        (select ${otherReason}, 2, q.created_at
        from place cross join other join quotes q on q.merchant_id = t.merchant_id and q.receiving_address_id = place.id
          and q.base_units = other.base_units and q.network = other.network and q.token = other.token
        where q.kind = 'shared' and ${TAKES})) candidates
      order by rank, created_at desc limit 1) near`);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/**
 * Returns the orders that misdirected transfers were certainly meant for. Such an order is the merchant's only open order at the same
 * address, and has exactly this amount in a different currency or on a different network. Transfers are omitted if no order fits, or if
 * several orders may be meant. A transfer of any amount may be meant for an order with a dedicated address.
 * @returns the ids of orders, by the id of the transfer
 */
export async function findMeantOrders(db: Db, unmatched: readonly UnmatchedAmounts[]): Promise<Map<string, string>> {
  if (unmatched.length === 0) return new Map();
  const rows = await db.execute<{ id: string; orderId: string }>(sql`
    select t.id, meant.order_id as "orderId" from ${unmatchedRows(unmatched)} cross join lateral (
      with ${ELSEWHERE},
      near as (
        select q.order_id, true as is_exact
        from place join other on other.network = place.network
          join quotes q on q.merchant_id = t.merchant_id and q.receiving_address_id = place.id and q.base_units = other.base_units and q.token = other.token
        where q.kind = 'shared' and ${TAKES}
        union all
        select q.order_id, (q.network, q.token, q.base_units) in (select network, token, base_units from other)
        from place join quotes q on q.merchant_id = t.merchant_id and q.receiving_address_id = place.id
        where q.kind = 'dedicated' and ${TAKES})
      select min(near.order_id) as order_id
      from near join orders o on o.id = near.order_id and o.merchant_id = t.merchant_id
      where o.status in ('pending', 'confirming', 'expired')
      having count(distinct near.order_id) = 1 and bool_or(near.is_exact)) meant`);
  return new Map(rows.map(({ id, orderId }) => [id, orderId]));
}

/** The result of matching a transfer: its credit target, or the reason why it has none. */
export interface MatchResult {
  id: string;
  target: CreditTarget | null;
  /** The quote of the order to which the transfer is credited; null if it is credited to no order. */
  quoteId: string | null;
  /** The reason why the transfer is unmatched; null if it is credited to an order. */
  reason: UnmatchedReason | null;
  meantOrderId: string | null;
  /** True if the merchant sent the transfer from one of their own addresses. */
  isSweep: boolean;
}

/**
 * Writes the results of matching transfers. Skips transfers that no longer have to be matched. A look-alike is never linked to an order.
 */
export async function writeMatches(db: Db, results: readonly MatchResult[], now: Date): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map(({ target, ...result }) => ({
    ...result,
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
  }));
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`
    with written as (
    update transfers t set unmatched_reason = m.reason, meant_order_id = m."meantOrderId", is_sweep = m."isSweep", ${SET_TARGET},
      quote_id = m."quoteId", matched_at = ${at}
    from jsonb_to_recordset(${rowList(rows)}) as m (id text, reason text, "meantOrderId" text, "isSweep" boolean, "targetKind" text,
      "targetId" text, "quoteId" text)
    where t.id = m.id and t.matched_at is null and (m."quoteId" is null or t.currency is not null)
    returning t.network, t.currency, t.unmatched_reason)
    insert into outcome_counts (hour, network, currency, outcome, count)
    select date_trunc('hour', ${at}, 'UTC'), network, coalesce(currency, ''), 'unmatched', count(*) from written
    where unmatched_reason is not null and unmatched_reason <> 'look_alike' group by 2, 3`);
}

/** Locks a transfer to an address of a merchant until the transaction ends. Returns null if the merchant has no such transfer. */
export async function lockTransferOf(db: Db, merchantId: string, id: string): Promise<StoredTransfer | null> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), eq(transfers.merchantId, merchantId)))
    .for("update");
  return row ?? null;
}

/** Assigns a transfer to an order if it is not credited yet. Returns false if it already has a target or its token is a look-alike. */
export async function linkTransfer(
  db: Db,
  id: string,
  to: { orderId: string; quoteId: string },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(transfers)
    .set({ ...to, isAssigned: true, isSweep: false, unmatchedReason: null, matchedAt: now })
    .where(and(eq(transfers.id, id), hasNoTarget("transfers"), isNotNull(transfers.currency)))
    .returning({ id: transfers.id });
  return rows.length === 1;
}
