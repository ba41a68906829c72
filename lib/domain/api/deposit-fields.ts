import { CURRENCY, given, ID, LIST_LIMIT, PRINTABLE, type RequestShape, url, whole } from "@/lib/domain/api/fields";
import { refTo, type Schema } from "@/lib/domain/api/schema";

export const CUSTOMER_REF = { min: 1, max: 64 } as const;
const CUSTOMER: Schema = {
  type: "string",
  minLength: CUSTOMER_REF.min,
  maxLength: CUSTOMER_REF.max,
  pattern: PRINTABLE,
};

/** The fields of deposit-address. */
export const DEPOSIT_REQUEST = {
  properties: {
    customer_ref: {
      ...CUSTOMER,
      description: "Your own name for the customer: the same one always gets the same address.",
      examples: ["customer-42"],
    },
    network: refTo("OfferedNetwork"),
    notify_url: url(
      true,
      "Where `deposit.confirmed` goes, a public address; another one replaces it. Without it `event/list` and `deposit/list` still tell what came.",
      "https://shop.example/deposited",
    ),
  },
  required: ["customer_ref", "network"],
} as const satisfies RequestShape;

/** The fields of deposit/list. */
export const DEPOSIT_SEARCH = {
  properties: {
    customer_ref: given(CUSTOMER, "Only deposits of this customer."),
    network: given(
      refTo("KnownNetwork"),
      "Only deposits that came on this network, also one that is switched off today.",
    ),
    currency: given(CURRENCY, "Only deposits in this token."),
    cursor: given({ type: "string", pattern: ID }, "The `next_cursor` of the page before."),
    limit: whole(LIST_LIMIT.min, LIST_LIMIT.max, "Deposits on a page.", LIST_LIMIT.usual),
  },
} as const satisfies RequestShape;
