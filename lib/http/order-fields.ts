import {
  type CHECKOUT_TERMS,
  EXPIRES_IN,
  LOCALE,
  MAX_AMOUNT,
  MAX_METADATA_BYTES,
  MAX_PRICE,
  MAX_SUBJECT,
  MCH_ORDER_ID,
  type ORDER_NAMES,
  type ORDER_TERMS,
  type RequestShape,
} from "@/lib/domain/api/fields";
import { readHttpUrl, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { formatUnits, MAX_STEPS, PUBLIC_DECIMALS, parseUnits, unitsPerStep } from "@/lib/domain/money";
import {
  allNetworks,
  CURRENCIES,
  type Currency,
  findNetwork,
  findToken,
  isOffered,
  type Network,
  type Token,
} from "@/lib/domain/networks";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import { AppError, fieldError } from "@/lib/errors";
import {
  fieldsReader,
  isEmptyArray,
  isGiven,
  JsonNumber,
  type JsonObject,
  JsonSource,
  type OrderRules,
  optional,
  required,
  seen,
  text,
  type Validated,
  type Validator,
  wholeNumber,
} from "@/lib/http/api-call";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";
import type { OrderTerms } from "@/lib/orders/create-order";
import { priceTerms } from "@/lib/rates/count-price";

/** Which order order/detail asks for; both names must then be of one order. */
export interface OrderNames {
  tradeId?: string;
  mchOrderId?: string;
}

/** Validators of the fields that the API's document tells of: of each one, and of no other. */
export type Fields<Shape extends RequestShape> = { [Field in keyof Shape["properties"]]: Validator<unknown> };

const ID_LENGTH = `${MCH_ORDER_ID.min} to ${MCH_ORDER_ID.max}`;
const ID_RULE = `${ID_LENGTH} characters without control characters`;
const CURRENCY_RULE = `one of ${CURRENCIES.join(", ")}`;
const AMOUNT_RULE = `a number above 0 and at most ${MAX_AMOUNT}, with at most 6 decimals, such as 10.5`;
const FIAT_RULE = "an ISO 4217 code such as EUR";
export const NO_RULES: OrderRules = { rpcUrls: new Map(), callbackAllowCidrs: [] };
const SUBJECT_RULE = `at most ${MAX_SUBJECT} characters without control characters`;
const LANGUAGE_TAG = new RegExp(LOCALE);
const MAX_CHARACTERS = 100;
const MAX_DIGITS = 30;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
export const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * Reads what order/add asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readOrderTerms(body: JsonObject, { env }: { env: OrderRules }): OrderTerms {
  const fields = readTermFields(body, env);
  const { network } = fields;
  const token = tokenOn(network, fields.currency);
  return { network, token, ...sumOf(fields, token), ...commonTerms(fields) };
}

/**
 * Reads what order/checkout asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readCheckoutRequest(body: JsonObject, { env }: { env: OrderRules }): CheckoutRequest {
  const fields = readCheckoutFields(body, env);
  const { network, currency, amount, fiat, fiat_amount: units } = fields;
  if (network && currency) tokenOn(network, currency);
  const price = fiat && units ? priceTerms({ fiat: fiat.code, decimals: fiat.decimals, units }) : null;
  const sum = { amount: amount === null ? null : formatUnits(amount, PUBLIC_DECIMALS), price };
  return { checkout: { network: network?.id ?? null, currency, ...sum }, ...commonTerms(fields) };
}

function tokenOn(network: Network, currency: Currency): Token {
  const token = findToken(network, currency);
  if (!token) throw fieldError("currency", `currency ${currency} is not offered on ${network.name}`);
  return token;
}

function commonTerms(fields: Omit<ReturnType<typeof readTermFields>, "currency" | "network">) {
  return {
    mchOrderId: fields.mch_order_id,
    notifyUrl: fields.notify_url,
    redirectUrl: fields.redirect_url,
    expiresInSeconds: fields.expires_in,
    locale: fields.locale,
    subject: fields.subject,
    metadata: fields.metadata?.text ?? null,
  };
}

type SumFields = Pick<ReturnType<typeof readTermFields>, "amount" | "fiat" | "fiat_amount">;

/** The fields' own rules have seen to it that there is either an amount or a whole price. */
function sumOf({ amount, fiat, fiat_amount: units }: SumFields, { decimals }: Token) {
  if (amount !== null) return { amountUnits: amount * unitsPerStep(decimals) };
  if (fiat === null || units === null) throw fieldError("amount", `amount is missing; it must be ${AMOUNT_RULE}`);
  return { price: { fiat: fiat.code, decimals: fiat.decimals, units } };
}

/**
 * Reads what order/detail asks for.
 * @throws AppError 10001 when neither name is given, or one cannot be a name at all
 */
export function readOrderNames(body: JsonObject): OrderNames {
  const { trade_id: tradeId, mch_order_id: mchOrderId } = readNameFields(body, NO_RULES);
  if (tradeId === null && mchOrderId === null) {
    const message = "trade_id or mch_order_id is missing; give at least one of them";
    const errors = ["trade_id", "mch_order_id"].map((field) => ({ field, message }));
    throw new AppError(10001, message, { errors });
  }
  return { ...(tradeId !== null && { tradeId }), ...(mchOrderId !== null && { mchOrderId }) };
}

export const validateCurrency = text(CURRENCY_RULE, (given): Validated<Currency> => {
  const currency = CURRENCIES.find((candidate) => candidate === given.toUpperCase());
  return currency ? { value: currency } : { problem: `${seen(given)} is unknown; it must be ${CURRENCY_RULE}` };
});

export const validateNetwork = text(networkRule, (given, rules): Validated<Network> => {
  const network = findNetwork(given);
  if (network && rules.rpcUrls.has(network.id)) return { value: network };
  return { problem: `${seen(given)} is ${network ? "switched off" : "unknown"}; it must be ${networkRule(rules)}` };
});

export function networkRule({ rpcUrls }: OrderRules): string {
  const offered = allNetworks().filter((network) => rpcUrls.has(network.id) && isOffered(network));
  return `one of ${offered.map(({ id }) => id).join(", ")}`;
}

/** Reads an amount, a JSON number or a decimal text, exactly: in steps of 0.000001. */
function validateAmount(given: unknown): Validated<bigint> {
  const refuse = (what: string) => ({ problem: `${seen(given)} ${what}; it must be ${AMOUNT_RULE}` });
  const written = given instanceof JsonNumber ? given.text : given;
  if (typeof written !== "string") return refuse("is not a number");
  if (written.length > MAX_CHARACTERS) return refuse("is written too long");
  const match = NUMBER.exec(written);
  if (!match) return refuse("is not a number");
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "").replace(/0+$/, "");
  if (digits === "" || sign === "-") return refuse("is not above 0");
  // The value is digits × 10^power: a power that no amount can have never reaches the arithmetic.
  const trailingZeros = (whole + fraction).length - (whole + fraction).replace(/0+$/, "").length;
  const power = Number(exponent) - fraction.length + trailingZeros;
  if (power < -PUBLIC_DECIMALS) return refuse("has more than 6 decimals");
  if (digits.length + power > MAX_DIGITS) return refuse("is too large");
  const steps = parseUnits(`${digits}e${power}`, PUBLIC_DECIMALS);
  return steps === null || steps > MAX_STEPS ? refuse("is too large") : { value: steps };
}

