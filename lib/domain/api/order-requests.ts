import { EXPIRES_IN, LOCALE, MAX_AMOUNT, MAX_METADATA_BYTES, MAX_SUBJECT, MCH_ORDER_ID } from "@/lib/domain/api/limits";
import { CURRENCY, OFFERED_NETWORK } from "@/lib/domain/api/tokens";
import { CALLBACK_URL, HTTP_URL } from "@/lib/domain/api/urls";
import {
  type Field,
  isGiven,
  NOTHING,
  optional,
  orNothing,
  type Reading,
  requestOf,
  required,
  requiredReader,
  textField,
} from "@/lib/domain/fields/field";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { isEmptyArray, JsonNumber, JsonSource, seen } from "@/lib/domain/fields/json-value";
import { decimalSchema, printable, whole } from "@/lib/domain/fields/values";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import { type ProblemCode, problem } from "@/lib/domain/problems/problem";
import { FIAT_CODES, findFiat, MAX_PRICE } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";

type Fiat = NonNullable<ReturnType<typeof findFiat>>;

export const AMOUNT_RULE = problem("rule_amount", { max: MAX_AMOUNT });
const FIAT_RULE = problem("rule_fiat");
const MAX_CHARACTERS = 100;
const MAX_DIGITS = 30;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LANGUAGE_TAG = new RegExp(LOCALE);
/** The schema of an amount in tokens. */
export const AMOUNT = decimalSchema(PUBLIC_DECIMALS, MAX_AMOUNT);

/** An amount in steps of 0.000001; null if a price is given instead. */
const amount: Field<bigint | null> = {
  schema: {
    description:
      "The amount in tokens: a number or a decimal string with at most 6 decimals, parsed exactly. Required unless `fiat_amount` is set.",
    anyOf: [AMOUNT, NOTHING],
    examples: [12.5],
  },
  read: (given, rules, body) => {
    if (!isGiven(body, "fiat_amount")) return requireAmount(given, rules, body);
    return isGiven(body, "amount") ? { problem: problem("amount_with_fiat_amount") } : { value: null };
  },
};

/** The currency of a price, which requires `fiat_amount`. */
const fiat: Field<Fiat | null> = {
  schema: {
    ...orNothing({ enum: FIAT_CODES }),
    description: "The ISO 4217 code of the currency of `fiat_amount`, case-insensitive. Set both instead of `amount`.",
  },
  read: (given, rules, body) => {
    if (isGiven(body, "fiat")) return FIAT.read(given, rules, body);
    return isGiven(body, "fiat_amount") ? { problem: problem("fiat_missing", { rule: FIAT_RULE }) } : { value: null };
  },
};

/** The currency of a price. */
export const FIAT = textField(FIAT_RULE, { enum: FIAT_CODES }, (code): Reading<Fiat> => {
  const found = findFiat(code);
  return found ? { value: found } : { problem: problem("fiat_unknown", { given: seen(code), rule: FIAT_RULE }) };
});

/** A price in minor units of `fiat`, read exactly from a JSON number or a decimal string. */
const fiatAmount: Field<bigint | null> = {
  schema: {
    ...orNothing({ anyOf: [{ type: "number" }, { type: "string" }] }),
    description:
      "The price in `fiat`: a number or a decimal string, with at most the decimals of the currency's minor unit. It can convert to at most 1,000,000,000 tokens.",
  },
  read: (given, _rules, body) => {
    if (!isGiven(body, "fiat") && !isGiven(body, "fiat_amount")) return { value: null };
    const { code, decimals } = findFiat(String(body["fiat"] ?? "")) ?? { code: "fiat", decimals: 3 };
    const rule = problem("rule_fiat_amount", { decimals, code });
    if (!isGiven(body, "fiat_amount")) return { problem: problem("fiat_amount_missing", { rule }) };
    const written = given instanceof JsonNumber ? given.text : given;
    const units = typeof written === "string" ? parseFiatAmount(written, decimals) : null;
    if (units === null) return { problem: problem("field_malformed", { given: seen(given), rule }) };
    const isPrice = units <= BigInt(MAX_PRICE) * 10n ** BigInt(decimals);
    return isPrice
      ? { value: units }
      : { problem: problem("fiat_amount_too_large", { given: seen(given), max: MAX_PRICE }) };
  },
};

/** The merchant's order number. */
export const mchOrderId = printable(MCH_ORDER_ID, (given, length) =>
  problem("order_number_wrong_length", { given: seen(given), length, ...MCH_ORDER_ID }),
);

const expiresIn = whole(EXPIRES_IN, (given) => problem("seconds_out_of_range", { given, ...EXPIRES_IN }));

const locale = textField(
  problem("rule_language_tag"),
  { type: "string", pattern: LOCALE },
  (given): Reading<string> => {
    const [canonical] = LANGUAGE_TAG.test(given) ? Intl.getCanonicalLocales(given.replaceAll("_", "-")) : [];
    if (canonical) return { value: canonical };
    return { problem: problem("locale_malformed", { given: seen(given) }) };
  },
);

/** The text of an order that its payer sees. */
export const subject = printable({ min: 0, max: MAX_SUBJECT }, (_given, length, rule) =>
  problem("field_wrong_length", { length, rule }),
);

