import type { Messages } from "@/components/pay/messages/en";
import type { ChoiceProblem } from "@/lib/domain/checkout/choice";

/** What every part of the page needs beside the order itself. */
export interface PageContext {
  t: Messages;
  /** Unix milliseconds by the server's clock. */
  nowMs: number;
  isSandbox: boolean;
  /** Why the choice that the payer just made was not taken; null or left out where there was none, or it was. */
  problem?: ChoiceProblem | null;
}
