import { sql } from "drizzle-orm";
import { persist } from "@/chaos/create-orders";
import { waitFor } from "@/chaos/wait";
import type { World } from "@/chaos/world";

/**
 * Stops the database for `ms` while only one worker runs. The other workers start again once that worker watches its networks again.
 * @param meanwhile the actions on the chains during the outage
 * @returns the networks that the worker did not watch again
 */
export async function stopDatabase(
  world: World,
  { worker, ms }: { worker: number; ms: number },
  meanwhile: () => Promise<void>,
): Promise<string[]> {
  await world.fleet.endAllBut(worker);
  const before = await waitFor(() => listUnwatched(world, null));
  await world.database.outage(ms, meanwhile);
  const since = new Date();
  const after = await waitFor(() => listUnwatched(world, since));
  world.fleet.startMissing();
  return [
    ...before.map((network) => `the only worker did not acquire ${network}`),
    ...after.map((network) => `the only worker did not watch ${network} again after ${ms} ms without a database`),
  ];
}

/**
 * Returns the networks that no worker has leased, and the networks with waiting orders and only healthy endpoints whose head was not read
 * after `since`.
 */
async function listUnwatched({ pool, endpoints, chains }: World, since: Date | null): Promise<string[]> {
  const rows = await persist(() =>
    pool.db.execute<{ network: string; isLeased: boolean; isActive: boolean; respondedAt: string | null }>(sql`
      select network, coalesce(lease_until > statement_timestamp(), false) as "isLeased", watch_state = 'awake' as "isActive",
        heard_at as "respondedAt" from cursors`),
  );
  const isWatched = ({ network, isLeased, isActive, respondedAt }: (typeof rows)[number]) => {
    const isHealthy = (endpoints.get(network) ?? []).every(({ fault }) => fault === undefined);
    const isRead = since === null || (respondedAt !== null && new Date(respondedAt) > since);
    return isLeased && (isRead || !isHealthy || !isActive);
  };
  const watched = new Set(rows.filter(isWatched).map(({ network }) => network));
  return chains.flatMap(({ network }) => (watched.has(network.id) ? [] : [network.id]));
}
