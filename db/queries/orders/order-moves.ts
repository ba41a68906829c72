import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { hasNoTarget } from "@/db/queries/credit-targets";
import { idList, isTurnOf, rowList } from "@/db/queries/many-rows";
import type { Hold } from "@/db/queries/orders/holds";
import { CLOCK_TOLERANCE, CLOCK_TOLERANCE_MS, TAKES } from "@/db/queries/transfers/matches";
import { sentAtOf } from "@/db/queries/transfers/sent-at";
import { merchants, orders, quotes, transfers } from "@/db/schema";
import { ORDER_CHANGED } from "@/lib/domain/channels";
import { firstIdAt, newId } from "@/lib/domain/id";
import { unitsPerStep } from "@/lib/domain/money";
import type { Currency } from "@/lib/domain/networks";
import type { Outcome } from "@/lib/domain/operating/conditions";
import { maxDustUnits } from "@/lib/domain/orders/dust";
import { decimalsOf, type FundsTransfer, type OrderException, type OrderStatus } from "@/lib/domain/orders/order";
import { shortBy } from "@/lib/domain/orders/terms";
import { paidAtOf, type TransferStatus } from "@/lib/domain/transfers/transfer";

/** Locks an order until the transaction ends, so that its status changes are serialized. */
export async function lockOrder(db: Db, orderId: string) {
  const [order] = await lockOrders(db, [orderId]);
  return order ?? null;
}

/**
 * Locks orders until the transaction ends. They are locked in the order of their ids, so that transactions that lock several orders never
 * deadlock.
 */
export async function lockOrders(db: Db, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .select({
      id: orders.id,
      merchantId: orders.merchantId,
      quoteId: orders.quoteId,
      status: orders.status,
      exception: orders.exception,
      version: orders.version,
      paidUnits: orders.paidUnits,
      settledByTransferId: orders.settledByTransferId,
      createdAt: orders.createdAt,
      expiresAt: orders.expiresAt,
      paidAt: orders.paidAt,
    })
    .from(orders)
    .where(sql`${orders.id} = any(${idList(orderIds)})`)
    .orderBy(orders.id)
    .for("update");
}

/**
 * Returns the quotes of orders, oldest first, with the current tolerance of their merchants, the dust limit, and the time for which a paid
 * amount stays reserved. The dust limit is a rule of dedicated addresses: if one quote of an order had one, it applies to all quotes of
 * the order. Of a quote whose rest was requested, the digits that make the rest distinct are dust.
 */
export async function listQuotes(db: Db, orderIds: readonly string[]) {
  const { settledHoldSeconds, toleranceBasisPoints, toleranceMicro } = merchants;
  const rows = await db
    .select({
      id: quotes.id,
      orderId: quotes.orderId,
      network: quotes.network,
      token: quotes.token,
      currency: quotes.currency,
      baseUnits: quotes.baseUnits,
      kind: quotes.kind,
      supersededAt: quotes.supersededAt,
      askedUnits: quotes.askedUnits,
      completesQuoteId: quotes.completesQuoteId,
      settledHoldSeconds,
      toleranceBasisPoints,
      toleranceMicro,
    })
    .from(quotes)
    .innerJoin(merchants, eq(merchants.id, quotes.merchantId))
    .where(sql`${quotes.orderId} = any(${idList(orderIds)})`)
    .orderBy(quotes.id);
  const withDust = new Set(rows.flatMap(({ orderId, kind }) => (kind === "dedicated" ? [orderId] : [])));
  const digits = new Map(
    rows.flatMap(({ completesQuoteId, baseUnits, askedUnits }) =>
      completesQuoteId === null ? [] : [[completesQuoteId, baseUnits - (askedUnits ?? baseUnits)]],
    ),
  );
  return rows.map((row) => {
    const { id, kind, baseUnits } = row;
    const perMicro = unitsPerStep(decimalsOf(row));
    const short = kind === "dedicated" ? shortBy(row, baseUnits, perMicro) : 0n;
    const dust = withDust.has(row.orderId) ? maxDustUnits(baseUnits, perMicro) : (digits.get(id) ?? 0n);
    return { ...row, minUnits: baseUnits - short, maxDustUnits: dust, isSuperseded: row.supersededAt !== null };
  });
}

