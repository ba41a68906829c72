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

/** The request of deposit-address. */
export const DEPOSIT_ADDRESS = requestOf({
  customer_ref: required(customerRef, {
    description: "Your own name for the customer: the same one always gets the same address.",
    examples: ["customer-42"],
  }),
  network: required(OFFERED_NETWORK),
  notify_url: optional(CALLBACK_URL, {
    description:
      "Where `deposit.confirmed` goes, a public address; another one replaces it. Without it `event/list` and `deposit/list` still tell what came.",
    examples: ["https://shop.example/deposited"],
  }),
});

/** The request of deposit/list. */
export const DEPOSIT_LIST = requestOf({
  customer_ref: optional(customerRef, { description: "Only deposits of this customer." }),
  network: optional(KNOWN_NETWORK, {
    description: "Only deposits that came on this network, also one that is switched off today.",
  }),
  currency: optional(CURRENCY, { description: "Only deposits in this token." }),
  cursor: CURSOR,
  limit: limitOf("Deposits on a page."),
});
