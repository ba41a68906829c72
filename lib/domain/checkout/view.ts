import { addressUrl, displayAddress, displayTxId, tokenUrl, transactionUrl } from "@/lib/domain/addresses/address";
import type { Brand } from "@/lib/domain/checkout/brand";
import { quotedText } from "@/lib/domain/checkout/choice";
import {
  type CheckoutFacts,
  type CheckoutMisdirected,
  isDelayed,
  isPaymentLate,
  type Progress,
  progressOf,
  type Sums,
  sumsOf,
} from "@/lib/domain/checkout/facts";
import { type LookupView, lookupView, mayLookUp } from "@/lib/domain/checkout/lookup-view";
import { addressPayload, offerName, walletUri } from "@/lib/domain/checkout/payment-uri";
import {
  type CheckoutState,
  checkoutState,
  hurryAt,
  isPaymentExpected,
  type MoreTime,
  moreTimeOf,
} from "@/lib/domain/checkout/state";
import { formatUnits } from "@/lib/domain/money";
import {
  type Currency,
  type Family,
  getNetwork,
  getToken,
  type LookAlike,
  networkTitle,
  type Token,
} from "@/lib/domain/networks";
import type { OrderException, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";
import { isLookAlike, knownTokens, tokenName, tokenOf } from "@/lib/domain/transfers/transfer";

const JUST_PAID_MS = 120_000;
const HOUR_MS = 3_600_000;

/** A transfer for its payer, with where an explorer shows it. */
export interface SeenTransfer {
  network: { name: string; title: string };
  /** The display name of its token: "USDT", "bridged USDT". */
  tokenName: string;
  /** The look-alike that resembles a currency; null if the token is the currency's own. */
  lookAlike: SeenLookAlike | null;
  amount: string;
  txId: string;
  url: string;
  explorerName: string;
}

/** A token that wallets call like a currency, though it is not. */
export interface SeenLookAlike {
  /** "bridged USDT" */
  name: string;
  /** The symbol that wallets show. */
  symbol: string;
  contract: string;
}

/**
 * The whole view of a payer. The page is a function of this and of the language, so it contains nothing that changes every second. Amounts
 * are exact decimal texts of `currency`, times Unix milliseconds.
 */
export interface CheckoutView {
  tradeId: string;
  version: number;
  status: OrderStatus;
  exception: OrderException | null;
  state: CheckoutState;
  merchantName: string;
  brand: Brand;
  /** The merchant's description of the order. */
  subject: string | null;
  network: { id: string; name: string; standard: string; title: string };
  currency: Currency;
  /** Ordered, arrived (seen or confirmed), still to send, and beyond what was ordered. */
  amounts: { due: string; arrived: string; remaining: string; surplus: string };
  /** The fiat price and the rate with its time; null if the merchant set the amount. */
  price: { amount: string; rate: string; at: number } | null;
  hasArrived: boolean;
  /** True if only exactly this amount pays, because the address serves several orders at once. */
  isExact: boolean;
  isLate: boolean;
  address: string;
  addressUrl: string;
  /** The token, with other names that wallets show and with its look-alikes. */
  token: { contract: string; url: string; alsoShownAs: string | null; lookAlikes: SeenLookAlike[] };
  /** QR payloads. */
  payloads: { address: string; wallet: string | null };
  /** The family of wallets that can pay it, and a short name of the request: another name is another payment. */
  offer: { family: Family; name: string };
  explorerName: string;
  expiresAt: number;
  /** The start of the last third of the time to pay. */
  hurryAt: number;
  /** More time that the payer may have; null where they may not. */
  moreTime: MoreTime | null;
  paidAt: number | null;
  /** Paid so recently that the payer is taken back to the shop. */
  isJustPaid: boolean;
  /** The minimum number of hours for which a payment would still be detected; null once the hold is over. */
  watchedHours: number | null;
  progress: Progress | null;
  /** The other selected methods, which remain payable: "10 USDT", "Ethereum (ERC20)". */
  otherOffers: { amount: string; network: string }[];
  /** True if another method can be selected: no payment arrived yet, and there is one. */
  canSwitch: boolean;
  transfers: SeenTransfer[];
  /** Came to the right address in another token or on another network, and does not count by itself. */
  misdirected: SeenTransfer[];
  /** The result for the transaction that the payer entered; null without one. */
  lookup: LookupView | null;
  mayLookUp: boolean;
  isDelayed: boolean;
  isPaymentExpected: boolean;
  /** Money would still be taken, though it should not be sent unasked. */
  isPaymentAccepted: boolean;
  /** Nothing will change any more. */
  isFinal: boolean;
  /** The return URL; null until paid. */
  returnUrl: string | null;
}

/** Returns the view of the payer of an order at a given time: never notify_url, and mch_order_id only in the return address. */
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
    hasMisdirected: facts.misdirected.length > 0,
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
    brand: facts.brand,
    subject: facts.subject,
    price: priceOf(facts),
    hasArrived: sums.arrived > 0n,
    isLate,
    ...timesOf(facts),
    isJustPaid: facts.paidAt !== null && now.getTime() - facts.paidAt.getTime() < JUST_PAID_MS,
    watchedHours: isWatched ? Math.ceil((quote.reservedUntil.getTime() - now.getTime()) / HOUR_MS) : null,
    progress,
    otherOffers: facts.otherQuotes.map((quote) => {
      return { amount: quotedText(quote), network: networkTitle(getNetwork(quote.network)) };
    }),
    moreTime: state === "waiting" ? moreTimeOf(facts) : null,
    canSwitch: state === "waiting" && hasOtherWays(facts),
    transfers: facts.transfers.map(seenOf),
    misdirected: facts.misdirected.map(seenOf),
    lookup: lookupView(
      state,
      { lookups: facts.lookups, own: [quote, ...facts.otherQuotes].map(({ network }) => network) },
      now,
    ),
    mayLookUp: mayLookUp(state),
    isDelayed: !isOver && isDelayed(facts.chain, now),
    isPaymentExpected: isPaymentExpected(state),
    isPaymentAccepted:
      isPaymentExpected(state) || (state === "elsewhere" && status === "pending" && now < facts.expiresAt),
    isFinal: isOver || (state === "expired" && !isWatched),
    returnUrl: status === "paid" ? facts.returnUrl : null,
  };
}

