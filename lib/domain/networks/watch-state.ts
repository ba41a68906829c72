/**
 * How closely a network is watched. `awake`: somebody waits for it; `drowsy`: nobody does, but amounts are held for late payments,
 * or a payment that nobody looks at becomes final; `asleep`: nothing is expected, and whatever comes is found all the same.
 */
export type WatchState = "awake" | "drowsy" | "asleep";

/** What is expected of a network. */
export interface Waiting {
  /** A pending order can be paid there. */
  hasPending: boolean;
  /** A payment that came in its order's time is not final yet. */
  isConfirming: boolean;
  /** Any transfer is not final yet: late ones, and those that no order asked for. */
  hasUnconfirmed: boolean;
  /** Until when amounts are held for late payments; null when none is. */
  heldUntil: Date | null;
}

/** Reads that are this far apart miss nothing: each reads every block since the last. */
const REST_MS = { drowsy: 40_000, asleep: 60_000 };
/** Local chains cost nothing, and those who try the software out are in a hurry. */
const LOCAL_REST_MS = { drowsy: 1_000, asleep: 2_000 };

/**
 * The state of a network.
 * @param isSpent its endpoints have used their budgets up: it is read as seldom as it may be, whoever waits
 */
export function watchState(waiting: Waiting, now: Date, isSpent = false): WatchState {
  const isHeld = waiting.heldUntil !== null && waiting.heldUntil > now;
  const isAwaited = waiting.hasPending || waiting.isConfirming;
  if (isAwaited && !isSpent) return "awake";
  return isAwaited || ((waiting.hasUnconfirmed || isHeld) && !isSpent) ? "drowsy" : "asleep";
}

/** Milliseconds between two readings of a network on which nobody waits. */
export function idleRestMs(state: Exclude<WatchState, "awake">, isReadOften: boolean): number {
  return (isReadOften ? LOCAL_REST_MS : REST_MS)[state];
}

/** How long nobody need ask what is final while no transfer waits for it. */
const FINAL_OLD_MS = { awake: 60_000, drowsy: 600_000, asleep: 600_000 };

/**
 * How old the height that is final may be, in milliseconds: as new as the head where a transfer waits for it, or where nobody
 * knows who waits.
 */
export function finalMayBeMs(state: WatchState, waiting: Waiting | null): number {
  return waiting === null || waiting.isConfirming || waiting.hasUnconfirmed ? 0 : FINAL_OLD_MS[state];
}

const DEPTH = { asleep: 0, drowsy: 1, awake: 2 };

/** Whether a network must be read sooner than it was to be. */
export function isMoreAwake(state: WatchState, than: WatchState): boolean {
  return DEPTH[state] > DEPTH[than];
}

/** From here on a block takes long enough to be waited for instead of asked for. */
const SHORTEST_WAIT_MS = 1_800;
const DRIFT = 0.1;

/** When blocks of a network are seen: how long after their own time, lately. */
export interface Arrival {
  height: number;
  delayMs: number;
}

/** What a head says about it that was just heard; one that was known before says nothing. */
export function noteArrival(
  known: Arrival | null,
  { height, time }: { height: number; time: Date },
  now: Date,
): Arrival {
  const seen = now.getTime() - time.getTime();
  if (known === null || known.height > height) return { height, delayMs: seen };
  if (known.height === height) return known;
  const delayMs = seen < known.delayMs ? seen : known.delayMs + (seen - known.delayMs) * DRIFT;
  return { height, delayMs };
}

/**
 * Milliseconds until the next block may be seen, where blocks are slow and their pace was measured; null where that is not known,
 * or the block is late.
 */
export function untilNextBlock(
  head: { time: Date; blockMs?: number | null | undefined },
  { delayMs }: Arrival,
  now: Date,
): number | null {
  const { time, blockMs } = head;
  if (blockMs == null || blockMs < SHORTEST_WAIT_MS) return null;
  const ms = time.getTime() + blockMs + delayMs - now.getTime();
  return ms > 0 ? Math.min(ms, blockMs) : null;
}