/** An amount, unless a price is given instead. */
const validateSum: Validator<bigint | null> = (given, rules, body) => {
  if (isGiven(body, "fiat_amount"))
    return isGiven(body, "amount")
      ? { problem: "is given together with fiat_amount; give one of them" }
      : { value: null };
  return required(AMOUNT_RULE, validateAmount)(given, rules, body);
};

/** A code, which goes with fiat_amount. */
const validateFiat: Validator<ReturnType<typeof findFiat>> = (given, rules, body) => {
  if (!isGiven(body, "fiat"))
    return isGiven(body, "fiat_amount")
      ? { problem: `is missing, though fiat_amount is given; it must be ${FIAT_RULE}` }
      : { value: null };
  return text(FIAT_RULE, (code): Validated<ReturnType<typeof findFiat>> => {
    const fiat = findFiat(code);
    return fiat ? { value: fiat } : { problem: `${seen(code)} is no currency; it must be ${FIAT_RULE}` };
  })(given, rules, body);
};

/** A price, a JSON number or a decimal text, exactly: in minor units of `fiat`. */
const validateFiatAmount: Validator<bigint | null> = (given, _rules, body) => {
  if (!isGiven(body, "fiat") && !isGiven(body, "fiat_amount")) return { value: null };
  const { code, decimals } = findFiat(String(body["fiat"] ?? "")) ?? { code: "fiat", decimals: 3 };
  const rule = `a number above 0 with at most ${decimals} decimals, as ${code} has`;
  if (!isGiven(body, "fiat_amount")) return { problem: `is missing, though fiat is given; it must be ${rule}` };
  const written = given instanceof JsonNumber ? given.text : given;
  const units = typeof written === "string" ? parseFiatAmount(written, decimals) : null;
  if (units === null) return { problem: `${seen(given)} must be ${rule}` };
  const isPrice = units <= BigInt(MAX_PRICE) * 10n ** BigInt(decimals);
  return isPrice ? { value: units } : { problem: `${seen(given)} is more than ${MAX_PRICE}, the most that is a price` };
};

