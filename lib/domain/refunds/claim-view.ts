import { displayAddress, displayTxId, transactionUrl } from "@/lib/domain/addresses/address";
import type { Brand } from "@/lib/domain/checkout/brand";
import { type Progress, progressOn } from "@/lib/domain/checkout/facts";
import { displayMicro } from "@/lib/domain/money";
import { type Currency, findNetwork, getNetwork, type Network, networkTitle } from "@/lib/domain/networks";
import type { ChainHeight } from "@/lib/domain/networks/finality";
import type { ProblemCode } from "@/lib/domain/problems/problem";
import { claimNetworks } from "@/lib/domain/refunds/claim";
import type { ClaimCheck, RefundPrice, RefundSettings, RefundStatus } from "@/lib/domain/refunds/refund";

/** The stored facts of a refund that its claim page needs. The address is in canonical form. */
export interface ClaimFacts {
  id: string;
  version: number;
  status: RefundStatus;
  merchantName: string;
  brand: Brand;
  currency: Currency;
  microUnits: bigint;
  price: RefundPrice | null;
  reason: string | null;
  /** The merchant's message to the customer, from a cancellation or a reopening. */
  message: string | null;
  /** The value that the customer must enter before a claim. */
  check: ClaimCheck;
  settings: Pick<RefundSettings, "networks">;
  /** The network on which the order was paid; null if it is unknown. */
  paidOn: string | null;
  network: string | null;
  address: string | null;
  expiresAt: Date;
  /** The transfer that completes the refund; null before it was seen. */
  transfer: { txId: string; blockHeight: number; head: ChainHeight | null } | null;
}

/** A network as the page names it. */
interface NamedNetwork {
  id: string;
  name: string;
  standard: string;
  title: string;
}

/** The content of a claim page. */
export interface ClaimView {
  id: string;
  version: number;
  state: RefundStatus;
  merchantName: string;
  brand: Brand;
  /** "12.5 USDT" */
  amount: string;
  currency: Currency;
  /** "11.50 EUR", if the refund was requested in fiat; otherwise null. */
  price: string | null;
  reason: string | null;
  message: string | null;
  check: ClaimCheck;
  /** The networks to choose from while the refund can be claimed. */
  networks: (NamedNetwork & { isPaidOn: boolean })[];
  network: NamedNetwork | null;
  /** The claimed address in display form. */
  address: string | null;
  /** Unix milliseconds. */
  expiresAt: number;
  transfer: { txId: string; url: string; explorerName: string; progress: Progress } | null;
}

/** Returns the view of a claim page at a given time. */
export function claimView(facts: ClaimFacts, now: Date): ClaimView {
  const { id, version, merchantName, brand, currency, price, paidOn, reason, message, check, expiresAt } = facts;
  const state = facts.status === "requested" && expiresAt <= now ? "expired" : facts.status;
  const network = facts.network === null ? null : getNetwork(facts.network);
  const offered = state === "requested" ? claimNetworks(currency, facts.settings, paidOn ?? "") : [];
  return {
    id,
    version,
    state,
    merchantName,
    brand,
    amount: `${displayMicro(facts.microUnits)} ${currency}`,
    currency,
    price: price && `${price.amount} ${price.fiat}`,
    reason,
    message,
    check,
    networks: offered.map((one) => ({ ...nameOf(one), isPaidOn: one.id === paidOn })),
    network: network && nameOf(network),
    address: network && facts.address !== null ? displayAddress(network.family, facts.address) : null,
    expiresAt: expiresAt.getTime(),
    transfer: network && facts.transfer && transferOf(network, facts.transfer, state),
  };
}

const nameOf = (network: Network): NamedNetwork => ({
  id: network.id,
  name: network.name,
  standard: network.standard,
  title: networkTitle(network),
});

function transferOf(
  network: Network,
  { txId, blockHeight, head }: NonNullable<ClaimFacts["transfer"]>,
  state: RefundStatus,
): ClaimView["transfer"] {
  const progress = progressOn({ network: network.id, head, wait: null, blockHeight });
  return {
    txId: displayTxId(network.family, txId),
    url: transactionUrl(network, txId),
    explorerName: network.explorer.name,
    progress: state === "completed" ? { ...progress, confirmations: progress.required, secondsLeft: 0 } : progress,
  };
}

/** Returns the polling interval of a claim page, in milliseconds; 0 if it does not change any more. */
export function claimRefreshMs({ state }: Pick<ClaimView, "state">): number {
  if (state === "cancelled" || state === "expired") return 0;
  return state === "sent" ? 3_000 : 60_000;
}

/** The problems of a claim as the page names them. */
export type ClaimProblem =
  | "used"
  | "often"
  | "network"
  | "address"
  | "token"
  | "shop"
  | "confirmation"
  | "number"
  | "email";

const PROBLEMS: Readonly<Partial<Record<ProblemCode, ClaimProblem>>> = {
  claim_used: "used",
  claim_too_often: "often",
  claim_network_not_offered: "network",
  address_is_token_contract: "token",
  claim_address_of_shop: "shop",
  claim_not_confirmed: "confirmation",
  claim_wrong_order_number: "number",
  claim_wrong_email: "email",
};

/** Returns the page's name of a problem of a claim. Every other problem is one of the address. */
export function claimProblemOf(code: ProblemCode): ClaimProblem {
  return PROBLEMS[code] ?? "address";
}

/** The customer's earlier input with its problem, to be corrected. */
export interface RefusedClaim {
  problem: ClaimProblem;
  network: string;
  /** The name of the selected network; empty if none was selected. */
  networkTitle: string;
  address: string;
  check: string;
}

/** The maximum length of a value on the claim page. */
export const MAX_CLAIM_TEXT = 254;

/** Returns the customer's input as it is repeated on the page. */
export function refusedClaim(
  code: ProblemCode,
  { network, address, check }: { network: string; address: string; check: string },
): RefusedClaim {
  const known = findNetwork(network);
  return {
    problem: claimProblemOf(code),
    network: known?.id ?? "",
    networkTitle: known ? networkTitle(known) : "",
    address: address.slice(0, MAX_CLAIM_TEXT),
    check: check.slice(0, MAX_CLAIM_TEXT),
  };
}

/** The public status of a refund, which its claim page polls. */
export interface ClaimStatusData {
  refund_id: string;
  version: number;
  /** A tag of everything that the page shows; a different tag means that the page has changed. */
  tag: string;
  status: RefundStatus;
}
