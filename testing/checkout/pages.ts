import { randomBytes } from "node:crypto";
import type { Messages } from "@/components/pay/messages/en";
import {
  awayPage,
  busyPage,
  checkoutPage,
  noDepositPage,
  notFoundPage,
  type Page,
  refusedPage,
} from "@/components/pay/page/document";
import type { PageContext } from "@/components/pay/page-context";
import type { Brand } from "@/lib/domain/checkout/brand";
import { CHOICE_PROBLEMS, type ChoiceFacts } from "@/lib/domain/checkout/choice";
import { readSource } from "@/lib/domain/checkout/exchanges";
import type { CheckoutFacts } from "@/lib/domain/checkout/facts";
import { checkoutTag, pageView } from "@/lib/domain/checkout/refresh";
import type { PayerRefusal } from "@/lib/domain/checkout/refusal";
import { MAX_EXTENSIONS } from "@/lib/domain/checkout/state";
import type { LookupAnswer } from "@/lib/domain/transfers/lookup";
import { arrived, at, CHOICE, MISDIRECTED, NOW, ORDER, STATE_FACTS } from "@/testing/checkout/facts";

interface Shown {
  facts: CheckoutFacts | ChoiceFacts;
  page?: Partial<PageContext>;
  /** A string that identifies the English version of this page. */
  title: string;
}

const order = (title: string, changes: Partial<CheckoutFacts>, page: Partial<PageContext> = {}): Shown => {
  return { title, facts: { ...ORDER, ...changes }, page };
};
const choice = (title: string, changes: Partial<ChoiceFacts>, page: Partial<PageContext> = {}): Shown => {
  return { title, facts: { ...CHOICE, ...changes }, page };
};
/** Returns a quote of the order on a different network, where the token has six decimals. */
const on = (network: string, quote: Partial<CheckoutFacts["quote"]> = {}) => {
  return { quote: { ...ORDER.quote, network, baseUnits: 128_004_217n, ...quote } };
};

