import type { Messages } from "@/components/pay/messages/en";
import type { ChoiceProblem } from "@/lib/domain/checkout/choice";
import type { PaySource } from "@/lib/domain/checkout/exchanges";
import type { LookupProblem } from "@/lib/domain/checkout/lookup-view";

/**
 * The data that every part of the page needs besides the order itself. It does not include the current time, because a rendering is cached
 * for other viewers.
 */
export interface PageContext {
  t: Messages;
  isSandbox: boolean;
  /** The merchant's logo, a square WebP in base64; null or absent if there is none. */
  logo?: string | null;
  /** The URL of the page, for links that open it in a wallet's browser; absent in previews. */
  url?: string;
  /** The source of the payment that the payer selected; null or absent if none. */
  from?: PaySource | null;
  /** A notice above the order. */
  notice?: string;
  /** The reason why the payer's last choice was not accepted; null or absent if there was no choice or it was accepted. */
  problem?: ChoiceProblem | null;
  /** True if the payer is entering a transaction. `lookupProblem` is the reason why the previous transaction was not looked up. */
  isAsking?: boolean;
  lookupProblem?: LookupProblem | null;
  /** The payer's earlier input; absent if there was none or it was looked up. */
  typed?: string;
}