/** A transfer that counts for an order. Amounts are in base units of the transfer's own token. */
export interface CountedTransfer extends FundsTransfer {
  orderId: string;
  network: string;
  token: string;
  currency: Currency;
}

/** Returns the transfers that count for orders: seen and confirmed, not dropped. */
export async function listFunds(db: Db, orderIds: readonly string[]): Promise<CountedTransfer[]> {
  const rows = await db
    .select({
      id: transfers.id,
      orderId: transfers.orderId,
      quoteId: transfers.quoteId,
      network: transfers.network,
      token: transfers.token,
      currency: transfers.currency,
      baseUnits: transfers.baseUnits,
      status: transfers.status,
      isAssigned: transfers.isAssigned,
      blockTime: transfers.blockTime,
      seenAt: transfers.seenAt,
    })
    .from(transfers)
    .where(and(sql`${transfers.orderId} = any(${idList(orderIds)})`, ne(transfers.status, "dropped")))
    .orderBy(transfers.id);
  return rows.flatMap(({ orderId, quoteId, currency, status, blockTime, seenAt, ...row }) =>
    orderId === null || quoteId === null || currency === null
      ? []
      : [
          {
            ...row,
            orderId,
            currency,
            quoteId,
            isConfirmed: status === "confirmed",
            paidAt: paidAtOf({ blockTime, seenAt }),
          },
        ],
  );
}

/**
 * Returns the transfers that were received for an order: those linked to it, and unlinked ones that fit one of its holds. The matcher has
 * not processed the latter yet, or processed them before the hold was created. Transfers that a user unlinked are excluded.
 */
export async function listReceived(
  db: Db,
  { id, merchantId, createdAt }: { id: string; merchantId: string; createdAt: Date },
): Promise<CountedTransfer[]> {
  // The id of a transfer begins with the time when it was first seen.
  const firstId = firstIdAt(new Date(createdAt.getTime() - CLOCK_TOLERANCE_MS));
  const columns = sql.raw("t.id, t.network, t.token, t.currency, t.base_units, t.status, t.block_time, t.seen_at");
  const candidates = (isCandidate: SQL) => sql`
    select ${columns}, q.id as quote_id from quotes q join transfers t on t.network = q.network and t.merchant_id = q.merchant_id
      and t.receiving_address_id = q.receiving_address_id and t.token = q.token and (q.kind = 'dedicated' or t.base_units = q.base_units)
    where q.order_id = ${id} and q.merchant_id = ${merchantId} and ${hasNoTarget("t")} and t.unlinked_at is null and not t.is_sweep
      and t.status <> 'dropped' and ${TAKES} and ${isCandidate}`;
  const rows = await db.execute<FittingRow & Record<string, unknown>>(sql`
    select id, network, token, currency, base_units::text as "baseUnits", status, quote_id as "quoteId",
      (extract(epoch from ${sentAtOf(sql.raw("block_time"), sql.raw("seen_at"))}) * 1000)::float8 as "sentMs"
    from (${candidates(sql`t.matched_at is null`)} union
      ${candidates(sql`t.unmatched_reason is not null and t.id >= ${firstId}`)}) fitting
    order by id`);
  const fitting = rows.map(({ baseUnits, status, sentMs, ...row }) => ({
    ...row,
    orderId: id,
    baseUnits: BigInt(baseUnits),
    isConfirmed: status === "confirmed",
    isAssigned: false,
    paidAt: new Date(sentMs),
  }));
  return [...(await listFunds(db, [id])), ...fitting];
}

interface FittingRow {
  id: string;
  network: string;
  token: string;
  currency: Currency;
  baseUnits: string;
  status: TransferStatus;
  quoteId: string;
  sentMs: number;
}

