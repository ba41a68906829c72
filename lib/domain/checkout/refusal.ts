import { apiCodeOf } from "@/lib/domain/problems/api-codes";
import type { ProblemCode } from "@/lib/domain/problems/problem";

/**
 * The reason why a payer got no order, as far as the payer can act on it. `paid`: the order is already paid; `closed`: the shop cannot take
 * the payment until its owner changes something; `temporary`: a repeated request can succeed; `invalid`: the shop's request is wrong.
 */
export type PayerRefusal = "paid" | "closed" | "temporary" | "invalid";

const PAID: readonly ProblemCode[] = ["order_paid", "order_number_paid", "order_number_paid_use_new"];
const CLOSED: readonly ProblemCode[] = [
  "integration_off",
  "no_receiving_address",
  "network_without_address",
  "token_switched_off",
  "method_not_offered",
  "payment_type_not_payable",
  "amount_below_minimum",
  "amount_above_maximum",
  "fiat_amount_above_maximum",
];
const TEMPORARY: ReadonlySet<number> = new Set([10005, 10006, 10099]);

/** Returns what a payer is shown of a problem whose sentence is meant for the shop's owner. */
export function payerRefusalOf(code: ProblemCode): PayerRefusal {
  if (PAID.includes(code)) return "paid";
  if (CLOSED.includes(code)) return "closed";
  return TEMPORARY.has(apiCodeOf(code)) ? "temporary" : "invalid";
}
