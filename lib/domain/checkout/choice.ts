import type { Brand } from "@/lib/domain/checkout/brand";
import { hurryAt, type MoreTime, moreTimeOf } from "@/lib/domain/checkout/state";
import { displayAmount, formatUnits } from "@/lib/domain/money";
import {
  CURRENCIES,
  type Currency,
  type Fee,
  findNetwork,
  getNetwork,
  getToken,
  type Network,
  networkTitle,
} from "@/lib/domain/networks";
import { type MerchantWait, requiredConfirmations } from "@/lib/domain/networks/finality";
import type { CheckoutTerms, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";

/** A payment method. */
export interface Method {
  network: string;
  currency: Currency;
}

export function isSameMethod(one: Method, other: Method): boolean {
  return one.network === other.network && one.currency === other.currency;
}

/** The maximum number of quotes of an order: each reserves an amount that other orders could use. */
export const MAX_QUOTES = 5;

/**
 * The reasons why a selection created no quote. `taken`: no unique amount is available; `closed`: the method is not available now;
 * `unrated`: no rate is available; `enough`: the order has the maximum number of quotes; `often`: too many requests in a short time.
 */
export const CHOICE_PROBLEMS = ["taken", "closed", "unrated", "enough", "often"] as const;
export type ChoiceProblem = (typeof CHOICE_PROBLEMS)[number];

/** A payment method, with the merchant's required confirmations on its network. */
interface OfferedMethod extends Method {
  wait: MerchantWait | null;
  /** The amount that a new quote would request; null if it is unknown, because there is no rate. */
  amount: ChoiceAmount | null;
}

/** The amount of a method that was not selected yet. */
export interface ChoiceAmount {
  /** A decimal string. */
  decimal: string;
  /** True if the amount is converted at the current rate, which is fixed only when the payer selects the method. */
  isEstimate: boolean;
}

/** A payment method that was selected before, with the amount due. */
export interface QuotedMethod extends Method {
  baseUnits: bigint;
}

/** The stored data of an order whose payer selects the method, with the methods that are available now. */
export interface ChoiceFacts {
  tradeId: string;
  merchantName: string;
  brand: Brand;
  status: OrderStatus;
  version: number;
  subject: string | null;
  /** The language tag that the merchant provided; null if none. */
  locale: string | null;
  /** The terms of the payer's choice; null if the merchant set network and currency. */
  checkout: CheckoutTerms | null;
  createdAt: Date;
  expiresAt: Date;
  extensions: number;
  methods: OfferedMethod[];
  /** The methods that were selected before and remain payable; the first is the current one. */
  quoted: QuotedMethod[];
}

/** An option of the payment method form, shown as a radio button. */
export interface ChoiceOption {
  /** The value that the form submits. */
  value: string;
  network: { id: string; name: string; standard: string; title: string };
  currency: Currency;
  /** The approximate number of seconds until a payment is final. */
  seconds: number;
  /** The approximate network fee; null if unknown. */
  fee: Pick<Fee, "from" | "to"> | null;
  /** The amount to pay, if it is known before the selection. */
  amount: ChoiceAmount | null;
  /** The amount, such as "10.0001 USDT", if the method was selected before. */
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
  /** The current amount and network; null until a method is selected. */
  shown: { amount: string; network: string } | null;
  options: ChoiceOption[];
  expiresAt: number;
  hurryAt: number;
  /** The time that the payer can still add; null if none. */
  moreTime: MoreTime | null;
  paidAt: null;
  progress: null;
  isFinal: boolean;
}

/** Returns the payer's view of an order with a choice, at a given time. */
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

function optionOf({ wait, amount, ...method }: OfferedMethod, { quoted }: ChoiceFacts): ChoiceOption {
  const network = getNetwork(method.network);
  const { id, name, standard, fee } = network;
  const had = quoted.find((quote) => isSameMethod(quote, method));
  return {
    value: `${id}:${method.currency}`,
    currency: method.currency,
    network: { id, name, standard, title: networkTitle(network) },
    seconds: usualSeconds(network, wait),
    fee: fee ? { from: fee.from, to: fee.to } : null,
    amount: amount && { ...amount, decimal: displayAmount(amount.decimal) },
    quoted: had ? quotedText(had) : null,
    isShown: had !== undefined && had === quoted[0],
  };
}

/**
 * Returns the usual time until a payment is final, by the network's rule at its usual block time. The current lag of a chain's head is not
 * used: it varies from minute to minute, and is wrong until a worker has read the chain.
 */
function usualSeconds(network: Network, wait: MerchantWait | null): number {
  return roundUp((requiredConfirmations(network, null, wait) * network.blockMs) / 1_000);
}

/** Rounds up an approximate time to steps. */
function roundUp(seconds: number): number {
  return [10, 20, 30].find((step) => seconds <= step) ?? Math.ceil(seconds / 60) * 60;
}

/** "10.0001 USDT" */
export function quotedText({ network, currency, baseUnits }: QuotedMethod): string {
  return `${displayAmount(formatUnits(baseUnits, getToken(getNetwork(network), currency).decimals))} ${currency}`;
}

/** Returns the payment method that a form submitted; null if it is invalid. */
export function readMethod(value: string): Method | null {
  const [id = "", symbol] = value.split(":");
  const network = findNetwork(id);
  const currency = CURRENCIES.find((one) => one === symbol);
  return network && currency ? { network: network.id, currency } : null;
}

/** Returns the amount of an order with a choice, in display form: "19.90 EUR", "10.5 USDT or USDC". */
export function checkoutText({ amount, price, currency }: CheckoutTerms): string {
  if (price) return priceText(price);
  return `${displayAmount(amount ?? "0")} ${currency ?? CURRENCIES.join(" or ")}`;
}