export interface OrderChange {
  status: OrderStatus;
  exception: OrderException | null;
  /** The displayed quote; null until the payer chooses. */
  quoteId: string | null;
  paidUnits: bigint;
  settledByTransferId: string | null;
  paidAt: Date | null;
}

/** An order and the change to write. */
export interface WrittenMove {
  order: { id: string; version: number };
  change: OrderChange;
}

/**
 * Writes changes in one statement, each only if the order still has the version from which the change was computed.
 * @returns the number of written changes; fewer than requested if another writer changed an order first
 */
export async function updateOrders(db: Db, moves: readonly WrittenMove[], now: Date): Promise<number> {
  if (moves.length === 0) return 0;
  const rows = moves.map(({ order, change }) => ({ ...order, ...change }));
  const [written] = await db.execute<{ count: number }>(sql`
    with written as (
      update orders o set status = m.status, exception = m.exception, quote_id = m."quoteId", paid_units = m."paidUnits",
        settled_by_transfer_id = m."settledByTransferId", paid_at = m."paidAt", version = o.version + 1,
        changed_at = ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${rowList(rows)}) as m (id text, version integer, status text, exception text, "quoteId" text,
        "paidUnits" numeric, "settledByTransferId" text, "paidAt" timestamptz)
      where o.id = m.id and o.version = m.version
      returning 1)
    select count(*)::integer as count from written`);
  return written?.count ?? 0;
}

/** A paid order that is added to the hourly totals (1) or removed from them (-1). Amounts are in base units of its token. */
export interface PaidPart {
  merchantId: string;
  createdAt: Date;
  paidAt: Date;
  network: string;
  currency: Currency;
  units: bigint;
  sign: 1 | -1;
}

/**
 * Adds to the hourly totals. Merges all parts of an hour into one row and writes the rows in the order of their keys, so that concurrent
 * calls never deadlock.
 */
export async function addToTotals(db: Db, parts: readonly PaidPart[]): Promise<void> {
  if (parts.length === 0) return;
  const rows = parts.map(({ merchantId, createdAt, paidAt, network, currency, units, sign }) => ({
    merchantId,
    network,
    currency,
    createdAt,
    paidAt,
    sign,
    units: units * BigInt(sign),
    seconds: Math.floor((paidAt.getTime() - createdAt.getTime()) / 1_000) * sign,
  }));
  await db.execute(sql`
    insert into hourly_totals as h (merchant_id, hour, network, currency, converted, paid, paid_units, pay_seconds)
    select p."merchantId", date_trunc('hour', e.at, 'UTC'), p.network, p.currency, sum(e.converted), sum(e.paid), sum(e.units), sum(e.seconds)
    from jsonb_to_recordset(${rowList(rows)}) as p ("merchantId" text, network text, currency text, "createdAt" timestamptz,
        "paidAt" timestamptz, sign integer, units numeric, seconds bigint)
      cross join lateral (values (p."createdAt", p.sign, 0, 0, 0), (p."paidAt", 0, p.sign, p.units, p.seconds))
        as e (at, converted, paid, units, seconds)
    group by 1, 2, 3, 4
    having sum(e.converted) <> 0 or sum(e.paid) <> 0 or sum(e.units) <> 0 or sum(e.seconds) <> 0
    order by 1, 2, 3, 4
    on conflict (merchant_id, hour, network, currency) do update set converted = h.converted + excluded.converted,
      paid = h.paid + excluded.paid, paid_units = h.paid_units + excluded.paid_units, pay_seconds = h.pay_seconds + excluded.pay_seconds`);
}

/**
 * Counts outcomes of orders by the network and currency of their currently displayed quote. Rows are only inserted, so that concurrent
 * transactions never block each other.
 */
