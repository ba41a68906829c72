import { displayTxId, shorten } from "@/lib/domain/addresses/address";
import type { CheckoutState } from "@/lib/domain/checkout/state";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { bestLookup, type Lookup, type LookupAnswer } from "@/lib/domain/transfers/lookup";

/**
 * Why nothing was looked up: `txid`: what was typed is no transaction id of this order's networks; `asked`: it was asked too often,
 * for this order or from this address.
 */
export type LookupProblem = "txid" | "asked";

/** Characters of what a payer types; no explorer's link is longer. */
export const MAX_TYPED = 300;

/** The result that a payer sees of the transaction that they entered. */
export interface LookupView {
  /** Shortened, and never anything but a transaction id. */
  txId: string;
  network: string;
  /** Null while it is being looked up. */
  answer: LookupAnswer | null;
}

const ASKED_IN: readonly CheckoutState[] = ["waiting", "underpaid", "partial", "checking", "expired", "elsewhere"];

/** Returns true if a payer may look up a transaction: false while the page shows its state anyway. */
export function mayLookUp(state: CheckoutState): boolean {
  return ASKED_IN.includes(state);
}

/** @param own ids of the networks where the order can be paid */
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
