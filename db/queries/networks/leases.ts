import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { NetworkLease } from "@/lib/domain/networks/leases";

/**
 * Returns the leases, by the database's clock. A lease is also free if its worker died, which means that none of its connections exists
 * any more.
 */
export async function listLeases(db: Db): Promise<NetworkLease[]> {
  return db.execute<{ network: string; owner: string | null; isFree: boolean }>(sql`
    select network, lease_owner as owner, lease_owner is null or lease_until <= statement_timestamp() or not exists (
      select from pg_stat_activity
      where datname = current_database() and application_name = 'stablegate-worker ' || right(lease_owner, 8)
    ) as "isFree" from cursors`);
}

/**
 * Renews all leases of a worker in one statement.
 * @returns the networks that it still holds, for `ttlMs` from now
 */
export async function renewLeases(db: Db, owner: string, ttlMs: number): Promise<string[]> {
  const rows = await db.execute<{ network: string }>(sql`
    update cursors set lease_until = statement_timestamp() + make_interval(secs => ${ttlMs / 1_000})
    where lease_owner = ${owner} and lease_until > statement_timestamp() returning network`);
  return rows.map(({ network }) => network);
}

/**
 * Claims leases for `owner`. A lease is claimed only if it is free or has expired, or if its owner is still the one that the caller read.
 * @returns the claimed networks; the others were claimed by another worker first
 */
export async function takeLeases(
  db: Db,
  owner: string,
  wanted: readonly NetworkLease[],
  ttlMs: number,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const seen = JSON.stringify(wanted.map((lease) => ({ network: lease.network, owner: lease.owner })));
  await db.execute(sql`
    insert into cursors (network) select network from jsonb_to_recordset(${seen}::text::jsonb) as seen (network text, owner text)
    where owner is null order by network on conflict (network) do nothing`);
  const rows = await db.execute<{ network: string }>(sql`
    update cursors c set lease_owner = ${owner}, lease_until = statement_timestamp() + make_interval(secs => ${ttlMs / 1_000})
    from jsonb_to_recordset(${seen}::text::jsonb) as seen (network text, owner text)
    where c.network = seen.network
      and (c.lease_owner is null or c.lease_until <= statement_timestamp() or c.lease_owner = seen.owner)
    returning c.network`);
  return rows.map(({ network }) => network);
}
