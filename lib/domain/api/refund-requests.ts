import { ID } from "@/lib/domain/api/limits";
import { CURSOR, limitOf } from "@/lib/domain/api/list-requests";
import { AMOUNT, mchOrderId, readAmount, tradeId, withField } from "@/lib/domain/api/order-requests";
import { type Field, isGiven, optional, type Reading, requestOf, textField } from "@/lib/domain/fields/field";
import { JsonNumber, seen } from "@/lib/domain/fields/json-value";
import { choice, printable, whole } from "@/lib/domain/fields/values";
import { isId } from "@/lib/domain/id";
import { parseUnits } from "@/lib/domain/money";
import { problem } from "@/lib/domain/problems/problem";
import { MAX_PRICE } from "@/lib/domain/rates/currencies";
import { MAX_REFUND_REASON, MCH_REFUND_ID, REFUND_EXPIRES_IN, REFUND_STATUSES } from "@/lib/domain/refunds/refund";

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;
/** The maximum number of decimals of a fiat currency. */
const FIAT_DECIMALS = 3;

const refundId = textField(
  problem("rule_refund_id"),
  { type: "string", pattern: ID },
  (given): Reading<string> =>
    isId(given) ? { value: given } : { problem: problem("refund_id_not_id", { given: seen(given) }) },
);

const mchRefundId = printable(MCH_REFUND_ID, (given, length) =>
  problem("refund_number_wrong_length", { given: seen(given), length, ...MCH_REFUND_ID }),
);

const reason = printable({ min: 0, max: MAX_REFUND_REASON }, (_given, length, rule) =>
  problem("field_wrong_length", { length, rule }),
);

const email = textField(
  problem("rule_email"),
  { type: "string", format: "email", maxLength: 254 },
  (given): Reading<string> =>
    EMAIL.test(given) ? { value: given } : { problem: problem("email_malformed", { given: given.slice(0, 60) }) },
);

/** An amount in millionths of the order's currency. */
const amount: Field<bigint> = {
  schema: AMOUNT,
  read: (given, _rules, body) =>
    isGiven(body, "fiat_amount") ? { problem: problem("refund_amount_twice") } : readAmount(given),
};

/** A fiat amount as a decimal string. Its decimals are checked against the currency of the order. */
const fiatAmount: Field<string> = {
  schema: {
    anyOf: [
      { type: "number", exclusiveMinimum: 0 },
      { type: "string", pattern: "^[0-9]+(\\.[0-9]+)?$" },
    ],
  },
  read: (given) => {
    const written = textOf(given);
    const units = written === null ? null : parseUnits(written, FIAT_DECIMALS);
    const isAmount = units !== null && units > 0n && units <= BigInt(MAX_PRICE) * 10n ** BigInt(FIAT_DECIMALS);
    return written !== null && isAmount
      ? { value: written }
      : {
          problem: problem("field_malformed", {
            given: seen(given),
            rule: problem("rule_fiat_amount", { decimals: FIAT_DECIMALS, code: "fiat" }),
          }),
        };
  },
};

function textOf(given: unknown): string | null {
  if (given instanceof JsonNumber) return given.text;
  return typeof given === "string" && given.length <= 100 ? given : null;
}

/** The fields of refund/add. */
export const REFUND_ADD = requestOf(
  {
    trade_id: optional(tradeId, { description: "The `trade_id` of the order. Required unless `mch_order_id` is set." }),
    mch_order_id: optional(mchOrderId, { description: "Your order number. Required unless `trade_id` is set." }),
    amount: optional(amount, {
      description:
        "The amount to refund in the order's currency. Without `amount` and `fiat_amount`, everything that is left is refunded.",
      examples: [5],
    }),
    fiat_amount: optional(fiatAmount, {
      description:
        "The amount to refund in the order's fiat currency, instead of `amount`. It is converted at the rate of the order and can be at most the price of the order.",
    }),
    mch_refund_id: optional(mchRefundId, {
      description:
        "Your number of the refund, permanently unique. A repeated request with the same terms returns the same refund.",
      examples: ["R-1001"],
    }),
    reason: optional(reason, { description: "The reason, which the customer sees.", examples: ["Returned shoes"] }),
    email: optional(email, {
      description: "The customer's email address. It is required if your settings ask customers for it before a claim.",
    }),
    expires_in: optional(
      whole(REFUND_EXPIRES_IN, (given) =>
        problem("seconds_out_of_range", { given, min: REFUND_EXPIRES_IN.min, max: REFUND_EXPIRES_IN.max }),
      ),
      { description: "The seconds until the claim link expires. The default is 30 days." },
      REFUND_EXPIRES_IN.usual,
    ),
  },
  { anyOf: [withField("trade_id", tradeId.schema), withField("mch_order_id", mchOrderId.schema)] },
);

/** The fields of refund/detail and refund/cancel. */
export const REFUND_NAMES = requestOf(
  {
    refund_id: optional(refundId, { description: "The id of the refund. Required unless `mch_refund_id` is set." }),
    mch_refund_id: optional(mchRefundId, {
      description: "Your number of the refund. Required unless `refund_id` is set.",
    }),
  },
  { anyOf: [withField("refund_id", refundId.schema), withField("mch_refund_id", mchRefundId.schema)] },
);

/** The fields of refund/list. */
export const REFUND_LIST = requestOf({
  status: optional(
    choice(REFUND_STATUSES, (given) => given.toLowerCase()),
    { description: "Returns only refunds with this status." },
  ),
  trade_id: optional(tradeId, { description: "Returns only refunds of this order." }),
  cursor: CURSOR,
  limit: limitOf("The maximum number of refunds on the page."),
});
