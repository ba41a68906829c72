import { type Db, runPrepared } from "@/db/client";
import { firstIdAt, idBefore } from "@/lib/domain/id";
import type { Currency } from "@/lib/domain/networks";
import type { OrderStatus } from "@/lib/domain/orders/order";

/** The criteria of a search for orders of a merchant; null matches any value. Network and currency are those of the shown quote. */
export interface OrderSearch {
  status: OrderStatus | null;
  network: string | null;
  currency: Currency | null;
  /** The earliest creation time, inclusive. */
  createdFrom: Date | null;
  /** The latest creation time, exclusive. */
  createdTo: Date | null;
  /** The id after which the page begins: only older orders are returned. */
  cursor: string | null;
  limit: number;
}

const MAX_EXAMINED = 2_000;
/** A bound above every id, under any collation. */
const TOP = "z";

/**
 * A statement that reads a merchant's orders along an index and stops after a maximum number of rows, regardless of how many match. A
 * subquery looks up each quote, because a join would scan a whole table of ten thousand rows for each page.
 */
const SEARCH = `
  with looked as (
    select o.id, o.merchant_id, o.quote_id, o.status, o.created_at from orders o
    where o.merchant_id = $1 and o.id < $2 and o.id >= $3 order by o.id desc limit $4),
  found as (
    select l.id from looked l
    where ($5::text is null or l.status = $5)
      and ($6::timestamptz is null or l.created_at >= $6) and ($7::timestamptz is null or l.created_at < $7)
      and case when $8::text is null and $9::text is null then true else (
        select ($8::text is null or q.network = $8) and ($9::text is null or q.currency = $9)
        from quotes q where q.order_id = l.id and q.merchant_id = l.merchant_id and q.id = l.quote_id) end
    order by l.id desc limit $10)
  select (select coalesce(json_agg(id order by id desc), '[]') from found) as ids,
    case when (select count(*) from found) < $10 then (select count(*) from looked)::integer else 0 end as looked,
    case when (select count(*) from found) < $10 then (select min(id) from looked) end as last`;

/** Returns the ids of one page of a search, newest first, and the id after which the next page begins; null if there are no more. */
export async function searchOrderIds(
  db: Db,
  merchantId: string,
  { status, network, currency, createdFrom, createdTo, cursor, limit }: OrderSearch,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const isFiltered = [status, network, currency, createdFrom, createdTo].some((value) => value !== null);
  const max = isFiltered ? MAX_EXAMINED : limit;
  const before = createdTo ? firstIdAt(createdTo) : TOP;
  const from = createdFrom ? idBefore(createdFrom) : "";
  const position = cursor !== null && cursor < before ? cursor : before;
  const [row] = await runPrepared<{ ids: string[]; looked: number; last: string | null }>(db, SEARCH, [
    ...[merchantId, position, from, max + 1, status],
    ...[createdFrom?.toISOString() ?? null, createdTo?.toISOString() ?? null, network, currency, limit + 1],
  ]);
  if (!row) return { ids: [], nextCursor: null };
  const ids = row.ids.slice(0, limit);
  if (row.ids.length > limit) return { ids, nextCursor: ids.at(-1) ?? null };
  return { ids, nextCursor: row.looked > max ? row.last : null };
}
