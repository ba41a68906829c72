/**
 * The state of a recorded refund. `open`: it is checked again; `final`: it is on its chain and counts; `refused`: its chain or an existing
 * record contradicts it; `never`: no endpoint had it for a day.
 */
export const REFUND_STATES = ["open", "final", "refused", "never"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** The reasons why a transaction is not the refund that was recorded: its chain or an existing record contradicts it. */
export const REFUND_FLAWS = ["failed", "otherToken", "otherDirection", "several", "early", "spent", "whole"] as const;
export type RefundFlaw = (typeof REFUND_FLAWS)[number];

/**
 * The result of checking a transaction. `silent`: no endpoint responded; `absent`: the endpoints that responded do not have the
 * transaction; `unfinal`: it matches and is not final; `disputed`: endpoints contradict each other; `toPayer`, `toOther`: it matches, is
 * final, and went to the payer or to a different receiver.
 */
export const REFUND_OBSERVATIONS = [
  "silent",
  "absent",
  "unfinal",
  "disputed",
  "toPayer",
  "toOther",
  ...REFUND_FLAWS,
] as const;
export type RefundObservation = (typeof REFUND_OBSERVATIONS)[number];

/** The transfer that is being refunded. Addresses and tokens are in canonical form. */
export interface RefundedTransfer {
  token: string;
  fromAddress: string;
  blockHeight: number;
}

/** The fields by which a movement of a transaction is recognized as a refund. */
interface Leg {
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
}

interface Shown<T extends Leg> {
  isSuccess: boolean;
  blockHeight: number;
  transfers: readonly T[];
}

/** The part of a transaction that is a refund: all its movements of the token to one receiver. */
export interface RefundLegs<T extends Leg> {
  legs: readonly T[];
  to: string;
  movedUnits: bigint;
  isToPayer: boolean;
}

/**
 * Returns the movements of a transaction that refund a transfer: those of the same token to the transfer's sender, or, if there are none,
 * to the only other receiver. Movements from the payer, and movements to the merchant's own addresses, are ignored.
 * @param isOwn returns true if an address is one of the merchant's receiving addresses
 */
export function findRefundLegs<T extends Leg>(
  transfer: RefundedTransfer,
  shown: Shown<T>,
  isOwn: (address: string) => boolean,
): RefundLegs<T> | { flaw: RefundFlaw } {
  if (!shown.isSuccess) return { flaw: "failed" };
  if (shown.blockHeight < transfer.blockHeight) return { flaw: "early" };
  const same = shown.transfers.filter(({ token, baseUnits }) => token === transfer.token && baseUnits > 0n);
  if (same.length === 0) return { flaw: "otherToken" };
  const away = same.filter(({ from, to }) => from !== transfer.fromAddress && !isOwn(to));
  const [first] = away.toSorted((a, b) => Number(isPayer(transfer, b)) - Number(isPayer(transfer, a)));
  if (!first) return { flaw: "otherDirection" };
  const isToPayer = isPayer(transfer, first);
  if (!isToPayer && away.some(({ to }) => to !== first.to)) return { flaw: "several" };
  const legs = away.filter(({ to }) => to === first.to);
  return { legs, to: first.to, movedUnits: legs.reduce((sum, { baseUnits }) => sum + baseUnits, 0n), isToPayer };
}

function isPayer({ fromAddress }: RefundedTransfer, { to }: Leg): boolean {
  return to === fromAddress;
}

/** The amounts that other refunds already use. */
interface Counted {
  /** The part of the transfer's amount that its other refunds already cover. */
  ofTransfer: bigint;
  /** The part of the transaction's amount to this receiver that other refunds already use. */
  ofTransaction: bigint;
}

/**
 * Returns the amount of a transaction that counts toward a transfer, limited to the remaining amounts of both. The refunds of a transfer
 * therefore never exceed it, and no unit of a transaction counts twice. An excess is not a refund.
 */
export function countRefund(
  arrivedUnits: bigint,
  movedUnits: bigint,
  { ofTransfer, ofTransaction }: Counted,
): { units: bigint } | { flaw: RefundFlaw } {
  if (ofTransfer >= arrivedUnits) return { flaw: "whole" };
  if (ofTransaction >= movedUnits) return { flaw: "spent" };
  const left = arrivedUnits - ofTransfer;
  const free = movedUnits - ofTransaction;
  if (free > left) return { units: left };
  return { units: free };
}

const SOONEST_MS = 5_000;
const LATEST_MS = 600_000;
/** The time for which a transaction may be unknown to all endpoints; no supported chain keeps one pending for longer. */
const LONGEST_MS = 86_400_000;

/** Returns the time of the next check of an open refund: soon at first, then at growing intervals, at most ten minutes. */
export function nextRefundLook(notedAt: Date, now: Date): Date {
  const ageMs = now.getTime() - notedAt.getTime();
  return new Date(now.getTime() + Math.min(LATEST_MS, Math.max(SOONEST_MS, ageMs / 4)));
}

/** Returns true if a refund is abandoned because no endpoint has its transaction. Missing responses are never a reason. */
export function isNeverSeen(observation: RefundObservation, notedAt: Date, now: Date): boolean {
  return observation === "absent" && now.getTime() - notedAt.getTime() >= LONGEST_MS;
}
