import type { TransferRow } from "@/testing/properties/snapshot";
import type { Hold } from "@/testing/properties/world";

/** Blocks may be stamped so long before the hold began that they pay. */
export const BEFORE_HOLD_MS = 120_000;

/** Whether a hold covers a moment. */
export function covers({ createdMs, untilMs }: Hold, ms: number): boolean {
  return createdMs - BEFORE_HOLD_MS <= ms && ms <= untilMs;
}

/** Whether a transfer is what a hold asks for, by everything but the time. */
export function fits(hold: Hold, transfer: Pick<TransferRow, "network" | "token" | "to" | "baseUnits">): boolean {
  const isSamePlace =
    hold.network === transfer.network && hold.token === transfer.token && hold.address === transfer.to;
  return isSamePlace && (hold.kind === "dedicated" || hold.baseUnits === transfer.baseUnits);
}

/** Whether two holds take the same money: one address, and one amount where it is shared, of whatever currency and network. */
export function isSameMoney(one: Hold, other: Hold): boolean {
  if (one.address !== other.address || one.kind !== other.kind) return false;
  return one.kind === "dedicated" || one.microUnits === other.microUnits;
}