const metadata: Field<JsonSource> = {
  schema: { type: ["object", "array"], maxItems: 0 },
  read: (given) => {
    if (isEmptyArray(given)) return { value: new JsonSource("{}") };
    if (!(given instanceof JsonSource)) return { problem: problem("metadata_not_object", { given: seen(given) }) };
    const bytes = Buffer.byteLength(given.text);
    if (bytes > MAX_METADATA_BYTES)
      return { problem: problem("metadata_too_large", { bytes, max: MAX_METADATA_BYTES }) };
    const key = given.repeatedKey();
    return key === null ? { value: given } : { problem: problem("metadata_key_repeated", { key: seen(key) }) };
  },
};

const TERMS = {
  amount,
  fiat,
  fiat_amount: fiatAmount,
  mch_order_id: required(mchOrderId, {
    description:
      "Your order number, permanently unique. A repeated request with the same terms returns the same order.",
    examples: ["A-1001"],
  }),
  notify_url: optional(CALLBACK_URL, {
    description:
      "The URL for callbacks, at a public address. Without it, no callbacks are sent, but `event/list` still returns the events.",
    examples: ["https://shop.example/paid"],
  }),
  redirect_url: optional(HTTP_URL, {
    description: "The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query.",
    examples: ["https://shop.example/thanks"],
  }),
  expires_in: optional(expiresIn, {
    description: "Seconds until the order expires. The default is your setting, initially 1800.",
  }),
  locale: optional(locale, {
    description:
      "The language of the payment page, as a language tag such as `de` or `zh-CN`. If it is omitted or not available, the language of the payer's browser is used. Payers can switch.",
  }),
  subject: optional(subject, { description: "Text shown to the payer, on the receipt and in lists." }),
  metadata: optional(metadata, {
    description: `A JSON object of at most ${MAX_METADATA_BYTES} bytes, counted as sent, without repeated keys. It is returned byte for byte and never shown to payers. An empty array counts as \`{}\`.`,
  }),
};

const AMOUNT_OR_PRICE: Pick<Schema, "oneOf"> = {
  oneOf: [
    {
      title: "Amount in tokens",
      required: ["amount"],
      properties: { amount: AMOUNT, fiat: NOTHING, fiat_amount: NOTHING },
    },
    {
      title: "Fiat price",
      required: ["fiat", "fiat_amount"],
      properties: { amount: NOTHING },
      anyOf: [0, 2, 3].map((decimals) => ({
        properties: {
          fiat: { enum: FIAT_CODES.filter((code) => findFiat(code)?.decimals === decimals) },
          fiat_amount: decimalSchema(decimals, MAX_PRICE),
        },
      })),
    },
  ],
};

/** The request of order/add. */
export const ORDER_ADD = requestOf(
  { currency: required(CURRENCY), network: required(OFFERED_NETWORK), ...TERMS },
  AMOUNT_OR_PRICE,
);

/** The request of order/checkout. */
export const ORDER_CHECKOUT = requestOf(
  {
    currency: optional(CURRENCY, {
      description: "The currency of the payment, case-insensitive. If it is omitted, the payer selects it.",
    }),
    network: optional(OFFERED_NETWORK, {
      description: "The network of the payment. If it is omitted, the payer selects it.",
    }),
    ...TERMS,
  },
  AMOUNT_OR_PRICE,
);

/** The id of an order, in any form; an unknown one is reported by the search. */
export const tradeId = textField(
  problem("rule_trade_id"),
  { type: "string", minLength: 1 },
  (given): Reading<string> => ({ value: given }),
);
/** Returns the part of a schema that requires one field. */
export const withField = (name: string, schema: Schema): Schema => ({
  required: [name],
  properties: { [name]: schema },
});

/** The request of order/detail and order/cancel. */
export const ORDER_NAMES = requestOf(
  {
    trade_id: optional(tradeId, { description: "The id of the order, from the response of `order/add`." }),
    mch_order_id: optional(mchOrderId, {
      description: "Your order number. If both ids are set, they must identify the same order.",
    }),
  },
  { anyOf: [withField("trade_id", tradeId.schema), withField("mch_order_id", mchOrderId.schema)] },
);

type AmountProblem = Extract<
  ProblemCode,
  "amount_not_number" | "amount_too_long" | "amount_not_positive" | "amount_too_many_decimals" | "amount_too_large"
>;

/** Reads a JSON number or a decimal string exactly, in steps of 0.000001. */
export function readAmount(given: unknown): Reading<bigint> {
  const refuse = (code: AmountProblem) => ({ problem: problem(code, { given: seen(given), rule: AMOUNT_RULE }) });
  const written = given instanceof JsonNumber ? given.text : given;
  if (typeof written !== "string") return refuse("amount_not_number");
  if (written.length > MAX_CHARACTERS) return refuse("amount_too_long");
  const match = NUMBER.exec(written);
  if (!match) return refuse("amount_not_number");
  const [, sign, wholePart = "", fraction = "", exponent = "0"] = match;
  const digits = (wholePart + fraction).replace(/^0+/, "").replace(/0+$/, "");
  if (digits === "" || sign === "-") return refuse("amount_not_positive");
  // The value is digits × 10^power. A power that no amount can have is rejected before any arithmetic.
  const trailingZeros = (wholePart + fraction).length - (wholePart + fraction).replace(/0+$/, "").length;
  const power = Number(exponent) - fraction.length + trailingZeros;
  if (power < -PUBLIC_DECIMALS) return refuse("amount_too_many_decimals");
  if (digits.length + power > MAX_DIGITS) return refuse("amount_too_large");
  const steps = parseUnits(`${digits}e${power}`, PUBLIC_DECIMALS);
  return steps === null || steps > MAX_STEPS ? refuse("amount_too_large") : { value: steps };
}

const requireAmount = requiredReader(AMOUNT_RULE, readAmount);
