/** Who may scan a network, as the database says it at one moment. */
export interface NetworkLease {
  network: string;
  /** Null where nobody may. */
  owner: string | null;
  /** Nobody has it any more: given back, run out, or its worker is gone. */
  isFree: boolean;
}

/**
 * What a worker takes of the networks that it serves: all that is free, or else so many of whoever holds most that both hold about
 * the same. What one network may be apart is left as it is, so that workers which serve different networks come to rest too.
 * @param leases of all networks that anybody reads; a network that is not among them is free
 */
export function leasesToTake(leases: readonly NetworkLease[], me: string, served: readonly string[]): NetworkLease[] {
  const known = new Map(leases.map((lease) => [lease.network, lease]));
  const mine = served.map((network) => known.get(network) ?? { network, owner: null, isFree: true });
  const free = mine.filter(({ isFree, owner }) => isFree && owner !== me);
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
