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
import { type WalletLink, walletLinks } from "@/lib/domain/checkout/wallet-links";
import { displayAmount, formatUnits } from "@/lib/domain/money";
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

/** A transfer as shown to its payer, with its URL in an explorer. */
export interface SeenTransfer {
  network: { name: string; title: string };
  /** The display name of the token: "USDT", "bridged USDT". */
  tokenName: string;
  /** The look-alike that resembles a currency; null if the token is the currency's own. */
  lookAlike: SeenLookAlike | null;
  amount: string;
  txId: string;
  url: string;
  explorerName: string;
}

/** A token that wallets show under the name of a currency, although it is a different token. */
export interface SeenLookAlike {
  /** "bridged USDT" */
  name: string;
  /** The symbol that wallets show. */
  symbol: string;
  contract: string;
}

/**
 * The content of the payment page for a payer. The page is a function of this view and the language, so the view contains nothing that
 * changes every second. Amounts are exact decimal strings of `currency` with at least two decimals, and times are Unix milliseconds.
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
  /** The ordered amount, the amount that arrived (seen or confirmed), the amount still to send, and the surplus. */
  amounts: { due: string; arrived: string; remaining: string; surplus: string };
  /** The fiat price and the rate with its time; null if the merchant set the amount. */
  price: { amount: string; rate: string; at: number } | null;
  hasArrived: boolean;
  /** True if only a transfer of exactly this amount is credited, because the address serves several orders at the same time. */
  isExact: boolean;
  isLate: boolean;
  address: string;
  addressUrl: string;
  /** The token, with other names that wallets show and with its look-alikes. */
  token: { contract: string; url: string; alsoShownAs: string | null; lookAlikes: SeenLookAlike[] };
  /** QR payloads. */
  payloads: { address: string; wallet: string | null };
  /** The links that open a wallet on a phone, the most general one first. */
  walletLinks: WalletLink[];
  /** The family of wallets that can pay the quote, and a short name of the payment request. A different name means a different payment. */
  offer: { family: Family; name: string };
  explorerName: string;
  expiresAt: number;
  /** The start of the last third of the time to pay. */
  hurryAt: number;
  /** The time that the payer can still add; null if none. */
  moreTime: MoreTime | null;
  paidAt: number | null;
  /** True if the order was paid so recently that the payer is redirected to the shop. */
  isJustPaid: boolean;
  /** The minimum number of hours for which a payment would still be detected; null once the hold is over. */
  watchedHours: number | null;
  progress: Progress | null;
  /** The other selected methods, which remain payable: "10 USDT", "Ethereum (ERC20)". */
  otherOffers: { amount: string; network: string }[];
  /** True if a different method can be selected: one is available, and no payment has arrived. */
  canSwitch: boolean;
  transfers: SeenTransfer[];
  /** Transfers to the right address in a different token or on a different network. They are not credited automatically. */
  misdirected: SeenTransfer[];
  /** The result for the transaction that the payer entered; null without one. */
  lookup: LookupView | null;
  mayLookUp: boolean;
  isDelayed: boolean;
  isPaymentExpected: boolean;
  /** True if a payment would still be accepted, although none is requested. */
  isPaymentAccepted: boolean;
  /** True if the view will not change any more. */
  isFinal: boolean;
  /** The return URL; null until paid. */
  returnUrl: string | null;
}

/** Returns the payer's view of an order at a given time. It never contains notify_url, and contains mch_order_id only in the return URL. */
export function checkoutView(facts: CheckoutFacts, now: Date): CheckoutView {
  const { quote, status } = facts;
  const sums = sumsOf(facts);
  const progress = progressOf(facts);
  const isLate = isPaymentLate(facts);
  const lookup = lookupView(
    facts.lookups,
    [quote, ...facts.otherQuotes].map(({ network }) => network),
    now,
  );
  const state = checkoutState({
    status,
    exception: facts.exception,
    isTimeUp: now >= facts.expiresAt,
    isPartlyPaid: sums.arrived > 0n,
    hasMisdirected: facts.misdirected.length > 0,
    hasOtherAmount: lookup?.answer?.kind === "amount",
    isUnidentified: quote.kind === "shared" && quote.rest === null,
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
    lookup: mayLookUp(state) ? lookup : null,
    mayLookUp: mayLookUp(state),
    isDelayed: !isOver && isDelayed(facts.chain, now),
    isPaymentExpected: isPaymentExpected(state),
    isPaymentAccepted:
      isPaymentExpected(state) || (state === "elsewhere" && status === "pending" && now < facts.expiresAt),
    isFinal: isOver || (state === "expired" && !isWatched),
    returnUrl: status === "paid" ? facts.returnUrl : null,
  };
}

/**
 * Returns true if the payer may be able to select a different method. The available methods are read only when the payer opens the
 * selection.
 */
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

/** Returns the amount and the address of the payment. */
function offerOf({ quote, merchantName: label }: CheckoutFacts, sums: Sums) {
  const network = getNetwork(quote.network);
  const token = askedToken(quote);
  const request = { network, token, address: quote.address, units: sums.remaining, label };
  const text = (units: bigint) => displayAmount(formatUnits(units, token.decimals));
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
    walletLinks: walletLinks(request),
    offer: { family: network.family, name: offerName(request) },
    explorerName: network.explorer.name,
  };
}

/**
 * Returns the token that the quote requested, even if the operator has since replaced the token's contract. The payer pays with the
 * original token.
 */
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
    amount: displayAmount(formatUnits(transfer.baseUnits, token.decimals)),
    txId: displayTxId(network.family, transfer.txId),
    url: transactionUrl(network, transfer.txId),
    explorerName: network.explorer.name,
  };
}