export async function countOutcomes(
  db: Db,
  outcomes: readonly { id: string; outcome: Outcome }[],
  now: Date,
): Promise<void> {
  if (outcomes.length === 0) return;
  await db.execute(sql`
    insert into outcome_counts (hour, network, currency, outcome, count)
    select date_trunc('hour', ${now.toISOString()}::timestamptz, 'UTC'), coalesce(q.network, o.network, ''),
      coalesce(q.currency, o.currency, ''), m.outcome, count(*)
    from jsonb_to_recordset(${rowList(outcomes)}) as m (id text, outcome text) join orders o on o.id = m.id
      left join quotes q on q.order_id = o.id and q.merchant_id = o.merchant_id and q.id = o.quote_id
    group by 2, 3, 4`);
}

/**
 * Increments the versions of orders when data other than their status changed.
 * @returns the orders that exist, with their new versions
 */
export async function raiseVersions(
  db: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<{ id: string; version: number }[]> {
  return db
    .update(orders)
    .set({ version: sql`${orders.version} + 1`, changedAt: now })
    .where(sql`${orders.id} = any(${idList(orderIds)})`)
    .returning({ id: orders.id, version: orders.version });
}

/** The maximum length of a payload. PostgreSQL limits a notification to 8,000 bytes. */
const MAX_PAYLOAD_LENGTH = 7_900;

/**
 * Notifies every process that displays one of these orders, once the transaction commits. Each line of a payload contains an id and a
 * version. Lines that do not fit into one notification are sent in further ones.
 */
export async function announceOrders(db: Db, events: readonly { id: string; version: number }[]): Promise<void> {
  if (events.length === 0) return;
  const payloads: string[] = [];
  for (const { id, version } of events) {
    const line = `${id} ${version}`;
    const last = payloads.at(-1);
    if (last !== undefined && last.length + line.length < MAX_PAYLOAD_LENGTH)
      payloads.push(`${payloads.pop()}\n${line}`);
    else payloads.push(line);
  }
  await db.execute(sql`
    select pg_notify(${ORDER_CHANGED}, line) from jsonb_array_elements_text(${JSON.stringify(payloads)}::text::jsonb) line`);
}

/** The end of the id prefix that all rows of a batch share, as an index from the end of an id. Each row appends its number in hex. */
const ID_START = -6;

/**
 * Changes the status of expired pending orders to which no transfer is credited, and writes their audit events and notifications for open
 * pages, all in one statement. A transaction that credits a transfer to an order also writes that order, so the database checks
 * concurrently written orders again and skips them.
 * @param path all statuses that the rules define for such an order, in sequence
 * @returns the ids of the changed orders
 */
export async function moveUnpaid(
  db: Db,
  orderIds: readonly string[],
  path: readonly OrderStatus[],
  now: Date,
): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const detail = { from: "pending", via: path.slice(0, -1), cause: "timePassed", arrivedUnits: "0" };
  const rows = await db.execute<{ id: string; version: number }>(sql`
    with moved as (
      update orders o set status = ${path.at(-1)}, version = o.version + 1, changed_at = ${at}
      where o.id = any(${idList(orderIds)})
        and o.status = 'pending' and o.exception is null and o.paid_units = 0 and o.expires_at <= ${at}
        and not exists (select from transfers t where t.order_id = o.id and t.merchant_id = o.merchant_id and t.status <> 'dropped')
      returning o.id, o.merchant_id, o.version, o.network, o.currency),
    counted as (
      insert into outcome_counts (hour, network, currency, outcome, count)
      select date_trunc('hour', ${at}, 'UTC'), coalesce(network, ''), coalesce(currency, ''), 'expired', count(*) from moved
      where ${path.at(-1)}::text = 'expired' group by 2, 3),
    numbered as (select *, row_number() over () as number from moved),
    found as (
      insert into audit_events (id, merchant_id, order_id, action, detail, at)
      select ${newId(now).slice(0, ID_START)} || lpad(to_hex(number), 6, '0'), merchant_id, id, ${`order.${path.at(-1)}`},
        ${JSON.stringify(detail)}::text::jsonb, ${at} from numbered)
    select id, version from moved`);
  await announceOrders(db, rows);
  return rows.map(({ id }) => id);
}

