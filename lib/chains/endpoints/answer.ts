import { ChainError } from "@/lib/chains/endpoints/source";
import type { Block } from "@/lib/domain/networks/finality";

/** The first block of the first chain. */
const FIRST_TIME_MS = Date.UTC(2009, 0, 3);
/** Clocks differ, but not by days. */
const FURTHEST_AHEAD_MS = 86_400_000;
const FINAL_AHEAD_MS = 30_000;
const FINAL_AHEAD_BLOCKS = 2;

/** What an endpoint answered cannot be so, though its form is right. */
export function contradiction(method: string, words: string): ChainError {
  return new ChainError("inconsistent", `${method}: ${words}`);
}

/**
 * Refuses a block whose time is none: before there were chains (first blocks often carry none), or more than a day from
 * now, as milliseconds are where seconds are meant.
 * @param field method and field that told it
 * @throws ChainError("inconsistent")
 */
export function requireTime(field: string, { height, time }: Pick<Block, "height" | "time">, now: Date): void {
  const ms = time.getTime();
  if (ms <= now.getTime() + FURTHEST_AHEAD_MS && (ms >= FIRST_TIME_MS || (height === 0 && ms === 0))) return;
  const said = Number.isNaN(ms) ? "is none" : `would be ${time.toISOString()}`;
  throw contradiction(field, `the time of block ${height} ${said}; here it is ${now.toISOString()}`);
}

/**
 * Refuses a final height that is far above the head, or below one that was final before: what is final stays so. Seconds
 * pass between the two answers, so on chains that are final at once it may be a little ahead.
 * @param known `head` that was just read, and the highest `final` height before; null when there was none
 * @throws ChainError("inconsistent")
 */
export function requireFinal(
  method: string,
  height: number,
  known: { head: number; final: number | null },
  blockMs: number,
): void {
  const ahead = FINAL_AHEAD_BLOCKS + Math.ceil(FINAL_AHEAD_MS / blockMs);
  if (height > known.head + ahead) throw contradiction(method, `${height} is final, but the head is ${known.head}`);
  if (known.final !== null && height < known.final)
    throw contradiction(method, `only ${height} is final, but ${known.final} was before: this node lags`);
}
