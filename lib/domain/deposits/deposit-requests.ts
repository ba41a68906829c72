import { CUSTOMER_REF } from "@/lib/domain/api/limits";
import { CURSOR, limitOf } from "@/lib/domain/api/list-requests";
import { CURRENCY, KNOWN_NETWORK, OFFERED_NETWORK } from "@/lib/domain/api/tokens";
import { CALLBACK_URL } from "@/lib/domain/api/urls";
import { optional, requestOf, required } from "@/lib/domain/fields/field";
import { printable } from "@/lib/domain/fields/values";
import { problem } from "@/lib/domain/problems/problem";

const customerRef = printable(CUSTOMER_REF, (_given, length, rule) =>
  problem("customer_ref_wrong_length", { length, rule }),
);

/** The fields of a deposit-address request. */
export const DEPOSIT_ADDRESS = requestOf({
  customer_ref: required(customerRef, {
    description: "Your reference for the customer. The same reference always gets the same address.",
    examples: ["customer-42"],
  }),
  network: required(OFFERED_NETWORK),
  notify_url: optional(CALLBACK_URL, {
    description:
      "The URL for the callback `deposit.confirmed`, at a public address. A new value replaces the stored one. Without it, no callbacks are sent, but `event/list` and `deposit/list` still return the deposits.",
    examples: ["https://shop.example/deposited"],
  }),
});

/** The fields of a deposit/list request. */
export const DEPOSIT_LIST = requestOf({
  customer_ref: optional(customerRef, { description: "Returns only deposits of this customer." }),
  network: optional(KNOWN_NETWORK, {
    description: "Returns only deposits on this network, which may be disabled now.",
  }),
  currency: optional(CURRENCY, { description: "Returns only deposits in this currency." }),
  cursor: CURSOR,
  limit: limitOf("The maximum number of deposits on the page."),
});
