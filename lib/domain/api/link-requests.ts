import { ID } from "@/lib/domain/api/limits";
import { CURSOR, limitOf } from "@/lib/domain/api/list-requests";
import { AMOUNT, FIAT, readAmount, subject, withField } from "@/lib/domain/api/order-requests";
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
  textField,
} from "@/lib/domain/fields/field";
import type { Schema } from "@/lib/domain/fields/json-schema";
import { JsonNumber, type JsonObject, seen } from "@/lib/domain/fields/json-value";
import { choice, decimalSchema, printable, whole } from "@/lib/domain/fields/values";
import { isId } from "@/lib/domain/id";
import {
  LINK_EXPIRES_IN,
  LINK_STATUSES,
  LINK_USES,
  linkDecimals,
  MAX_NOTE_LABEL,
  MCH_LINK_ID,
  parseLinkAmount,
  plainAmount,
} from "@/lib/domain/links/link";
import { formatUnits, PUBLIC_DECIMALS } from "@/lib/domain/money";
import { problem } from "@/lib/domain/problems/problem";
import { FIAT_CODES, findFiat, MAX_PRICE } from "@/lib/domain/rates/currencies";

const linkId = textField(
  problem("rule_link_id"),
  { type: "string", pattern: ID },
  (given): Reading<string> =>
    isId(given) ? { value: given } : { problem: problem("link_id_not_id", { given: seen(given) }) },
);

const mchLinkId = printable(MCH_LINK_ID, (given, length) =>
  problem("link_number_wrong_length", { given: seen(given), length, ...MCH_LINK_ID }),
);

const noteLabel = printable({ min: 0, max: MAX_NOTE_LABEL }, (_given, length, rule) =>
  problem("field_wrong_length", { length, rule }),
);

/** A fixed amount in tokens, in its shortest form. */
const amount: Field<string> = {
  schema: AMOUNT,
  read: (given, _rules, body) => {
    if (isGiven(body, "fiat") || isGiven(body, "fiat_amount")) return { problem: problem("link_amount_with_fiat") };
    const reading = readAmount(given);
    return "value" in reading ? { value: formatUnits(reading.value, PUBLIC_DECIMALS) } : reading;
  },
};

/** A fixed amount in `fiat`, in its shortest form. */
const fiatAmount: Field<string> = {
  schema: { anyOf: [{ type: "number" }, { type: "string" }] },
  read: (given, _rules, body) =>
    isGiven(body, "fiat") ? readInUnit(given, body) : { problem: problem("link_fiat_missing") },
};

/** A bound of an open amount, in `fiat` or in tokens, in its shortest form. */
const bound: Field<string> = {
  schema: { anyOf: [{ type: "number" }, { type: "string" }] },
  read: (given, _rules, body) =>
    isGiven(body, "amount") || isGiven(body, "fiat_amount")
      ? { problem: problem("link_bound_with_amount") }
      : readInUnit(given, body),
};

function readInUnit(given: unknown, body: JsonObject): Reading<string> {
  const typed = body["fiat"];
  const found = typeof typed === "string" ? findFiat(typed) : null;
  const fiat = found?.code ?? null;
  if (fiat === null) {
    const reading = readAmount(given);
    return "value" in reading ? { value: formatUnits(reading.value, PUBLIC_DECIMALS) } : reading;
  }
  const written = given instanceof JsonNumber ? given.text : given;
  if (typeof written === "string" && parseLinkAmount({ fiat }, written) !== null)
    return { value: plainAmount({ fiat }, written) };
  const rule = problem("rule_fiat_amount", { decimals: linkDecimals({ fiat }), code: fiat });
  return { problem: problem("field_malformed", { given: seen(given), rule }) };
}

const lifetime = whole({ min: LINK_EXPIRES_IN.min, max: LINK_EXPIRES_IN.max }, (given) =>
  problem("link_seconds_out_of_range", { given, min: LINK_EXPIRES_IN.min, max: LINK_EXPIRES_IN.max }),
);

/** The lifetime of a link in seconds; 0 for a link that does not expire. */
const expiresIn: Field<number> = {
  schema: { anyOf: [{ enum: [0, "0"] }, ...(lifetime.schema.anyOf ?? [])] },
  read: (given, rules, body) => {
    const text = given instanceof JsonNumber ? given.text : given;
    return text === "0" ? { value: 0 } : lifetime.read(given, rules, body);
  },
};

