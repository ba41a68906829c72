import type { TransferRow } from "@/testing/properties/snapshot";
import type { Hold } from "@/testing/properties/world";

/** The longest time by which the timestamp of a block may precede the creation of a hold that its transfers match. */
export const BEFORE_HOLD_MS = 120_000;

/** Returns true if a hold covers a time. */
export function covers({ createdMs, untilMs }: Hold, ms: number): boolean {
  return createdMs - BEFORE_HOLD_MS <= ms && ms <= untilMs;
}

/** Returns true if a transfer matches a hold, apart from its time. */
export function fits(hold: Hold, transfer: Pick<TransferRow, "network" | "token" | "to" | "baseUnits">): boolean {
  const isSameSlot = hold.network === transfer.network && hold.token === transfer.token && hold.address === transfer.to;
  return isSameSlot && (hold.kind === "dedicated" || hold.baseUnits === transfer.baseUnits);
}

/**
 * Returns true if two holds match the same payments: the same address and, if it is shared, the same amount, in any currency and on any
 * network.
 */
export function isSameAmount(one: Hold, other: Hold): boolean {
  if (one.address !== other.address || one.kind !== other.kind) return false;
  return one.kind === "dedicated" || one.microUnits === other.microUnits;
}
