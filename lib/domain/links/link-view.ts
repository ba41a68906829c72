import type { Brand } from "@/lib/domain/checkout/brand";
import {
  type LinkTerms,
  linkAmountText,
  linkStatus,
  linkUnit,
  MAX_NOTE,
  type PaymentLink,
} from "@/lib/domain/links/link";

/** The stored facts of a payment link that its page needs. */
export interface LinkFacts {
  link: PaymentLink;
  merchantName: string;
  brand: Brand;
  /** The number of orders of the link that are open or paid; 0 if any number is allowed. */
  uses: number;
  /** True if the merchant can be paid at the moment with a method that the link allows. */
  isPayable: boolean;
  /** The id of the open order that this browser created with the link; null if there is none. */
  openOrderId: string | null;
}

/** The states of the page: `open` shows the form; `away`: the merchant cannot be paid at the moment. */
export type LinkPageState = "open" | "away" | "usedUp" | "ended";

/** The content of the page of a payment link. */
export interface LinkView {
  id: string;
  state: LinkPageState;
  merchantName: string;
  brand: Brand;
  subject: string | null;
  /** "12.5 USDT" or "USDT or USDC"; the unit of an amount that the payer enters. */
  unit: string;
  /** The fixed amount with its unit; null if the payer enters it. */
  amount: string | null;
  /** The bounds of an amount that the payer enters, with their unit; null for none. */
  min: string | null;
  max: string | null;
  noteLabel: string | null;
  openOrderId: string | null;
  /** Unix milliseconds; null if the link does not expire. */
  expiresAt: number | null;
}

/** Returns the view of the page of a payment link at a given time. */
export function linkView(facts: LinkFacts, now: Date): LinkView {
  const { link, merchantName, brand, openOrderId } = facts;
  const text = (amount: string | null) => (amount === null ? null : linkAmountText(link, amount));
  return {
    id: link.id,
    state: stateOf(facts, now),
    merchantName,
    brand,
    subject: link.subject,
    unit: linkUnit(link),
    amount: text(link.amount),
    min: text(link.minAmount),
    max: text(link.maxAmount),
    noteLabel: link.noteLabel,
    openOrderId,
    expiresAt: link.expiresAt?.getTime() ?? null,
  };
}

function stateOf({ link, uses, isPayable }: LinkFacts, now: Date): LinkPageState {
  const status = linkStatus(link, uses, now);
  if (status === "used_up") return "usedUp";
  if (status !== "open") return "ended";
  return isPayable ? "open" : "away";
}

/** The reasons why no order was created with a link, as its page names them. `limit` is the amount that was exceeded or not reached. */
export type LinkProblem =
  | { kind: "amount" | "often" | "away" | "note"; limit?: undefined }
  | { kind: "tooLittle" | "tooMuch"; limit: string };

/** The payer's input, with the reason why it was refused. */
export interface RefusedPayment {
  problem: LinkProblem;
  amount: string;
  note: string;
}

/** The maximum length of an amount that the page repeats. */
const MAX_TYPED_AMOUNT = 40;

/** Returns the payer's input as it is repeated on the page. */
export function refusedPayment(problem: LinkProblem, typed: { amount: string; note: string }): RefusedPayment {
  return { problem, amount: typed.amount.slice(0, MAX_TYPED_AMOUNT), note: typed.note.slice(0, MAX_NOTE) };
}

/** Returns the problem of an amount that a link does not allow. */
export function amountProblem(link: LinkTerms, refused: "malformed" | "tooLittle" | "tooMuch"): LinkProblem {
  const limit = refused === "tooLittle" ? link.minAmount : link.maxAmount;
  if (refused === "malformed" || limit === null) return { kind: "amount" };
  return { kind: refused, limit: linkAmountText(link, limit) };
}