/** Returns schemas of fields in fiat currencies, grouped by the decimals of the currencies. */
const inFiat = (schemaOf: (decimals: number) => Record<string, Schema>): Schema[] =>
  [0, 2, 3].map((decimals) => ({
    properties: {
      fiat: { enum: FIAT_CODES.filter((code) => findFiat(code)?.decimals === decimals) },
      ...schemaOf(decimals),
    },
  }));

const NO_BOUNDS = { min_amount: NOTHING, max_amount: NOTHING };
const NO_AMOUNT = { amount: NOTHING, fiat_amount: NOTHING };
const bounds = (schema: Schema) => ({ min_amount: orNothing(schema), max_amount: orNothing(schema) });

const AMOUNTS: Pick<Schema, "oneOf"> = {
  oneOf: [
    {
      title: "Fixed amount in tokens",
      required: ["amount"],
      properties: { amount: AMOUNT, fiat: NOTHING, fiat_amount: NOTHING, ...NO_BOUNDS },
    },
    {
      title: "Fixed fiat price",
      required: ["fiat", "fiat_amount"],
      properties: { amount: NOTHING, ...NO_BOUNDS },
      anyOf: inFiat((decimals) => ({ fiat_amount: decimalSchema(decimals, MAX_PRICE) })),
    },
    {
      title: "Open amount in tokens",
      properties: { ...NO_AMOUNT, fiat: NOTHING, ...bounds(AMOUNT) },
    },
    {
      title: "Open fiat amount",
      required: ["fiat"],
      properties: NO_AMOUNT,
      anyOf: inFiat((decimals) => bounds(decimalSchema(decimals, MAX_PRICE))),
    },
  ],
};

/** The fields of link/add. */
export const LINK_ADD = requestOf(
  {
    currency: optional(CURRENCY, {
      description: "The currency of the payments, case-insensitive. If it is omitted, the payer selects it.",
    }),
    network: optional(OFFERED_NETWORK, {
      description: "The network of the payments. If it is omitted, the payer selects it.",
    }),
    amount: optional(amount, {
      description: "The fixed amount in tokens. Without `amount` and `fiat_amount`, the payer enters the amount.",
      examples: [25],
    }),
    fiat: optional(FIAT, {
      description:
        "The ISO 4217 code of the currency of the amounts, case-insensitive; without it, they are in tokens.",
    }),
    fiat_amount: optional(fiatAmount, { description: "The fixed price in `fiat`, instead of `amount`." }),
    min_amount: optional(bound, { description: "The minimum of an amount that the payer enters." }),
    max_amount: optional(bound, { description: "The maximum of an amount that the payer enters." }),
    subject: optional(subject, {
      description: "Text shown to the payer, on the receipt and in lists.",
      examples: ["Donation"],
    }),
    note_label: optional(noteLabel, {
      description: "The label of a field in which the payer can enter a note. Without it, there is no such field.",
      examples: ["Your name"],
    }),
    mch_link_id: optional(mchLinkId, {
      description:
        "Your number of the link, permanently unique. A repeated request with the same terms returns the same link.",
      examples: ["L-1001"],
    }),
    notify_url: optional(CALLBACK_URL, { description: "The URL for callbacks about its orders, at a public address." }),
    redirect_url: optional(HTTP_URL, {
      description: "The URL to which the payer returns. `trade_id` and `mch_order_id` are added to its query.",
    }),
    expires_in: optional(
      expiresIn,
      { description: "The seconds until the link expires; 0 for a link that does not expire. The default is 7 days." },
      LINK_EXPIRES_IN.usual,
    ),
    max_uses: optional(
      whole(LINK_USES, (given) => problem("number_out_of_range", { given, min: LINK_USES.min, max: LINK_USES.max })),
      {
        description:
          "The maximum number of orders that are open or paid. An order that expires unpaid can be replaced. The default is any number.",
      },
    ),
  },
  AMOUNTS,
);

/** The fields of link/detail and link/close. */
export const LINK_NAMES = requestOf(
  {
    link_id: optional(linkId, { description: "The id of the link. Required unless `mch_link_id` is set." }),
    mch_link_id: optional(mchLinkId, {
      description: "Your number of the link. Required unless `link_id` is set.",
    }),
  },
  { anyOf: [withField("link_id", linkId.schema), withField("mch_link_id", mchLinkId.schema)] },
);

/** The fields of link/list. */
export const LINK_LIST = requestOf({
  status: optional(
    choice(LINK_STATUSES, (given) => given.toLowerCase()),
    { description: "Returns only links with this status." },
  ),
  cursor: CURSOR,
  limit: limitOf("The maximum number of links on the page."),
});
