/** A transfer by which a trial is evaluated, as stored: base units are a decimal string, and the time is ISO 8601. */
export interface TrialTransfer {
  txId: string;
  position: string;
  token: string;
  from: string;
  to: string;
  baseUnits: string;
  blockHeight: number;
  blockHash: string;
  blockTime: string;
}

/** The progress of a trial. `missing`: the factory is not on the network; `forgotten`: it is no longer checked. */
export type TrialState = "asked" | "missing" | "waiting" | "arrived" | "swept" | "tried" | "forgotten";

interface TrialFacts {
  lookAt: Date | null;
  hasFactory: boolean | null;
  arrival: TrialTransfer | null;
  sweep: TrialTransfer | null;
  triedAt: Date | null;
}

/** Returns the progress of a trial. `swept`: the sweep was found, but is not final yet. */
export function trialState({ lookAt, hasFactory, arrival, sweep, triedAt }: TrialFacts): TrialState {
  if (triedAt) return "tried";
  if (!lookAt) return "forgotten";
  if (arrival && sweep) return "swept";
  if (hasFactory === null) return "asked";
  if (!hasFactory) return "missing";
  return arrival ? "arrived" : "waiting";
}

/**
 * Returns the transfers that prove that a receiver works: the first incoming transfer, and the first transfer of the same token from the
 * receiver to its treasury that is not earlier.
 * @param moves the transfers of known tokens, in any order
 */
export function findTrial(
  moves: readonly TrialTransfer[],
  { receiver, treasury }: { receiver: string; treasury: string },
): { arrival: TrialTransfer | null; sweep: TrialTransfer | null } {
  const inOrder = moves.toSorted((one, other) => one.blockHeight - other.blockHeight);
  const arrivals = inOrder.filter(({ to }) => to === receiver);
  for (const arrival of arrivals) {
    const sweep = inOrder.find(
      ({ from, to, token, blockHeight }) =>
        from === receiver && to === treasury && token === arrival.token && blockHeight >= arrival.blockHeight,
    );
    if (sweep) return { arrival, sweep };
  }
  return { arrival: arrivals[0] ?? null, sweep: null };
}

const SOONEST_MS = 5_000;
const LATEST_MS = 600_000;
/** The longest time for which a trial is checked without a new request. */
const LONGEST_MS = 3 * 86_400_000;

/** Returns the time of the next check of a trial: soon at first, then at growing intervals; null once it is abandoned. */
export function nextTrialLook(askedAt: Date, now: Date): Date | null {
  const ageMs = now.getTime() - askedAt.getTime();
  if (ageMs >= LONGEST_MS) return null;
  return new Date(now.getTime() + Math.min(LATEST_MS, Math.max(SOONEST_MS, ageMs / 20)));
}
