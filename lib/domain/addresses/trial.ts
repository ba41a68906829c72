/** A transfer that a trial goes by, as it is stored: base units are a decimal text, the time is ISO 8601. */
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

/** How far a trial has come; `missing`: the factory is not on the network; `forgotten`: nobody looks any more. */
export type TrialState = "asked" | "missing" | "waiting" | "arrived" | "swept" | "tried" | "forgotten";

interface TrialFacts {
  lookAt: Date | null;
  hasFactory: boolean | null;
  arrival: TrialTransfer | null;
  sweep: TrialTransfer | null;
  triedAt: Date | null;
}

/** `swept`: it was, and is not final yet. */
export function trialState({ lookAt, hasFactory, arrival, sweep, triedAt }: TrialFacts): TrialState {
  if (triedAt) return "tried";
  if (!lookAt) return "forgotten";
  if (arrival && sweep) return "swept";
  if (hasFactory === null) return "asked";
  if (!hasFactory) return "missing";
  return arrival ? "arrived" : "waiting";
}

/**
 * Which transfers show that a receiver works: the first that came to it, and the first of that token that went from it to its
 * treasury, not before.
 * @param moves of known tokens, in any order
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
/** So long a trial is looked after without anybody asking anew. */
const LONGEST_MS = 3 * 86_400_000;

/** When a trial is looked at next: soon at first, then ever more seldom; null: nobody seems to be trying any more. */
export function nextTrialLook(askedAt: Date, now: Date): Date | null {
  const ageMs = now.getTime() - askedAt.getTime();
  if (ageMs >= LONGEST_MS) return null;
  return new Date(now.getTime() + Math.min(LATEST_MS, Math.max(SOONEST_MS, ageMs / 20)));
}
