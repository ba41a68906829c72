import { displayTxId, shorten } from "@/lib/domain/addresses/address";
import type { CheckoutState } from "@/lib/domain/checkout/state";
import { displayAmount } from "@/lib/domain/money";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { bestLookup, type Lookup, type LookupAnswer } from "@/lib/domain/transfers/lookup";

/**
 * The reasons why a lookup is rejected. `txid`: the entered text is not a transaction id of this order's networks; `asked`: too many
 * lookups were requested for this order or from this address.
 */
export type LookupProblem = "txid" | "asked";

/** The maximum number of characters that a payer may enter; links of block explorers are shorter. */
export const MAX_TYPED = 300;

/** The result of the lookup of a transaction, as shown to the payer who entered it. */
export interface LookupView {
  /** A shortened transaction id; it never contains any other text. */
  txId: string;
  /** The whole transaction id. */
  fullTxId: string;
  network: string;
  /** The result; null while the lookup is in progress. */
  answer: LookupAnswer | null;
}

const ASKED_IN: readonly CheckoutState[] = [
  "waiting",
  "underpaid",
  "partial",
  "checking",
  "expired",
  "elsewhere",
  "otherAmount",
];

/** Returns true if a payer may look up a transaction; false if the page already shows the state of the payment. */
export function mayLookUp(state: CheckoutState): boolean {
  return ASKED_IN.includes(state);
}

/**
 * Returns the view of the most relevant lookup; null if there is none.
 * @param own ids of the networks where the order can be paid
 */
export function lookupView(lookups: readonly Lookup[], own: readonly string[], now: Date): LookupView | null {
  const lookup = bestLookup(lookups, new Set(own), now);
  if (lookup === null) return null;
  const network = getNetwork(lookup.network);
  const { answer } = lookup;
  const fullTxId = displayTxId(network.family, lookup.txId);
  return { txId: shorten(fullTxId), fullTxId, network: network.name, answer: answer && displayedAnswer(answer) };
}

/** Returns a result with its network and amounts as they are shown. */
function displayedAnswer(answer: LookupAnswer): LookupAnswer {
  switch (answer.kind) {
    case "wrongNetwork":
      return { ...answer, network: networkTitle(getNetwork(answer.network)) };
    case "amount":
      return { ...answer, arrived: displayAmount(answer.arrived), due: displayAmount(answer.due) };
    default:
      return answer;
  }
}
