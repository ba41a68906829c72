import { hash } from "node:crypto";
import { type ChoiceFacts, type ChoiceView, choiceView } from "@/lib/domain/checkout/choice";
import type { CheckoutFacts } from "@/lib/domain/checkout/facts";
import { type CheckoutView, checkoutView } from "@/lib/domain/checkout/view";

/** The view of an order's page: an amount to pay, or methods to select from. */
export type PageView = CheckoutView | ChoiceView;

/** Returns the payer's view of an order at a given time. */
export function pageView(facts: CheckoutFacts | ChoiceFacts, now: Date): PageView {
  return "methods" in facts ? choiceView(facts, now) : checkoutView(facts, now);
}

/**
 * Returns the interval at which an open page polls if it receives no notifications, in milliseconds; 0 = it stops polling. Confirmations
 * increase without notifications, and a network delay is visible only when the page polls.
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

/** Returns a collision-resistant name for a view: two views with the same name look the same. */
export function viewName(view: object): string {
  return hash("sha256", JSON.stringify(view), "base64url");
}

/** Returns a shortened `viewName`, for a page that shows a single order or other target. */
export function checkoutTag(view: object): string {
  return viewName(view).slice(0, 12);
}
