import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { cursors, receivingAddresses } from "@/db/schema";
import { type Closure, type ConfirmingOrder, NOTHING_OPEN, type OpenOnNetwork } from "@/lib/domain/networks/closure";

const iso = (at: Date) => sql`${at.toISOString()}::timestamptz`;

/** Returns true if a network has been watched or has receiving addresses. */
export async function isNetworkUsed(db: Db, network: string): Promise<boolean> {
  const [watched] = await db.select({ one: sql`1` }).from(cursors).where(eq(cursors.network, network));
  if (watched) return true;
  const isThere = eq(receivingAddresses.network, network);
  const [addressed] = await db.select({ one: sql`1` }).from(receivingAddresses).where(isThere).limit(1);
  return addressed !== undefined;
}

/**
 * Marks a network as closed unless it already is. If the network was never read, also stores the time from which the first scan must read.
 * This time cannot be determined from the holds later, because holds on a closed network end by time alone.
 * @returns true if this call closed the network; a concurrent call waits until the first transaction ends
 */
export async function writeClosure(db: Db, network: string, { closedAt, closedBy, reason }: Closure): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into cursors as c (network, closed_at, closed_by, close_reason, block_time)
    values (${network}, ${iso(closedAt)}, ${closedBy}, ${reason},
      (select min(q.created_at) from quotes q where q.network = ${network} and q.released_at is null))
    on conflict (network) do update set closed_at = excluded.closed_at, closed_by = excluded.closed_by,
      close_reason = excluded.close_reason, block_time = coalesce(c.block_time, excluded.block_time)
    where c.closed_at is null
    returning 1`);
  return rows.length === 1;
}

/**
 * Marks a network as open.
 * @returns true if this call opened it
 */
export async function deleteClosure(db: Db, network: string): Promise<boolean> {
  const rows = await db
    .update(cursors)
    .set({ closedAt: null, closedBy: null, closeReason: null })
    .where(and(eq(cursors.network, network), isNotNull(cursors.closedAt)))
    .returning({ network: cursors.network });
  return rows.length === 1;
}

/** Returns the closure of a network, or null if the network is open. */
export async function findClosure(db: Db, network: string): Promise<Closure | null> {
  return (await listClosures(db)).get(network) ?? null;
}

/** Returns the closed networks. */
export async function listClosures(db: Db): Promise<Map<string, Closure>> {
  const { network, closedAt, closedBy, closeReason } = cursors;
  const rows = await db.select({ network, closedAt, closedBy, closeReason }).from(cursors).where(isNotNull(closedAt));
  return new Map(
    rows.flatMap(({ network: id, closedAt: at, closedBy: by, closeReason: reason }) =>
      at === null ? [] : [[id, { closedAt: at, closedBy: by ?? "", reason: reason ?? "" }] as const],
    ),
  );
}

/** Returns the networks that were ever watched or closed. */
export async function listKnownNetworks(db: Db): Promise<string[]> {
  const rows = await db.select({ network: cursors.network }).from(cursors);
  return rows.map(({ network }) => network);
}

/**
 * Returns the merchants that have receiving addresses on a network, including removed addresses, and the merchants that a user belongs to.
 */
export async function listMerchantsOf(db: Db, network: string, userId: string | null): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select merchant_id as id from receiving_addresses where network = ${network}
    union select merchant_id from memberships where user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

/**
 * Returns the confirming orders and the held quotes on each network; networks without any are omitted. Reads all held quotes and
 * unconfirmed transfers.
 * @param limit the maximum number of confirming orders that are listed per network
 */
export async function listOpen(db: Db, limit: number, now: Date): Promise<Map<string, OpenOnNetwork>> {
  const confirming = await db.execute<
    ConfirmingOrder & { network: string; count: number; [column: string]: unknown }
  >(sql`
    select network, "tradeId", "merchantName", "mchOrderId", count from (
      select t.network, o.id as "tradeId", m.name as "merchantName", o.mch_order_id as "mchOrderId",
        (count(*) over (partition by t.network))::integer as count,
        row_number() over (partition by t.network order by o.id) as place
      from (select distinct network, order_id, merchant_id from transfers where status = 'seen' and order_id is not null) t
        join orders o on o.id = t.order_id and o.merchant_id = t.merchant_id and o.status = 'confirming'
        join merchants m on m.id = o.merchant_id) listed
    where place <= ${limit} order by network, place`);
  const held = await db.execute<{ network: string; pendingCount: number; heldCount: number; until: number | null }>(sql`
    select q.network, count(distinct o.id) filter (where o.status = 'pending')::integer as "pendingCount",
      count(*)::integer as "heldCount",
      extract(epoch from max(q.reserved_until) filter (where q.reserved_until > ${iso(now)}))::float8 * 1000 as until
    from quotes q join orders o on o.id = q.order_id and o.merchant_id = q.merchant_id
    where q.released_at is null group by q.network`);
  const open = new Map<string, OpenOnNetwork>();
  for (const { network, pendingCount, heldCount, until } of held)
    open.set(network, { ...NOTHING_OPEN, pendingCount, heldCount, heldUntil: until === null ? null : new Date(until) });
  for (const [network, rows] of Map.groupBy(confirming, (row) => row.network))
    open.set(network, {
      ...(open.get(network) ?? NOTHING_OPEN),
      confirming: rows.map(({ tradeId, merchantName, mchOrderId }) => ({ tradeId, merchantName, mchOrderId })),
      confirmingCount: rows[0]?.count ?? 0,
    });
  return open;
}
