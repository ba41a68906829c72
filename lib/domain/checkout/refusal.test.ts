import { expect, test } from "vitest";
import { payerRefusalOf } from "@/lib/domain/checkout/refusal";

test.each([
  ["order_number_paid", "paid"],
  ["no_receiving_address", "closed"],
  ["integration_off", "closed"],
  ["amount_below_minimum", "closed"],
  ["network_not_taking_orders", "temporary"],
  ["too_many_views", "temporary"],
  ["internal_error", "temporary"],
  ["plugin_sign_mismatch", "invalid"],
  ["price_malformed", "invalid"],
  ["order_terms_differ", "invalid"],
] as const)("%s is shown to a payer as %s", (code, refusal) => expect(payerRefusalOf(code)).toBe(refusal));
