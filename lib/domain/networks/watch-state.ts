/**
 * The polling tier of a network. `awake` (active): an order or a page needs new blocks without delay; `drowsy` (idle): only reservations
 * for late payments remain, or a payment is becoming final; `asleep` (dormant): nothing is expected, and transfers are still detected.
 */
export type WatchState = "awake" | "drowsy" | "asleep";

/** The pending orders and payments of a network. */
export interface Waiting {
  /** True if a pending order can be paid on the network. */
  hasPending: boolean;
  /** True if a payment that arrived before its order's expiry is not final yet. */
  isConfirming: boolean;
  /** True if any transfer is not final yet, including late ones and those without an order. */
  hasUnconfirmed: boolean;
  /** The time until which amounts are reserved for late payments; null if none is. */
  heldUntil: Date | null;
}

/** The intervals between reads. No transfer is missed, because each read covers every block since the previous one. */
const COOL_DOWN_MS = { drowsy: 40_000, asleep: 60_000 };
/** The intervals for local chains, which cost nothing and whose users expect fast responses. */
const LOCAL_INTERVAL_MS = { drowsy: 1_000, asleep: 2_000 };

/**
 * Returns the polling tier of a network.
 * @param isSpent true if its endpoints have used up their budgets: it is then polled at the lowest rate
 */
export function watchState(waiting: Waiting, now: Date, isSpent = false): WatchState {
  const isHeld = waiting.heldUntil !== null && waiting.heldUntil > now;
  const isAwaited = waiting.hasPending || waiting.isConfirming;
  if (isAwaited && !isSpent) return "awake";
  return isAwaited || ((waiting.hasUnconfirmed || isHeld) && !isSpent) ? "drowsy" : "asleep";
}

/** Returns the interval between two reads of an idle network, in milliseconds. */
export function idleIntervalMs(state: Exclude<WatchState, "awake">, isReadOften: boolean): number {
  return (isReadOften ? LOCAL_INTERVAL_MS : COOL_DOWN_MS)[state];
}

/** The maximum age of the final height while all transfers are final. */
const FINAL_OLD_MS = { awake: 60_000, drowsy: 600_000, asleep: 600_000 };

/**
 * Returns the maximum age of the final height, in milliseconds. If any transfer is not final yet, or if this is unknown, the final height
 * must be as new as the head.
 */
export function finalMayBeMs(state: WatchState, waiting: Waiting | null): number {
  return waiting === null || waiting.isConfirming || waiting.hasUnconfirmed ? 0 : FINAL_OLD_MS[state];
}

const DEPTH = { asleep: 0, drowsy: 1, awake: 2 };

/** Returns true if the first state is polled more often than the second. */
export function isMoreActive(state: WatchState, than: WatchState): boolean {
  return DEPTH[state] > DEPTH[than];
}

/** The minimum block time at which the worker waits for the next block instead of polling. */
const SHORTEST_WAIT_MS = 1_800;
const DRIFT = 0.1;

/** The recent delay between a block's own time and its detection. */
export interface Arrival {
  height: number;
  delayMs: number;
  /** The time before its expected arrival at which the next block is requested, so that the measured delay can decrease. */
  earlyMs: number;
}

const EARLY_MS = { first: 5, max: 200 };

/**
 * Updates the delay with a new head; a known head changes nothing. As long as each block has arrived when it is requested, the next one is
 * requested earlier and earlier.
 * @param askedAt the time when the head was requested. The time when its round ended would let the delay grow with every block.
 */
export function noteArrival(
  known: Arrival | null,
  { height, time }: { height: number; time: Date },
  askedAt: Date,
): Arrival {
  const seen = askedAt.getTime() - time.getTime();
  // The first head may have arrived long before it was requested, so the next one is requested as soon as it can exist.
  if (known === null || known.height > height)
    return { height, delayMs: seen, earlyMs: Math.max(EARLY_MS.first, seen) };
  if (known.height === height) return known;
  if (seen < known.delayMs) return { height, delayMs: seen, earlyMs: Math.min(EARLY_MS.max, known.earlyMs * 2) };
  return { height, delayMs: known.delayMs + (seen - known.delayMs) * DRIFT, earlyMs: EARLY_MS.first };
}

/** The shortest interval at which a late block is requested, as a part of the poll interval. */
const LATE_PART = 4;

/**
 * Returns the milliseconds until the next read: until the next block is expected, or the poll interval if the block time is unknown or too
 * short. A late block is requested again soon, and then at intervals as long as it is late, up to the poll interval.
 */
export function untilNextRead(
  { time, blockMs }: { time: Date; blockMs?: number | null | undefined },
  { delayMs, earlyMs }: Arrival,
  pollMs: number,
  now: Date,
): number {
  if (blockMs == null || blockMs < SHORTEST_WAIT_MS) return pollMs;
  const ms = time.getTime() + blockMs + delayMs - earlyMs - now.getTime();
  return ms > 0 ? Math.min(ms, blockMs) : Math.min(pollMs, Math.max(Math.ceil(pollMs / LATE_PART), -ms));
}
