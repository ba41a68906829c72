/**
 * The method by which a receiving address distinguishes payments: a shared address by exact amounts, a dedicated address by serving one
 * order at a time.
 */
export type AddressKind = "shared" | "dedicated";

/** The origin of an address: pasted by a user, derived from the user's extended public key, or a contract that can pay only the user. */
export type AddressSource = "pasted" | "xpub" | "receiver";

/** The kinds of source from which addresses are derived. */
export type SourceKind = Exclude<AddressSource, "pasted">;

/** The current state of an address. `until`: the time when it is available for orders again. */
export type AddressLoad =
  | { state: "idle" }
  | { state: "serving" }
  | { state: "coolingDown"; until: Date }
  | { state: "permanent" };

/** The `availableAt` of an address that belongs to a customer permanently: it never serves orders again. */
export const FOR_EVER = new Date("9999-12-31T00:00:00Z");

interface LoadFacts {
  kind: AddressKind;
  liveQuotes: number;
  /** The number of live quotes of orders that are pending or confirming. */
  openOrders: number;
  availableAt: Date;
  /** The end of the last live quote of the address; null if there is none. */
  reservedUntil: Date | null;
}

/**
 * Returns the state of an address. A shared address always accepts orders. A dedicated address serves one order at a time. It then stays
 * unused until the late window of that order ends, so that a late payment is not credited to the next order.
 */
export function addressLoad(facts: LoadFacts, now: Date): AddressLoad {
  if (facts.openOrders > 0) return { state: "serving" };
  if (facts.kind === "shared") return { state: "idle" };
  if (facts.availableAt >= FOR_EVER) return { state: "permanent" };
  const reserved = facts.liveQuotes > 0 && facts.reservedUntil ? facts.reservedUntil : facts.availableAt;
  const until = new Date(Math.max(reserved.getTime(), facts.availableAt.getTime()));
  return until > now || facts.liveQuotes > 0 ? { state: "coolingDown", until } : { state: "idle" };
}

/** A dedicated address, with the data from which the load of its pool is computed. */
export interface PooledAddress extends LoadFacts {
  network: string;
  pausedAt: Date | null;
}

export interface Pool {
  network: string;
  idle: number;
  serving: number;
  coolingDown: number;
  /** The number of addresses that belong to customers permanently. */
  permanent: number;
  paused: number;
}

/** Returns the load of the dedicated addresses per network, in the order in which networks first appear. */
export function poolsOf(addresses: readonly PooledAddress[], now: Date): Pool[] {
  const pools = new Map<string, Pool>();
  for (const address of addresses.filter(({ kind }) => kind === "dedicated")) {
    const { network } = address;
    const pool = pools.get(network) ?? { network, idle: 0, serving: 0, coolingDown: 0, permanent: 0, paused: 0 };
    const { state } = addressLoad(address, now);
    const label = address.pausedAt && state === "idle" ? "paused" : state;
    pools.set(network, { ...pool, [label]: pool[label] + 1 });
  }
  return [...pools.values()];
}
