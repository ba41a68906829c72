import { displayTxId, shorten } from "@/lib/domain/addresses/address";
import type { CheckoutState } from "@/lib/domain/checkout/state";
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
  network: string;
  /** The result; null while the lookup is in progress. */
  answer: LookupAnswer | null;
}

const ASKED_IN: readonly CheckoutState[] = ["waiting", "underpaid", "partial", "checking", "expired", "elsewhere"];

/** Returns true if a payer may look up a transaction; false if the page already shows the state of the payment. */
export function mayLookUp(state: CheckoutState): boolean {
  return ASKED_IN.includes(state);
}

/**
 * Returns the view of the most relevant lookup; null if there is none or the page does not offer lookups.
 * @param own ids of the networks where the order can be paid
 */
export function lookupView(
  state: CheckoutState,
  { lookups, own }: { lookups: readonly Lookup[]; own: readonly string[] },
  now: Date,
): LookupView | null {
  const lookup = mayLookUp(state) ? bestLookup(lookups, new Set(own), now) : null;
  if (lookup === null) return null;
  const network = getNetwork(lookup.network);
  const { answer } = lookup;
  const latest =
    answer?.kind === "wrongNetwork" ? { ...answer, network: networkTitle(getNetwork(answer.network)) } : answer;
  return { txId: shorten(displayTxId(network.family, lookup.txId)), network: network.name, answer: latest };
}