const validateMchOrderId = text(ID_RULE, (given): Validated<string> => {
  const { min, max } = MCH_ORDER_ID;
  const length = given.length > max ? [...given].length : given.length;
  if (length < min || length > max)
    return { problem: `${seen(given)} has ${length} characters; it must have ${ID_LENGTH}` };
  if (UNPRINTABLE.test(given)) return { problem: `${seen(given)} has control characters; it must be ${ID_RULE}` };
  return { value: given };
});

export const validateNotifyUrl = text(
  "an absolute http or https URL",
  (given, { callbackAllowCidrs }): Validated<string> => {
    const problem = validateCallbackUrl(given, { allowCidrs: callbackAllowCidrs });
    return problem ? { problem } : { value: given };
  },
);

const validateRedirectUrl = text("an absolute http or https URL", (given): Validated<string> => {
  const read = readHttpUrl(given, "https://shop.example.com/thanks");
  return "problem" in read ? read : { value: given };
});

function validateExpiresIn(given: unknown): Validated<number> {
  const seconds = wholeNumber(given);
  if (seconds >= EXPIRES_IN.min && seconds <= EXPIRES_IN.max) return { value: seconds };
  return { problem: `${seen(given)} is not a whole number of seconds from ${EXPIRES_IN.min} to ${EXPIRES_IN.max}` };
}

const validateLocale = text("a language tag", (given): Validated<string> => {
  const [locale] = LANGUAGE_TAG.test(given) ? Intl.getCanonicalLocales(given.replaceAll("_", "-")) : [];
  if (locale) return { value: locale };
  return { problem: `${seen(given)} is not a language tag such as en, de or zh-CN` };
});

const validateSubject = text(SUBJECT_RULE, (given): Validated<string> => {
  const { length } = [...given];
  if (length > MAX_SUBJECT) return { problem: `has ${length} characters; it must be ${SUBJECT_RULE}` };
  if (UNPRINTABLE.test(given)) return { problem: `${seen(given)} has control characters; it must be ${SUBJECT_RULE}` };
  return { value: given };
});

function validateMetadata(given: unknown): Validated<JsonSource> {
  if (isEmptyArray(given)) return { value: new JsonSource("{}") };
  if (!(given instanceof JsonSource)) return { problem: `${seen(given)} is not a JSON object` };
  const bytes = Buffer.byteLength(given.text);
  if (bytes > MAX_METADATA_BYTES)
    return { problem: `has ${bytes} bytes; it must have at most ${MAX_METADATA_BYTES}, as they are sent` };
  const key = given.repeatedKey();
  return key === null ? { value: given } : { problem: `has the key ${seen(key)} twice in one object; give it once` };
}

const COMMON_FIELDS = {
  amount: validateSum,
  fiat: validateFiat,
  fiat_amount: validateFiatAmount,
  mch_order_id: required(ID_RULE, validateMchOrderId),
  notify_url: optional(validateNotifyUrl),
  redirect_url: optional(validateRedirectUrl),
  expires_in: optional(validateExpiresIn),
  locale: optional(validateLocale),
  subject: optional(validateSubject),
  metadata: optional(validateMetadata),
};

const readTermFields = fieldsReader({
  currency: required(CURRENCY_RULE, validateCurrency),
  network: required(networkRule, validateNetwork),
  ...COMMON_FIELDS,
} satisfies Fields<typeof ORDER_TERMS>);

const readCheckoutFields = fieldsReader({
  currency: optional(validateCurrency),
  network: optional(validateNetwork),
  ...COMMON_FIELDS,
} satisfies Fields<typeof CHECKOUT_TERMS>);

const readNameFields = fieldsReader({
  trade_id: optional(text("the trade_id that order/add answered", (given): Validated<string> => ({ value: given }))),
  mch_order_id: optional(validateMchOrderId),
} satisfies Fields<typeof ORDER_NAMES>);
