import type { Messages } from "@/components/pay/messages/en";
import type { ChoiceProblem } from "@/lib/domain/checkout/choice";
import type { LookupProblem } from "@/lib/domain/checkout/lookup-view";

/** The context of every part of the page besides the order itself. It has no clock, because a rendering is cached for other viewers. */
export interface PageContext {
  t: Messages;
  isSandbox: boolean;
  /** The merchant's, a square WebP in base64; null or left out where there is none. */
  logo?: string | null;
  /** A notice above the order. */
  notice?: string;
  /** Why the choice that the payer just made was not taken; null or left out where there was none, or it was. */
  problem?: ChoiceProblem | null;
  /** True if the payer is entering a transaction; with the reason why an earlier one was not looked up. */
  isAsking?: boolean;
  lookupProblem?: LookupProblem | null;
  /** The payer's earlier input; absent if there was none, or it was looked up. */
  typed?: string;
}
