/**
 * The polling tier of a network. `awake` (active): an order or a page waits for it; `drowsy` (idle): only holds for late payments remain,
 * or a payment becomes final; `asleep` (dormant): nothing is expected, and transfers are still detected.
 */
export type WatchState = "awake" | "drowsy" | "asleep";

/** The expectations of a network. */
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
const COOL_DOWN_MS = { drowsy: 40_000, asleep: 60_000 };
/** Local chains cost nothing, and those who try the software out are in a hurry. */
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

/** Returns the milliseconds between two reads of an idle network. */
export function idleIntervalMs(state: Exclude<WatchState, "awake">, isReadOften: boolean): number {
  return (isReadOften ? LOCAL_INTERVAL_MS : COOL_DOWN_MS)[state];
}

/** The maximum age of the final height while no transfer waits for it. */
const FINAL_OLD_MS = { awake: 60_000, drowsy: 600_000, asleep: 600_000 };

/**
 * Returns the maximum age of the final height, in milliseconds: as new as the head if a transfer waits for it, or if the waiting transfers
 * are unknown.
 */
export function finalMayBeMs(state: WatchState, waiting: Waiting | null): number {
  return waiting === null || waiting.isConfirming || waiting.hasUnconfirmed ? 0 : FINAL_OLD_MS[state];
}

const DEPTH = { asleep: 0, drowsy: 1, awake: 2 };

/** Returns true if a network must be read sooner than it was scheduled. */
export function isMoreActive(state: WatchState, than: WatchState): boolean {
  return DEPTH[state] > DEPTH[than];
}

/** The block time from which the worker waits for the next block instead of polling. */
const SHORTEST_WAIT_MS = 1_800;
const DRIFT = 0.1;

/** The recent delay between a block's own time and its detection. */
export interface Arrival {
  height: number;
  delayMs: number;
}

/** Updates the delay with a new head; a known head changes nothing. */
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