const SOLANA = on("solana", { currency: "USDC", address: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV" });
const CHOSEN_BEFORE = [
  { network: "bsc", currency: "USDT" as const, baseUnits: ORDER.quote.baseUnits },
  { network: "ethereum", currency: "USDC" as const, baseUnits: 128_000_000n },
];
const EXACT = { quote: { ...ORDER.quote, kind: "shared" as const } };
const EXACT_ROUND = { quote: { ...EXACT.quote, baseUnits: 128n * 10n ** 18n } };
const SMALL = { network: null, currency: null, amount: "5", price: null };
const CHEAP = CHOICE.methods.map((method) => ({ ...method, amount: { decimal: "5", isEstimate: false } }));
const OTHER_QUOTES = CHOSEN_BEFORE.slice(1);
const TERMS = { network: "bsc", currency: "USDT" as const, amount: "128", price: null };
const PRICE = { network: null, currency: null, amount: null, price: { fiat: "EUR", amount: "19.9" } };
const CONVERTED = CHOICE.methods.map((method) => ({ ...method, amount: { decimal: "21.6", isEstimate: true } }));
const UNRATED = CHOICE.methods.map((method) => ({ ...method, amount: null }));
const BRIDGED = {
  ...MISDIRECTED,
  network: "optimism",
  token: "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
  currency: null,
};
const ON_BSC = {
  ...MISDIRECTED,
  network: "bsc",
  token: "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
  baseUnits: ORDER.quote.baseUnits,
};

const ORDERS: Readonly<Record<string, Shown>> = {
  waiting: order("Send USDT on", {}),
  "waiting-exact": order("identify your order", EXACT),
  "waiting-exact-round": order("Send exactly 128.00 USDT", EXACT_ROUND),
  "waiting-ethereum": order("Ethereum (ERC20)", on("ethereum")),
  "waiting-tron": order("TRON (TRC20)", on("tron")),
  "waiting-solana": order("Solana", SOLANA),
  "waiting-optimism": order("Not bridged USDT", on("optimism")),
  "waiting-switched": order("Already sent", { otherQuotes: OTHER_QUOTES }),
  "waiting-last-third": order("I need more time", { createdAt: at(-1_700), expiresAt: at(100), extensions: 2 }),
  "waiting-no-more-time": order("Send USDT on", { extensions: MAX_EXTENSIONS }),
  "waiting-exchange": order("Where is your money?", EXACT, { from: readSource("exchange") }),
  "waiting-binance": order("Network at Binance", EXACT, { from: readSource("binance") }),
  "waiting-minimum": order("Binance sends at least", on("tron", { baseUnits: 5_000_000n }), {
    from: readSource("binance"),
  }),
  "waiting-unlisted": order("may not send USDT", on("plasma"), { from: readSource("kraken") }),
  "waiting-wallet": order("Wallet app", {}, { from: readSource("wallet") }),
  "waiting-wallet-tron": order("TronLink", on("tron"), { from: readSource("wallet") }),
  "waiting-one-way": order("Send USDT on", { isElsewhereOpen: false, checkout: TERMS }),
  delayed: order("is delayed.", { chain: null }),
  "delayed-solana": order("is delayed.", { ...SOLANA, chain: null }),
  underpaid: order("Send the remaining USDT on", STATE_FACTS.underpaid),
  partial: order("Part of the payment arrived", STATE_FACTS.partial),
  elsewhere: order("Paid on another network", STATE_FACTS.elsewhere),
  "elsewhere-currency": order("Paid in another currency", { misdirected: [ON_BSC] }),
  "elsewhere-token": order("Paid with another token", { ...on("optimism"), misdirected: [BRIDGED] }),
  "elsewhere-expired": order("Do not pay again,", { ...STATE_FACTS.elsewhere, ...STATE_FACTS.expired }),
  "other-amount-expired": order("1.00 USDT is missing.", { ...STATE_FACTS.otherAmount, ...STATE_FACTS.expired }),
  "partial-short": order("A fee may have been deducted", { ...STATE_FACTS.partial, ...STATE_FACTS.otherAmount }),
  checking: order("Checking for your payment", STATE_FACTS.checking),
  seen: order("Payment detected", STATE_FACTS.seen),
  confirming: order("Confirming your payment", STATE_FACTS.confirming),
  "confirming-delayed": order("is delayed.", { ...STATE_FACTS.confirming, chain: null }),
  late: order("Late payment found", STATE_FACTS.late),
  paid: order("Payment complete", STATE_FACTS.paid),
  "paid-late": order("arrived after the order expired", { ...STATE_FACTS.paid, exception: "late" }),
  "paid-by-hand": order("marked this order for", { ...STATE_FACTS.paid, transfers: [] }),
  "paid-other-way": order("one of the selected methods", { ...STATE_FACTS.paid, otherQuotes: OTHER_QUOTES }),
  "paid-beside": order("also arrived on", { ...STATE_FACTS.paid, misdirected: [MISDIRECTED] }),
  overpaid: order("Overpaid", STATE_FACTS.overpaid),
  expired: order("We watch for your payment", STATE_FACTS.expired),
  "expired-part": order("Only <strong>100.00 USDT</strong>", {
    ...STATE_FACTS.expired,
    transfers: arrived("100", 990),
  }),
  "expired-unwatched": order("the transaction id from your wallet", {
    ...STATE_FACTS.expired,
    quote: { ...ORDER.quote, reservedUntil: NOW },
  }),
  cancelled: order("Order cancelled", STATE_FACTS.cancelled),
  asking: order('id="tx"', {}, { isAsking: true }),
  "asking-no-id": order("This is not a transaction id", {}, { isAsking: true, lookupProblem: "txid" }),
  "asking-often": order("Too many lookups", {}, { isAsking: true, lookupProblem: "asked" }),
};

const PICKERS: Readonly<Record<string, Shown>> = {
  picker: choice("How do you want to pay?", {}),
  "picker-one": choice("checked", { methods: CHOICE.methods.slice(0, 1) }),
  "picker-none": choice("Payment is not possible right now", { methods: [] }),
  "picker-priced": choice("about 21.60 USDT", { checkout: PRICE, methods: CONVERTED }),
  "picker-unrated": choice("19.90 EUR", { checkout: PRICE, methods: UNRATED }),
  "picker-again": choice("Change the payment method", { checkout: null, quoted: CHOSEN_BEFORE }),
  "picker-exchange": choice("Where is your money?", {}, { from: readSource("exchange") }),
  "picker-okx": choice("Network at OKX", {}, { from: readSource("okx") }),
  "picker-minimum": choice(
    "Binance sends at least",
    { checkout: SMALL, methods: CHEAP },
    { from: readSource("binance") },
  ),
  "picker-wallet": choice("Recommended", {}, { from: readSource("wallet") }),
  "picker-expired": choice("No payment method was selected in time", { expiresAt: NOW }),
  "picker-cancelled": choice("Order cancelled", { status: "cancelled" }),
};

const amounts = { due: "128.004217", currency: "USDT" } as const;
/** The results of the "I have paid" lookup, each with a string that identifies its page. */
const ANSWERS: Readonly<Record<string, [LookupAnswer | null, title: string]>> = {
  looking: [null, "Looking for"],
  silent: [{ kind: "silent" }, "could not be reached."],
  absent: [{ kind: "absent" }, "is not visible on"],
  failed: [{ kind: "failed" }, "failed on the chain"],
  nothing: [{ kind: "nothing" }, "sent nothing to the address"],
  early: [{ kind: "early" }, "is older than this order"],
  "other-order": [{ kind: "otherOrder" }, "belongs to another order"],
  kept: [{ kind: "kept" }, "was not credited to this order automatically"],
  found: [{ kind: "found" }, "was found."],
  counted: [{ kind: "counted" }, "and confirmed."],
  "wrong-token": [{ kind: "wrongToken", name: "bridged USDT" }, "sent bridged USDT,"],
  "unknown-token": [{ kind: "wrongToken", name: null }, "an unknown token"],
  "wrong-network": [{ kind: "wrongNetwork", network: "ethereum" }, "where this order cannot be paid"],
  short: [{ kind: "amount", arrived: "127.004217", isShort: true, ...amounts }, "1.00 USDT is missing."],
  over: [{ kind: "amount", arrived: "129.5", isShort: false, ...amounts }, "1.495783 USDT too much."],
};
const asked = Object.entries(ANSWERS).map(([name, [answer, title]]) => {
  const lookup = { network: "bsc", txId: `0x${"ab".repeat(32)}`, askedAt: NOW, answer };
  return [`asked-${name}`, order(title, { lookups: [lookup] })] as const;
});
const refused = CHOICE_PROBLEMS.map((problem) => {
  return [`picker-${problem}`, choice('class="problem" role="alert"', {}, { problem })] as const;
});

/** Every page that an order can have, by name. */
export const ORDER_PAGES: Readonly<Record<string, Shown>> = {
  ...ORDERS,
  ...PICKERS,
  ...Object.fromEntries([...asked, ...refused]),
};

const REFUSALS: readonly PayerRefusal[] = ["paid", "closed", "temporary", "invalid"];
const refusedIn = (refusal: PayerRefusal) => (t: Messages) => refusedPage(t, refusal, "01kahy4m3r9t5w8x2z6b7c1d0e");

/** The pages that show no order, by name. */
export const STILL_PAGES: Readonly<Record<string, (t: Messages) => Page>> = {
  nothing: notFoundPage,
  "nothing-deposit": noDepositPage,
  away: awayPage,
  busy: (t) => busyPage(t, 5),
  ...Object.fromEntries(REFUSALS.map((refusal) => [`refused-${refusal}`, refusedIn(refusal)])),
};

/** The merchant's branding at the maximum size: the logo does not compress. */
export const BRAND: Brand = {
  version: 3,
  accent: "#2447d8",
  supportUrl: "mailto:help@shop.example",
  hasLogo: true,
  frameParents: ["https://shop.example"],
  languages: [],
};
export const LOGO = randomBytes(1_200).toString("base64");

/** Renders an order page at NOW; if `isBranded`, with the largest logo. */
export function renderPage({ facts, page }: Shown, t: Messages, { isBranded = false, isSandbox = false } = {}): Page {
  const view = pageView(isBranded ? { ...facts, brand: BRAND } : facts, NOW);
  const url = `https://pay.shop.example/pay/${view.tradeId}`;
  return checkoutPage(view, checkoutTag(view), { t, isSandbox, url, logo: isBranded ? LOGO : null, ...page });
}