/** Moves the end of active holds at shared addresses to an earlier time. Safe to repeat, because a hold is never extended. */
export async function endHoldsEarlier(db: Db, holds: readonly (Hold & { until: Date })[]): Promise<void> {
  if (holds.length === 0) return;
  await db.execute(sql`
    update quotes q set reserved_until = h.until
    from jsonb_to_recordset(${rowList(holds)}) as h (id text, "orderId" text, "merchantId" text, until timestamptz)
    where q.order_id = h."orderId" and q.merchant_id = h."merchantId" and q.id = h.id and q.kind = 'shared' and q.released_at is null and q.reserved_until > h.until`);
}

/**
 * The time after which a payer's last-moment choice of a network has certainly been written. That network must then be read before the
 * order can expire.
 */
const CHOICE_TIME = sql`interval '1 minute'`;

/**
 * A query for the ids of orders that an unconfirmed transfer would pay if its block time were later. Until the transfer is confirmed, its
 * block time comes from a single endpoint. The actual block time is no later than the time at which the transfer was first seen.
 */
const MAYBE_PAID = sql`
  select q.order_id from transfers t left join cursors c on c.network = t.network
    join quotes q on q.merchant_id = t.merchant_id and q.receiving_address_id = t.receiving_address_id and q.released_at is null
      and q.network = t.network and q.token = t.token and (q.kind = 'dedicated' or q.base_units = t.base_units)
  where t.status = 'seen' and t.lost_at is null and t.unlinked_at is null and not t.is_assigned and c.closed_at is null
    and t.order_id is distinct from q.order_id
    and t.block_time < t.seen_at - ${CLOCK_TOLERANCE}
    and t.block_time < q.created_at - ${CLOCK_TOLERANCE} and q.created_at <= t.seen_at`;

/**
 * Returns the ids of expired pending orders, oldest first. An order is returned only once the cursors of its networks have passed its
 * expiry, no unmatched transfer there could pay it, and no unconfirmed transfer would pay it at a different block time. A slow watcher
 * thus never expires an order that was paid in time. Networks that an operator closed are ignored, and an order without a chosen network
 * needs no cursor. The query runs network by network, so that orders on a lagging network are not read.
 */
export async function listExpirableOrders(db: Db, now: Date, limit: number): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<{ id: string }>(sql`
    select due.id from (
      (select due.id, due.expires_at from cursors c cross join lateral (
        select o.id, o.expires_at from orders o
        where o.network = c.network
          and o.expiring_at <= case when c.closed_at is null then least(c.block_time, ${at}) else ${at} - ${CHOICE_TIME} end
          and not exists (
            select from quotes q left join cursors other on other.network = q.network
            where q.order_id = o.id and q.merchant_id = o.merchant_id and q.released_at is null
              and other.closed_at is null and (other.block_time is null or other.block_time < o.expires_at))
          and not exists (
            select from quotes q join transfers t on t.receiving_address_id = q.receiving_address_id and t.merchant_id = q.merchant_id
              left join cursors other on other.network = t.network
            where q.order_id = o.id and q.merchant_id = o.merchant_id and t.matched_at is null and other.closed_at is null
              and (q.kind = 'dedicated' or t.base_units = q.base_units))
          and not exists (
            select from transfers t left join cursors other on other.network = t.network
            where t.order_id = o.id and t.merchant_id = o.merchant_id and t.matched_at is null and other.closed_at is null)
          and o.id <> all (array(${MAYBE_PAID}))
          and ${isTurnOf("expire", sql`o.id`, now)}
        order by o.expiring_at limit ${limit}) due
      where c.block_time is not null or c.closed_at is not null)
      union all
      (select o.id, o.expires_at from orders o
      where o.network is null and o.expiring_at <= ${at} - ${CHOICE_TIME} and ${isTurnOf("expire", sql`o.id`, now)}
      order by o.network, o.expiring_at limit ${limit})) due
    order by due.expires_at limit ${limit}`);
  return rows.map((row) => row.id);
}
