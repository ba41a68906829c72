import { hash } from "node:crypto";
import { type ChoiceFacts, type ChoiceView, choiceView } from "@/lib/domain/checkout/choice";
import type { CheckoutFacts } from "@/lib/domain/checkout/facts";
import { type CheckoutView, checkoutView } from "@/lib/domain/checkout/view";

/** What the page of an order shows: something to pay, or ways to pay to choose from. */
export type PageView = CheckoutView | ChoiceView;

/** What the payer of an order sees at an instant. */
export function pageView(facts: CheckoutFacts | ChoiceFacts, now: Date): PageView {
  return "methods" in facts ? choiceView(facts, now) : checkoutView(facts, now);
}

/**
 * How often an open page should ask although nobody told it of a change, in milliseconds; 0 = never again.
 * Confirmations grow without news; a delayed network shows only when asked about.
 */
export function refreshMs(view: PageView): number {
  if (view.isFinal) return 0;
  if ("lookup" in view && view.lookup?.answer === null) return 3_000;
  switch (view.state) {
    case "checking":
    case "seen":
    case "confirming":
    case "late":
      return 3_000;
    default:
      return 60_000;
  }
}

/** Names what a view shows, whoever could wish for another of the same name: two views of one name look the same. */
export function viewName(view: object): string {
  return hash("sha256", JSON.stringify(view), "base64url");
}

/** Returns the same in short, for a page that shows one order or another target. */
export function checkoutTag(view: object): string {
  return viewName(view).slice(0, 12);
}
