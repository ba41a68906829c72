import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The kinds of targets that a transfer can credit, in the order in which their rows are locked. */
export const TARGET_KINDS = ["order", "deposit"] as const;
/** The kinds of targets that are credited with every transfer to their address, regardless of its amount. */
export const STANDING_KINDS = ["deposit"] as const satisfies readonly TargetKind[];
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The target that a transfer credits: an order, or a customer's deposit address. Ids of different kinds are never equal. */
export interface CreditTarget {
  kind: TargetKind;
  id: string;
}

/** A target with the merchant's own name for it: the number of the order, or the reference of the customer. */
export interface NamedTarget extends CreditTarget {
  reference: string;
}

/**
 * A change to a transfer that affects its target.
 * - `matched`: the transfer is linked to the target; its status is seen or dropped. A dropped transfer can reappear.
 * - `unmatched`: the transfer is no longer linked to it.
 * - `confirmed`: the transfer is final.
 * - `lost`: a reorg removed the transfer after it was final.
 * - `restored`: a lost transfer is final again.
 */
export interface FundsChange {
  type: "matched" | "unmatched" | "confirmed" | "lost" | "restored";
  transferId: string;
  target: CreditTarget;
}

/** The reason why a transfer that credits a target cannot be assigned to an order. */
export const CREDITED_ALREADY: Record<TargetKind, Problem> = {
  order: problem("transfer_pays_order"),
  deposit: problem("transfer_is_deposit"),
};

/** Returns true if two targets are the same. */
export function isSameTarget(one: CreditTarget | null, other: CreditTarget | null): boolean {
  return one?.kind === other?.kind && one?.id === other?.id;
}

/** Returns the id of the order that is credited; null if the target is not an order. */
export function orderIdOf(target: CreditTarget | null): string | null {
  return target?.kind === "order" ? target.id : null;
}

/** Returns the distinct target ids of the changes that have one of these types. */
export function targetsOf(changes: readonly FundsChange[], ...types: readonly FundsChange["type"][]): string[] {
  return [...new Set(changes.flatMap(({ type, target }) => (types.includes(type) ? [target.id] : [])))];
}
