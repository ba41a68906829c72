import { displayAddress, displayTxId, tokenUrl, transactionUrl } from "@/lib/domain/addresses/address";
import type { Brand } from "@/lib/domain/checkout/brand";
import { type CheckoutChain, type CheckoutTransfer, isDelayed, progressOn } from "@/lib/domain/checkout/facts";
import { addressPayload } from "@/lib/domain/checkout/payment-uri";
import { type SeenLookAlike, seenLookAlike } from "@/lib/domain/checkout/view";
import { displayAmount, formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, networkTitle } from "@/lib/domain/networks";
import { tokenOf } from "@/lib/domain/transfers/transfer";

/** The number of transfers that a deposit address's page shows, newest first. */
export const DEPOSITS_SHOWN = 20;

/**
 * The state of a deposit address. `open`: in use; `closed`: the merchant has paused or removed it; `broken`: the stored row does not match
 * its MAC, so the address is not shown.
 */
export type DepositState = "open" | "closed" | "broken";

/** A transfer to a deposit address that is on the chain, or was removed after it was confirmed. */
export interface DepositTransfer
  extends Pick<
    CheckoutTransfer,
    "network" | "token" | "txId" | "baseUnits" | "head" | "wait" | "isConfirmed" | "blockHeight"
  > {
  currency: Currency;
  /** True if a reorg removed the transfer after it was confirmed. */
  isReversed: boolean;
  seenAt: Date;
}

/** The stored facts of a deposit address that its page needs. `address` is in canonical form. */
export interface DepositFacts {
  id: string;
  version: number;
  state: DepositState;
  merchantName: string;
  brand: Brand;
  network: string;
  address: string;
  /** The transfers, newest first; includes one more than is shown if there are older ones. */
  transfers: readonly DepositTransfer[];
  chain: CheckoutChain | null;
}

/** A transfer as shown to its sender. Amounts are exact decimal strings, and times are Unix milliseconds. */
export interface ArrivedView {
  network: { id: string; title: string };
  currency: Currency;
  amount: string;
  txId: string;
  url: string;
  explorerName: string;
  /** The state of the transfer. `seen`: it has at most one confirmation. */
  state: "seen" | "confirming" | "confirmed" | "reversed";
  confirmations: number;
  required: number;
  secondsLeft: number;
  seenAt: number;
}

/** A token that is credited at a deposit address. */
export interface DepositToken {
  currency: Currency;
  contract: string;
  url: string;
  alsoShownAs: string | null;
  lookAlikes: SeenLookAlike[];
}

/** The content of a deposit address's page. It never contains the merchant's reference for the customer. */
export interface DepositView {
  id: string;
  version: number;
  state: DepositState;
  merchantName: string;
  brand: Brand;
  network: { id: string; name: string; standard: string; title: string };
  tokens: DepositToken[];
  /** The address in display form, also in the QR code; null while it must not be used. */
  address: string | null;
  payload: string | null;
  explorerName: string;
  arrived: ArrivedView[];
  /** True if there are older transfers that are not listed. */
  hasOlder: boolean;
  isDelayed: boolean;
}

/** Returns the view of a deposit address at a given time. */
export function depositView(facts: DepositFacts, now: Date): DepositView {
  const { id, version, state, merchantName, brand } = facts;
  const network = getNetwork(facts.network);
  const isBroken = state === "broken";
  const cursor = { network, address: facts.address };
  return {
    id,
    version,
    state,
    merchantName,
    brand,
    network: { id: network.id, name: network.name, standard: network.standard, title: networkTitle(network) },
    tokens: tokensOf(facts.network),
    address: state === "open" ? displayAddress(network.family, facts.address) : null,
    payload: state === "open" ? addressPayload(cursor) : null,
    explorerName: network.explorer.name,
    arrived: isBroken ? [] : facts.transfers.slice(0, DEPOSITS_SHOWN).map(arrivedOf),
    hasOlder: !isBroken && facts.transfers.length > DEPOSITS_SHOWN,
    isDelayed: !isBroken && isDelayed(facts.chain, now),
  };
}

/** Returns the polling interval, like `refreshMs` for an order's page: confirmations increase without notifications. */
export function depositRefreshMs({ arrived }: Pick<DepositView, "arrived">): number {
  return arrived.some(({ state }) => state === "seen" || state === "confirming") ? 3_000 : 60_000;
}

function tokensOf(id: string): DepositToken[] {
  const network = getNetwork(id);
  return network.tokens
    .filter(({ isOff }) => !isOff)
    .map(({ currency, contract, alsoShownAs }) => ({
      currency,
      contract,
      url: tokenUrl(network, contract),
      alsoShownAs: alsoShownAs ?? null,
      lookAlikes: network.lookAlikes.filter((one) => one.currency === currency && !one.isOff).map(seenLookAlike),
    }));
}

function arrivedOf(transfer: DepositTransfer): ArrivedView {
  const network = getNetwork(transfer.network);
  const token = tokenOf(transfer);
  const { confirmations, required, secondsLeft } = progressOn(transfer);
  const early = confirmations <= 1 ? "seen" : "confirming";
  return {
    network: { id: network.id, title: networkTitle(network) },
    currency: transfer.currency,
    amount: displayAmount(formatUnits(transfer.baseUnits, token.decimals)),
    txId: displayTxId(network.family, transfer.txId),
    url: transactionUrl(network, transfer.txId),
    explorerName: network.explorer.name,
    state: transfer.isReversed ? "reversed" : transfer.isConfirmed ? "confirmed" : early,
    // A final transfer always shows the required confirmations, even as the chain grows.
    ...(transfer.isConfirmed
      ? { confirmations: required, required, secondsLeft: 0 }
      : { confirmations, required, secondsLeft }),
    seenAt: transfer.seenAt.getTime(),
  };
}

/** The public status of a deposit address, which its page polls while it is open. Times are Unix seconds. */
export interface DepositStatusData {
  deposit_address_id: string;
  version: number;
  /** A tag of everything the page shows; a different tag means that the page has changed. */
  tag: string;
  state: DepositState;
  transfers: DepositArrivalData[];
}

/** A transfer in the status of a deposit address. */
export interface DepositArrivalData {
  network: string;
  currency: Currency;
  /** Exact. */
  amount: string;
  tx_hash: string;
  state: ArrivedView["state"];
  confirmations: number;
  required_confirmations: number;
  seen_at: number;
}

/** Returns the public status of a deposit address. */
export function toDepositStatus({ id, version, state, arrived }: DepositView, tag: string): DepositStatusData {
  return {
    deposit_address_id: id,
    version,
    tag,
    state,
    transfers: arrived.map((one) => ({
      network: one.network.id,
      currency: one.currency,
      amount: one.amount,
      tx_hash: one.txId,
      state: one.state,
      confirmations: one.confirmations,
      required_confirmations: one.required,
      seen_at: Math.floor(one.seenAt / 1_000),
    })),
  };
}
