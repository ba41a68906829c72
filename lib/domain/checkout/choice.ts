import type { Brand } from "@/lib/domain/checkout/brand";
import { CURRENCIES, type Currency, findNetwork, getNetwork, networkTitle } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderStatus } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";

/** A way to pay. */
export interface Method {
  network: string;
  currency: Currency;
}

/**
 * Why a choice made no quote: `taken`: nothing is free there for this amount; `closed`: it is not offered at this moment;
 * `unrated`: nobody can say what the price comes to.
 */
export const CHOICE_PROBLEMS = ["taken", "closed", "unrated"] as const;
export type ChoiceProblem = (typeof CHOICE_PROBLEMS)[number];

/** What is stored of an order whose payer has not chosen, with what can be chosen at this moment. */
export interface ChoiceFacts {
  tradeId: string;
  merchantName: string;
  brand: Brand;
  status: OrderStatus;
  version: number;
  subject: string | null;
  /** Language tag that the merchant gave; null where it gave none. */
  locale: string | null;
  checkout: CheckoutTerms;
  createdAt: Date;
  expiresAt: Date;
  methods: Method[];
}

/** One radio button. */
export interface ChoiceOption {
  /** As the form sends it. */
  value: string;
  network: { id: string; name: string; standard: string; title: string };
  currency: Currency;
}

/** What a payer sees who has to choose. Times are Unix milliseconds. */
export interface ChoiceView {
  tradeId: string;
  version: number;
  status: OrderStatus;
  exception: null;
  state: "choosing" | "expired" | "cancelled";
  merchantName: string;
  brand: Brand;
  subject: string | null;
  /** What the merchant asks for, for people. */
  asked: string;
  options: ChoiceOption[];
  expiresAt: number;
  hurryAt: number;
  paidAt: null;
  progress: null;
  isFinal: boolean;
}

/** What the payer of an order sees at an instant who has to choose. */
export function choiceView(facts: ChoiceFacts, now: Date): ChoiceView {
  const { tradeId, version, status, merchantName, brand, subject, createdAt } = facts;
  const expiresAt = facts.expiresAt.getTime();
  return {
    ...{ tradeId, version, status, merchantName, brand, subject },
    ...{ exception: null, paidAt: null, progress: null },
    state: stateOf(facts, now),
    asked: checkoutText(facts.checkout),
    options: facts.methods.map(optionOf),
    expiresAt,
    hurryAt: expiresAt - Math.floor((expiresAt - createdAt.getTime()) / 3),
    isFinal: status !== "pending",
  };
}

function stateOf({ status, expiresAt }: ChoiceFacts, now: Date): ChoiceView["state"] {
  if (status === "cancelled") return "cancelled";
  return status === "pending" && now < expiresAt ? "choosing" : "expired";
}

function optionOf({ network: id, currency }: Method): ChoiceOption {
  const network = getNetwork(id);
  const { name, standard } = network;
  return { value: `${id}:${currency}`, currency, network: { id, name, standard, title: networkTitle(network) } };
}

/** The way to pay that a form sent; null where it is none. */
export function readMethod(value: string): Method | null {
  const [id = "", symbol] = value.split(":");
  const network = findNetwork(id);
  const currency = CURRENCIES.find((one) => one === symbol);
  return network && currency ? { network: network.id, currency } : null;
}

/** What an order asks for whose payer chooses, for people: "19.90 EUR", "10.5 USDT or USDC". */
export function checkoutText({ amount, price, currency }: CheckoutTerms): string {
  if (price) return priceText(price);
  return `${amount} ${currency ?? CURRENCIES.join(" or ")}`;
}
