import { canonicalAddress, displayAddress, displayTxId } from "@/lib/domain/address";
import {
  type CheckoutFacts,
  type CheckoutStray,
  isDelayed,
  isPaymentLate,
  type Progress,
  progressOf,
  type Sums,
  sumsOf,
} from "@/lib/domain/checkout-facts";
import { type CheckoutState, checkoutState, isMoneyWanted } from "@/lib/domain/checkout-state";
import { addressUrl, tokenUrl, transactionUrl } from "@/lib/domain/explorer";
import { formatUnits } from "@/lib/domain/money";
import { type Currency, getNetwork, getToken, type Network, networkTitle, type Token } from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/order";
import { addressPayload, returnUrl, walletUri } from "@/lib/domain/payment-uri";

/** A transfer for its payer, with where an explorer shows it. */
export interface SeenTransfer {
  network: { name: string; title: string };
  currency: Currency;
  amount: string;
  txId: string;
  url: string;
  explorerName: string;
}

/** What a payer sees. Amounts are exact decimal texts of `currency`, times Unix milliseconds. */
export interface CheckoutView {
  tradeId: string;
  version: number;
  status: OrderStatus;
  exception: OrderException | null;
  state: CheckoutState;
  merchantName: string;
  network: { id: string; name: string; standard: string; title: string };
  currency: Currency;
  /** Ordered, arrived (seen or confirmed), still to send, and beyond what was ordered. */
  amounts: { due: string; arrived: string; remaining: string; surplus: string };
  hasArrived: boolean;
  /** Only exactly this amount pays: the address serves several orders at once. */
  isExact: boolean;
  isLate: boolean;
  address: string;
  addressUrl: string;
  token: { contract: string; url: string };
  /** QR payloads. */
  payloads: { address: string; wallet: string | null };
  explorerName: string;
  expiresAt: number;
  /** When the last third of the time to pay begins. */
  hurryAt: number;
  paidAt: number | null;
  /** Until when a payment would still be found after the expiry; null when nobody looks any more. */
  watchedUntil: number | null;
  progress: Progress | null;
  transfers: SeenTransfer[];
  /** Came to the right address in another currency or on another network, and does not count by itself. */
  strays: SeenTransfer[];
  isDelayed: boolean;
  isMoneyWanted: boolean;
  /** Money would still be taken, though it should not be sent unasked. */
  isMoneyTaken: boolean;
  /** Nothing will change any more. */
  isFinal: boolean;
  /** Only once paid. */
  returnUrl: string | null;
}

/** What the payer of an order sees at an instant: never notify_url, and mch_order_id only in the return address. */
export function checkoutView(facts: CheckoutFacts, now: Date): CheckoutView {
  const { quote, status } = facts;
  const sums = sumsOf(facts);
  const progress = progressOf(facts);
  const isLate = isPaymentLate(facts);
  const state = checkoutState({
    status,
    exception: facts.exception,
    isTimeUp: now >= facts.expiresAt,
    isPartlyPaid: sums.arrived > 0n,
    hasStray: facts.strays.length > 0,
    isExact: quote.kind === "shared",
    isLate,
    confirmations: progress?.confirmations ?? 0,
  });
  const isWatched = !quote.isReleased && now < quote.reservedUntil;
  const isOver = status === "paid" || status === "cancelled";
  return {
    ...offerOf(facts, sums),
    tradeId: facts.tradeId,
    version: facts.version,
    status,
    exception: facts.exception,
    state,
    merchantName: facts.merchantName,
    hasArrived: sums.arrived > 0n,
    isLate,
    ...timesOf(facts),
    watchedUntil: isWatched ? quote.reservedUntil.getTime() : null,
    progress,
    transfers: facts.transfers.map(seenOf),
    strays: facts.strays.map(seenOf),
    isDelayed: !isOver && isDelayed(facts.chain, now),
    isMoneyWanted: isMoneyWanted(state),
    isMoneyTaken: isMoneyWanted(state) || (state === "elsewhere" && status === "pending" && now < facts.expiresAt),
    isFinal: isOver || (state === "expired" && !isWatched),
    returnUrl:
      status === "paid" && facts.redirectUrl !== null
        ? returnUrl(facts.redirectUrl, facts.tradeId, facts.mchOrderId)
        : null,
  };
}

/** What to send, and where. */
function offerOf({ quote, merchantName: label }: CheckoutFacts, sums: Sums) {
  const network = getNetwork(quote.network);
  const token = askedToken(network, quote);
  const request = { network, token, address: quote.address, units: sums.remaining, label };
  const text = (units: bigint) => formatUnits(units, token.decimals);
  return {
    network: { id: network.id, name: network.name, standard: network.standard, title: networkTitle(network) },
    currency: quote.currency,
    amounts: {
      due: text(quote.baseUnits),
      arrived: text(sums.arrived),
      remaining: text(sums.remaining),
      surplus: text(sums.surplus),
    },
    isExact: quote.kind === "shared",
    address: displayAddress(network.family, quote.address),
    addressUrl: addressUrl(network, quote.address),
    token: { contract: token.contract, url: tokenUrl(network, token.contract) },
    payloads: { address: addressPayload(request), wallet: walletUri(request) },
    explorerName: network.explorer.name,
  };
}

/** The token that was asked for, though an operator may have put another in its place since: what is paid must be that one. */
function askedToken(network: Network, { token, currency }: CheckoutFacts["quote"]): Token {
  const asked = network.tokens.find(({ contract }) => canonicalAddress(network.family, contract) === token);
  return asked ?? getToken(network, currency);
}

function timesOf({ createdAt, expiresAt, paidAt }: CheckoutFacts) {
  const expires = expiresAt.getTime();
  return {
    expiresAt: expires,
    hurryAt: expires - Math.floor((expires - createdAt.getTime()) / 3),
    paidAt: paidAt?.getTime() ?? null,
  };
}

function seenOf(transfer: CheckoutStray): SeenTransfer {
  const network = getNetwork(transfer.network);
  const { decimals } = getToken(network, transfer.currency);
  return {
    network: { name: network.name, title: networkTitle(network) },
    currency: transfer.currency,
    amount: formatUnits(transfer.baseUnits, decimals),
    txId: displayTxId(network.family, transfer.txId),
    url: transactionUrl(network, transfer.txId),
    explorerName: network.explorer.name,
  };
}
