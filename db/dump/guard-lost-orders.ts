import type postgres from "postgres";
import { FOR_EVER } from "@/lib/domain/addresses/load";
import { EXPIRES_IN } from "@/lib/domain/api/limits";
import { LONGEST_EXTENSION_MS, MAX_EXTENSIONS } from "@/lib/domain/checkout/state";

/** The number of indexes to skip, which is higher than the number that any source derives between two dumps. */
const SKIPPED_INDEXES = 1_000;

/**
 * The longest time, in seconds, from the creation or renewal of an order to the end of its hold, without the late window. It includes two
 * minutes, because a new hold already accepts transfers two minutes before its start.
 */
const MAX_OPEN_SECONDS = EXPIRES_IN.max + (MAX_EXTENSIONS * LONGEST_EXTENSION_MS) / 1_000 + 120;

/** The result of guarding lost orders, which keeps their payers from paying new orders. */
export interface RestoreGuard {
  until: Date;
  /** The number of shared addresses that offer only amounts that end in nines before `until`. */
  shared: number;
  /** The number of dedicated addresses that no new order gets before `until`. */
  dedicated: number;
  /**
   * The number of dedicated addresses that were never used before. They are no longer offered, because they may belong to customers
   * permanently.
   */
  removed: number;
  /** The number of extended public keys and treasuries, each of which continues 1,000 indexes later. */
  sources: number;
}

/**
 * Guards orders that are lost because a database contains an older state than the last one in use. Their payers may still pay until the
 * longest possible hold has ended. Until then, no new order gets an amount or address that a lost order may have. Call it in a transaction
 * before web processes and workers start on the restored data, and again after each further restore.
 *
 * - Shared addresses offer only amounts that end in one nine, which they never offer otherwise. If orders may have been lost since an
 * earlier restore, the amounts end in one more nine.
 * - Dedicated addresses cool down. Since they no longer count as unused, no customer gets them permanently.
 * - Sources skip the indexes whose addresses lost orders and customers may have. Addresses that were never used are removed.
 */
export async function guardLostOrders(sql: postgres.Sql): Promise<RestoreGuard> {
  // The late window of shared addresses is at least an hour.
  const [time] = await sql<{ until: string; since: string; ms: number }[]>`
    select (t.now + t.span)::text as until, (t.now - t.span)::text as since, (extract(epoch from t.now + t.span) * 1000)::float8 as ms
    from (select date_trunc('milliseconds', clock_timestamp()) as now,
      make_interval(secs => ${MAX_OPEN_SECONDS}::int + greatest(3600, (select max(late_window_seconds) from merchants))) as span) t`;
  if (!time) throw new Error("The database returned no time");
  const { until, since } = time;
  const shared = await sql`
    update receiving_addresses set guard_level = case when guarded_until > ${since}::timestamptz then guard_level + 1 else 1 end,
      guarded_until = ${until}::timestamptz
    where kind = 'shared'`;
  // An address that may belong to a customer permanently must not be used for later orders either. A source derives other addresses;
  // pasted addresses are removed only if the merchant has permanent addresses.
  const removed = await sql<{ merchant_id: string; source_id: string; source_index: number }[]>`
    update receiving_addresses r set removed_at = clock_timestamp()
    where r.kind = 'dedicated' and r.removed_at is null
      and (r.source <> 'pasted' or exists (select from receiving_addresses p
        where p.merchant_id = r.merchant_id and p.rests_until = ${FOR_EVER.toISOString()}::timestamptz))
      and not exists (select from receiving_addresses s where s.merchant_id = r.merchant_id and s.family = r.family
        and s.address = r.address and s.rests_until > 'epoch')
    returning r.merchant_id, r.source_id, r.source_index`;
  const dedicated = await sql`
    update receiving_addresses set rests_until = ${until}::timestamptz where kind = 'dedicated' and rests_until < ${until}::timestamptz`;
  // Networks to which all addresses of a source were added advance with the source.
  await sql`
    update receiver_trials t set filled_to = t.filled_to + ${SKIPPED_INDEXES} from address_sources s
    where s.id = t.source_id and s.merchant_id = t.merchant_id and s.removed_at is null and t.filled_to = s.next_index`;
  const sources = await sql`
    update address_sources s set next_index = next_index + ${SKIPPED_INDEXES}, skipped = skipped + ${SKIPPED_INDEXES} + (
      select count(distinct r.source_index)::int from jsonb_to_recordset(${JSON.stringify(removed)}::text::jsonb)
        as r (merchant_id text, source_id text, source_index int) where r.merchant_id = s.merchant_id and r.source_id = s.id)
    where removed_at is null`;
  return {
    until: new Date(time.ms),
    shared: shared.count,
    dedicated: dedicated.count,
    removed: removed.count,
    sources: sources.count,
  };
}
