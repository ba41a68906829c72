/** How a receiving address tells payments apart: by the exact amount, or by being one order's alone. */
export type AddressKind = "shared" | "dedicated";

/** Where an address comes from: a person pasted it, or it was derived from their extended public key, or for a contract that pays only them. */
export type AddressSource = "pasted" | "xpub" | "receiver";

/** What addresses are derived from. */
export type SourceKind = Exclude<AddressSource, "pasted">;

/** What an address does now. `until`: when it serves again. */
export type AddressLoad =
  | { state: "idle" }
  | { state: "serving" }
  | { state: "resting"; until: Date }
  | { state: "permanent" };

/** When an address serves orders again that belongs to a customer permanently: never. */
export const FOR_EVER = new Date("9999-12-31T00:00:00Z");

interface LoadFacts {
  kind: AddressKind;
  liveQuotes: number;
  /** Live quotes of orders that wait for money or confirm it. */
  openOrders: number;
  restsUntil: Date;
  /** Of its live quotes; null without one. */
  reservedUntil: Date | null;
}

/**
 * Whether an address takes an order: a shared one always does; a dedicated one serves one order at a time, then rests until
 * that order's late window is over, so that late money is not taken for the next order's.
 */
export function addressLoad(facts: LoadFacts, now: Date): AddressLoad {
  if (facts.openOrders > 0) return { state: "serving" };
  if (facts.kind === "shared") return { state: "idle" };
  if (facts.restsUntil >= FOR_EVER) return { state: "permanent" };
  const reserved = facts.liveQuotes > 0 && facts.reservedUntil ? facts.reservedUntil : facts.restsUntil;
  const until = new Date(Math.max(reserved.getTime(), facts.restsUntil.getTime()));
  return until > now || facts.liveQuotes > 0 ? { state: "resting", until } : { state: "idle" };
}

/** A dedicated address as its pool sees it. */
export interface PooledAddress extends LoadFacts {
  network: string;
  pausedAt: Date | null;
}

export interface Pool {
  network: string;
  idle: number;
  serving: number;
  resting: number;
  /** They belong to customers permanently. */
  permanent: number;
  paused: number;
}

/** How the dedicated addresses of each network are busy, in the order in which networks first appear. */
export function poolsOf(addresses: readonly PooledAddress[], now: Date): Pool[] {
  const pools = new Map<string, Pool>();
  for (const address of addresses.filter(({ kind }) => kind === "dedicated")) {
    const { network } = address;
    const pool = pools.get(network) ?? { network, idle: 0, serving: 0, resting: 0, permanent: 0, paused: 0 };
    const { state } = addressLoad(address, now);
    const place = address.pausedAt && state === "idle" ? "paused" : state;
    pools.set(network, { ...pool, [place]: pool[place] + 1 });
  }
  return [...pools.values()];
}
