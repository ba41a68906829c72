import type { Messages } from "@/components/pay/messages/en";
import type { ChoiceProblem } from "@/lib/domain/checkout/choice";
import type { LookupProblem } from "@/lib/domain/checkout/lookup-view";

/** What every part of the page needs beside the order itself. There is no clock: a rendering is kept for whoever looks next. */
export interface PageContext {
  t: Messages;
  isSandbox: boolean;
  /** The merchant's, a square WebP in base64; null or left out where there is none. */
  logo?: string | null;
  /** Something to say above the order, in words. */
  notice?: string;
  /** Why the choice that the payer just made was not taken; null or left out where there was none, or it was. */
  problem?: ChoiceProblem | null;
  /** Whether the payer is about to say what they sent; and why that was not looked up, where it was not. */
  isAsking?: boolean;
  lookupProblem?: LookupProblem | null;
  /** What the payer typed there before; left out where they typed nothing, or it was looked up. */
  typed?: string;
}
