/**
 * How a refund that a merchant noted stands. `open`: it is looked at again; `final`: its chain shows it, and it counts; `refused`: its
 * chain shows something else; `never`: for a day no endpoint knew of it.
 */
export const REFUND_STATES = ["open", "final", "refused", "never"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** Why a transaction is not the refund that it was noted as: its chain, or what is noted already, contradicts that. */
export const REFUND_FLAWS = ["failed", "otherToken", "otherDirection", "several", "early", "spent", "whole"] as const;
export type RefundFlaw = (typeof REFUND_FLAWS)[number];

/**
 * What a look at a transaction came to. `silent`: no endpoint answered; `absent`: those that did know no such transaction;
 * `unfinal`: it fits, and may still be taken back; `disputed`: endpoints contradict each other; `toPayer`, `toOther`: final.
 */
export const REFUND_SAYS = ["silent", "absent", "unfinal", "disputed", "toPayer", "toOther", ...REFUND_FLAWS] as const;
export type RefundSays = (typeof REFUND_SAYS)[number];

/** The transfer that is said to have been sent back. Addresses and tokens are in canonical form. */
export interface RefundedTransfer {
  token: string;
  fromAddress: string;
  blockHeight: number;
}

/** What a transaction moved, as far as it can be a refund. */
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

/** The part of a transaction that is a refund: all that it moved of the token to one receiver. */
export interface RefundLegs<T extends Leg> {
  legs: readonly T[];
  to: string;
  movedUnits: bigint;
  isToPayer: boolean;
}

/**
 * Which part of a transaction sends a transfer back: the same token to whoever sent it; or else to the one other address that it
 * went to, which is neither the merchant's nor paid by the payer.
 * @param isOwn whether an address is one of the merchant's receiving addresses
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

/** What is counted already. */
interface Counted {
  /** Of the transfer, by its other refunds. */
  ofTransfer: bigint;
  /** Of what the transaction moved to this receiver, for whatever transfer. */
  ofTransaction: bigint;
}

/**
 * How much of a transaction counts for a transfer: no more than is left of either. So the refunds of a transfer never come to more
 * than arrived, and one transaction can send several transfers back but no unit of it twice. What was sent on top is no refund.
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
/** So long a transaction may be unknown to everybody: no chain here keeps one waiting for longer. */
const LONGEST_MS = 86_400_000;

/** When an open refund is looked at again: soon at first, then ever more seldom, ten minutes apart at most. */
export function nextRefundLook(notedAt: Date, now: Date): Date {
  const ageMs = now.getTime() - notedAt.getTime();
  return new Date(now.getTime() + Math.min(LATEST_MS, Math.max(SOONEST_MS, ageMs / 4)));
}

/** Whether a refund that nobody knows of is given up. That nobody answers never is a reason. */
export function isNeverSeen(says: RefundSays, notedAt: Date, now: Date): boolean {
  return says === "absent" && now.getTime() - notedAt.getTime() >= LONGEST_MS;
}
