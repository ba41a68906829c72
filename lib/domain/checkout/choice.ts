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

/** A payment method, with the height of its network's chain and the merchant's required confirmations on it. */
interface OfferedMethod extends Method {
  head: ChainHeight | null;
  wait: MerchantWait | null;
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
  return `${amount} ${currency ?? CURRENCIES.join(" or ")}`;
}
