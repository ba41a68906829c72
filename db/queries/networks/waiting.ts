import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { WATCH_WANTED } from "@/lib/domain/channels";
import type { Waiting } from "@/lib/domain/networks/watch-state";

/**
 * The time within which a transfer normally becomes final. A transfer that takes longer requires action by a user, or its endpoints
 * contradict each other.
 */
const RECENT = sql`interval '1 hour'`;

/**
 * Returns the expected payments on some networks, including those of refunds that were approved, whose payment by a wallet began, or that
 * were written to a batch file within the last hour. The indexes contain only open rows, so the cost does not depend on the number of orders.
 * `listHeldUntil` reads `heldUntil`; this function does not.
 */
export async function listWaiting(db: Db, networks: readonly string[], now: Date): Promise<Map<string, Waiting>> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<{
    network: string;
    has_pending: boolean;
    is_confirming: boolean;
    has_unconfirmed: boolean;
  }>(sql`
    select n.network,
      exists (select from orders o where o.network = n.network and o.expiring_at is not null)
        or exists (
          select from quotes q join orders o on o.id = q.order_id and o.merchant_id = q.merchant_id
          where q.network = n.network and q.asked_units is not null and q.released_at is null and o.status = 'pending'
        )
        or exists (select from refund_requests r where r.network = n.network and r.status = 'approved'
          and (r.changed_at > ${at} - ${RECENT} or r.wallet_asked_at > ${at} - ${RECENT}
            or r.exported_at > ${at} - ${RECENT}))
        as has_pending,
      exists (
        select from transfers t join orders o on o.id = t.order_id and o.merchant_id = t.merchant_id
        where t.network = n.network and t.status = 'seen' and t.seen_at > ${at} - ${RECENT} and t.block_time <= o.expires_at
      ) as is_confirming,
      exists (
        select from transfers t where t.network = n.network and t.status = 'seen' and t.seen_at > ${at} - ${RECENT}
      ) or exists (
        select from refund_transfers x where x.network = n.network and x.status = 'seen' and x.refund_id is not null
          and x.seen_at > ${at} - ${RECENT}
      ) as has_unconfirmed
    from jsonb_array_elements_text(${JSON.stringify(networks)}::text::jsonb) n (network)`);
  return new Map(
    rows.map(({ network, has_pending: hasPending, is_confirming: isConfirming, has_unconfirmed: hasUnconfirmed }) => [
      network,
      { hasPending, isConfirming, hasUnconfirmed, heldUntil: null },
    ]),
  );
}

/**
 * Returns the time until which amounts are held on each network, or a refund that was approved may be paid; networks without either are
 * omitted. Reads every hold.
 */
export async function listHeldUntil(db: Db, now: Date): Promise<Map<string, Date>> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<{ network: string; until: number }>(sql`
    select network, extract(epoch from max(until))::float8 * 1000 as until from (
      select network, reserved_until as until from quotes
      where released_at is null and reserved_until > ${at}
      union all
      select network, ${at} + ${RECENT} from refund_requests where status in ('approved', 'sent')) held
    group by network`);
  return new Map(rows.map(({ network, until }) => [network, new Date(until)]));
}

/** Notifies the worker that a payment is expected on a network, unless the network is already polled in the active tier. */
export async function announceWaiting(db: Db, network: string): Promise<void> {
  await db.execute(
    sql`select pg_notify(${WATCH_WANTED}, network) from cursors where network = ${network} and watch_state <> 'awake'`,
  );
}