/** Returns true if the payer may have a choice; the available methods are read when the payer opens it. */
function hasOtherWays({ quote, otherQuotes, isElsewhereOpen, checkout }: CheckoutFacts): boolean {
  if (otherQuotes.length > 0) return true;
  const currencies = getNetwork(quote.network).tokens.filter(({ isOff }) => !isOff);
  const hasCurrency = currencies.some(({ currency }) => currency !== quote.currency);
  return (hasCurrency && !checkout?.currency) || (isElsewhereOpen && !checkout?.network);
}

function priceOf({ price }: CheckoutFacts): CheckoutView["price"] {
  if (!price) return null;
  const rate = `1 ${price.currency} = ${price.rate} ${price.fiat}`;
  return { amount: priceText(price), rate, at: Date.parse(price.at) };
}

/** Returns the amount and the address to which it is sent. */
function offerOf({ quote, merchantName: label }: CheckoutFacts, sums: Sums) {
  const network = getNetwork(quote.network);
  const token = askedToken(quote);
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
    token: {
      contract: token.contract,
      url: tokenUrl(network, token.contract),
      alsoShownAs: token.alsoShownAs ?? null,
      lookAlikes: network.lookAlikes
        .filter(({ currency, isOff }) => currency === quote.currency && !isOff)
        .map(seenLookAlike),
    },
    payloads: { address: addressPayload(request), wallet: walletUri(request) },
    offer: { family: network.family, name: offerName(request) },
    explorerName: network.explorer.name,
  };
}

/** The contract that was asked for, though its operator may have put another in its place since: that one is paid. */
export function askedToken({ network: id, token, currency }: CheckoutFacts["quote"]): Token {
  const network = getNetwork(id);
  const asked = knownTokens(network).get(token);
  return asked && !isLookAlike(asked) ? asked : getToken(network, currency);
}

function timesOf(facts: CheckoutFacts) {
  const { expiresAt, paidAt } = facts;
  return { expiresAt: expiresAt.getTime(), hurryAt: hurryAt(facts), paidAt: paidAt?.getTime() ?? null };
}

/** Returns a look-alike in display form. */
export function seenLookAlike({ name, symbol, contract }: LookAlike): SeenLookAlike {
  return { name, symbol, contract };
}

function seenOf(transfer: CheckoutMisdirected): SeenTransfer {
  const network = getNetwork(transfer.network);
  const token = tokenOf(transfer);
  return {
    network: { name: network.name, title: networkTitle(network) },
    tokenName: tokenName(token),
    lookAlike: isLookAlike(token) ? seenLookAlike(token) : null,
    amount: formatUnits(transfer.baseUnits, token.decimals),
    txId: displayTxId(network.family, transfer.txId),
    url: transactionUrl(network, transfer.txId),
    explorerName: network.explorer.name,
  };
}
