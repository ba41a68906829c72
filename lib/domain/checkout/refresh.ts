import { createHash } from "node:crypto";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/**
 * How often an open page should ask although nobody told it of a change, in milliseconds; 0 = never again.
 * Confirmations grow without news; a delayed network shows only when asked about.
 */
export function refreshMs(view: CheckoutView): number {
  if (view.isFinal) return 0;
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

/** A short name of what a view shows: two views with the same tag look the same. */
export function checkoutTag(view: CheckoutView): string {
  return createHash("sha256").update(JSON.stringify(view)).digest("base64url").slice(0, 12);
}
