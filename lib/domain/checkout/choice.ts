import type { Brand } from "@/lib/domain/checkout/brand";
import { hurryAt, type MoreTime, moreTimeOf } from "@/lib/domain/checkout/state";
import { formatUnits } from "@/lib/domain/money";
import {
  CURRENCIES,
  type Currency,
  type Fee,
  findNetwork,
  getNetwork,
  getToken,
  networkTitle,
} from "@/lib/domain/networks";
import { type ChainHeight, type MerchantWait, requiredConfirmations } from "@/lib/domain/networks/finality";
import type { CheckoutTerms, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";

/** A way to pay. */
export interface Method {
  network: string;
  currency: Currency;
}

export function isSameMethod(one: Method, other: Method): boolean {
  return one.network === other.network && one.currency === other.currency;
}

/** An order has at most so many quotes: each holds an amount that other orders would like. */
export const MAX_QUOTES = 5;

/**
 * The reasons why a choice made no quote. `taken`: no amount is free; `closed`: the method is not offered now; `unrated`: no rate is
 * available; `enough`: the order has the maximum number of quotes; `often`: too many requests at once.
 */
export const CHOICE_PROBLEMS = ["taken", "closed", "unrated", "enough", "often"] as const;
export type ChoiceProblem = (typeof CHOICE_PROBLEMS)[number];

/** A way to pay with how far its network's chain is, and what the merchant waits for on it. */
interface OfferedMethod extends Method {
  head: ChainHeight | null;
  wait: MerchantWait | null;
}

/** A way to pay that was chosen before, with what is asked for there. */
export interface QuotedMethod extends Method {
  baseUnits: bigint;
}

/** The stored facts of an order whose payer selects the method, with the methods that are available now. */
export interface ChoiceFacts {
  tradeId: string;
  merchantName: string;
  brand: Brand;
  status: OrderStatus;
  version: number;
  subject: string | null;
  /** Language tag that the merchant gave; null where it gave none. */
  locale: string | null;
  /** Null where the merchant named network and currency. */
  checkout: CheckoutTerms | null;
  createdAt: Date;
  expiresAt: Date;
  extensions: number;
  methods: OfferedMethod[];
  /** The methods that were selected before and remain payable; the first is the current one. */
  quoted: QuotedMethod[];
}

/** A radio button. */
export interface ChoiceOption {
  /** The value that the form submits. */
  value: string;
  network: { id: string; name: string; standard: string; title: string };
  currency: Currency;
  /** The approximate number of seconds until a payment is final. */
  seconds: number;
  /** The approximate network fee; null if unknown. */
  fee: Pick<Fee, "from" | "to"> | null;
  /** "10.0001 USDT" where it was chosen before. */
  quoted: string | null;
  isShown: boolean;
}

/** The view of a payer who selects a method or selects again. Times are Unix milliseconds. */
export interface ChoiceView {
  tradeId: string;
  version: number;
  status: OrderStatus;
  exception: null;
  state: "choosing" | "expired" | "cancelled";
  merchantName: string;
  brand: Brand;
  subject: string | null;
  /** The amount that the merchant requests, in display form. */
  asked: string;
  /** The current amount and network; null while none was selected. */
  shown: { amount: string; network: string } | null;
  options: ChoiceOption[];
  expiresAt: number;
  hurryAt: number;
  /** More time that they may have; null where they may not. */
  moreTime: MoreTime | null;
  paidAt: null;
  progress: null;
  isFinal: boolean;
}

/** Returns the view of the payer of an order with a choice, at a given time. */
export function choiceView(facts: ChoiceFacts, now: Date): ChoiceView {
  const { tradeId, version, status, merchantName, brand, subject, checkout } = facts;
  const state = stateOf(facts, now);
  const [shown] = facts.quoted;
  return {
    tradeId,
    version,
    status,
    merchantName,
    brand,
    subject,
    exception: null,
    paidAt: null,
    progress: null,
    state,
    asked: checkout ? checkoutText(checkout) : "",
    shown: shown ? { amount: quotedText(shown), network: networkTitle(getNetwork(shown.network)) } : null,
    options: facts.methods.map((method) => optionOf(method, facts)),
    expiresAt: facts.expiresAt.getTime(),
    hurryAt: hurryAt(facts),
    moreTime: state === "choosing" ? moreTimeOf(facts) : null,
    isFinal: status !== "pending",
  };
}

function stateOf({ status, expiresAt }: ChoiceFacts, now: Date): ChoiceView["state"] {
  if (status === "cancelled") return "cancelled";
  return status === "pending" && now < expiresAt ? "choosing" : "expired";
}

function optionOf({ head, wait, ...method }: OfferedMethod, { quoted }: ChoiceFacts): ChoiceOption {
  const network = getNetwork(method.network);
  const { id, name, standard, fee } = network;
  const had = quoted.find((quote) => isSameMethod(quote, method));
  const blockMs = head?.blockMs ?? network.blockMs;
  return {
    value: `${id}:${method.currency}`,
    currency: method.currency,
    network: { id, name, standard, title: networkTitle(network) },
    seconds: roundUp((requiredConfirmations(network, head, wait) * blockMs) / 1_000),
    fee: fee ? { from: fee.from, to: fee.to } : null,
    quoted: had ? quotedText(had) : null,
    isShown: had !== undefined && had === quoted[0],
  };
}

/** Rounds up an approximate time to steps, so that a page that shows it does not change. */
function roundUp(seconds: number): number {
  return [10, 20, 30].find((step) => seconds <= step) ?? Math.ceil(seconds / 60) * 60;
}

/** "10.0001 USDT" */
export function quotedText({ network, currency, baseUnits }: QuotedMethod): string {
  return `${formatUnits(baseUnits, getToken(getNetwork(network), currency).decimals)} ${currency}`;
}

/** The way to pay that a form sent; null where it is none. */
export function readMethod(value: string): Method | null {
  const [id = "", symbol] = value.split(":");
  const network = findNetwork(id);
  const currency = CURRENCIES.find((one) => one === symbol);
  return network && currency ? { network: network.id, currency } : null;
}

/** Returns the amount of an order with a choice, in display form: "19.90 EUR", "10.5 USDT or USDC". */
export function checkoutText({ amount, price, currency }: CheckoutTerms): string {
  if (price) return priceText(price);
  return `${amount} ${currency ?? CURRENCIES.join(" or ")}`;
}
