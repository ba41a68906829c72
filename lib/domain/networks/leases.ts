/** The lease of a network: the right to scan it, as the database stores it at one moment. */
export interface NetworkLease {
  network: string;
  /** The last owner; null when no worker has had the lease, or the last one returned it. */
  owner: string | null;
  /** The lease was returned, has expired, or its owner has no connection to the database. */
  isFree: boolean;
}

/** The origin of a worker's lease: `taken` if the lease was free or another worker's before, so that others may have read meanwhile. */
export type HeldLease = "renewed" | "taken";

/**
 * Returns the leases that a worker takes: every free one, including its own expired ones; if none is free, as many from the worker with
 * the most leases as give both about the same number. A difference of one is left, so that workers which serve different networks do not
 * exchange leases without end.
 * @param leases of all networks; a network without one is free
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
