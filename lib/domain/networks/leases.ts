/** The lease of a network, which is the right to scan it, as stored in the database at one moment. */
export interface NetworkLease {
  network: string;
  /** The last owner; null when no worker has had the lease, or the last one returned it. */
  owner: string | null;
  /** True if the lease was returned or has expired, or its owner has no connection to the database. */
  isFree: boolean;
}

/**
 * The origin of a worker's lease. `taken`: the lease was free or belonged to a different worker, so other workers may have read in the
 * meantime.
 */
export type HeldLease = "renewed" | "taken";

/**
 * Returns the leases that a worker takes: every free one, including its own expired ones. If none is free, it takes leases from the worker
 * that has the most leases, until both have about the same number. A difference of one is left, so that workers that serve different
 * networks do not exchange leases endlessly.
 * @param leases the leases of all networks; a network without a lease is free
 */
export function leasesToTake(leases: readonly NetworkLease[], me: string, served: readonly string[]): NetworkLease[] {
  const known = new Map(leases.map((lease) => [lease.network, lease]));
  const mine = served.map((network) => known.get(network) ?? { network, owner: null, isFree: true });
  const free = mine.filter(({ isFree }) => isFree);
  if (free.length > 0) return free;
  const held = new Map([[me, 0]]);
  for (const { owner, isFree } of leases) if (owner !== null && !isFree) held.set(owner, (held.get(owner) ?? 0) + 1);
  const own = held.get(me) ?? 0;
  const takable = ([owner]: readonly [string, number]) => mine.some((lease) => lease.owner === owner);
  const [richest] = [...held]
    .filter(([owner]) => owner !== me)
    .filter(takable)
    .sort((a, b) => b[1] - a[1]);
  if (!richest) return [];
  const surplus = Math.max(0, Math.floor((richest[1] - own) / 2));
  return mine
    .filter(({ owner, isFree }) => owner === richest[0] && !isFree)
    .toReversed()
    .slice(0, surplus);
}
