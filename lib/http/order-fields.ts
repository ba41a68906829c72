import { validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { unitsPerStep } from "@/lib/domain/money";
import {
  allNetworks,
  CURRENCIES,
  type Currency,
  findNetwork,
  findToken,
  isOffered,
  type Network,
} from "@/lib/domain/networks";
import type { Env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { AMOUNT_RULE, validateAmount } from "@/lib/http/amount-field";
import { type Judge, optional, readFields, required, seen, text } from "@/lib/http/fields";
import { JsonNumber, type JsonObject } from "@/lib/http/json-body";
import type { OrderTerms } from "@/lib/orders/order-terms";

const MAX_URL_CHARACTERS = 2_048;
const EXPIRES_IN = { min: 300, max: 86_400 };
const ID_RULE = "1 to 32 characters without control characters";

type OrderRules = Pick<Env, "rpcUrls" | "callbackAllowCidrs">;

/**
 * Reads what order/add asks for.
 * @throws AppError 10001 that lists every bad field
 */
export function readOrderTerms(body: JsonObject, { env }: { env: OrderRules }): OrderTerms {
  const networks = allNetworks().filter((network) => env.rpcUrls.has(network.id));
  const offered = networks.filter(isOffered);
  const networkRule = `one of ${offered.map((network) => network.id).join(", ")}`;
  const fields = readFields(body, {
    currency: required(`one of ${CURRENCIES.join(", ")}`, validateCurrency),
    network: required(networkRule, networkValidator(networks, networkRule)),
    amount: required(AMOUNT_RULE, validateAmount),
    mch_order_id: required(ID_RULE, validateMchOrderId),
    notify_url: optional(notifyUrlValidator(env.callbackAllowCidrs)),
    redirect_url: optional(validateRedirectUrl),
    expires_in: optional(validateExpiresIn),
    locale: optional(validateLocale),
  });
  const token = findToken(fields.network, fields.currency);
  if (!token) {
    const message = `currency ${fields.currency} is not offered on ${fields.network.name}`;
    throw new AppError(10001, message, { errors: [{ field: "currency", message }] });
  }
  return {
    mchOrderId: fields.mch_order_id,
    network: fields.network,
    token,
    amountUnits: fields.amount * unitsPerStep(token.decimals),
    notifyUrl: fields.notify_url,
    redirectUrl: fields.redirect_url,
    expiresInSeconds: fields.expires_in,
    locale: fields.locale,
  };
}

/** Which order order/detail asks for; both names must then be of one order. */
export interface OrderNames {
  tradeId?: string;
  mchOrderId?: string;
}

/**
 * Reads what order/detail asks for.
 * @throws AppError 10001 when neither name is given, or one cannot be a name at all
 */
export function readOrderNames(body: JsonObject): OrderNames {
  const { trade_id: tradeId, mch_order_id: mchOrderId } = readFields(body, {
    trade_id: optional(text("the trade_id that order/add answered", (given) => ({ value: given }))),
    mch_order_id: optional(validateMchOrderId),
  });
  if (tradeId === null && mchOrderId === null) {
    const message = "trade_id or mch_order_id is missing; give at least one of them";
    throw new AppError(10001, message, {
      errors: ["trade_id", "mch_order_id"].map((field) => ({ field, message })),
    });
  }
  return { ...(tradeId !== null && { tradeId }), ...(mchOrderId !== null && { mchOrderId }) };
}

const validateCurrency: Judge<Currency> = text(`one of ${CURRENCIES.join(", ")}`, (given) => {
  const currency = CURRENCIES.find((candidate) => candidate === given.toUpperCase());
  if (currency) return { value: currency };
  return { problem: `${seen(given)} is unknown; it must be one of ${CURRENCIES.join(", ")}` };
});

function networkValidator(networks: readonly Network[], rule: string): Judge<Network> {
  return text(rule, (given) => {
    const network = findNetwork(given);
    if (network && networks.includes(network)) return { value: network };
    return { problem: `${seen(given)} is ${network ? "switched off" : "unknown"}; it must be ${rule}` };
  });
}

const validateMchOrderId: Judge<string> = text(ID_RULE, (given) => {
  const length = [...given].length;
  if (length < 1 || length > 32) return { problem: `${seen(given)} has ${length} characters; it must have 1 to 32` };
  if (/[\p{Cc}\p{Cs}]/u.test(given)) return { problem: `${seen(given)} has control characters; it must be ${ID_RULE}` };
  return { value: given };
});

function notifyUrlValidator(allowCidrs: readonly string[]): Judge<string> {
  return text("an absolute http or https URL", (given) => {
    const problem = validateCallbackUrl(given, { allowCidrs });
    return problem ? { problem } : { value: given };
  });
}

const validateRedirectUrl: Judge<string> = text("an absolute http or https URL", (given) => {
  if ([...given].length > MAX_URL_CHARACTERS) return { problem: `is longer than ${MAX_URL_CHARACTERS} characters` };
  const isAbsolute = /^https?:\/\/[^/\\]/i.test(given) && !/[\s\p{Cc}\p{Cs}]/u.test(given) && URL.canParse(given);
  if (isAbsolute) return { value: given };
  return { problem: `${seen(given)} is not an absolute http or https URL such as https://shop.example.com/thanks` };
});

const validateExpiresIn: Judge<number> = (given) => {
  const digits = given instanceof JsonNumber ? given.text : given;
  const seconds = typeof digits === "string" && /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
  if (seconds >= EXPIRES_IN.min && seconds <= EXPIRES_IN.max) return { value: seconds };
  return { problem: `${seen(given)} is not a whole number of seconds from ${EXPIRES_IN.min} to ${EXPIRES_IN.max}` };
};

const validateLocale: Judge<string> = text("a language tag", (given) => {
  const tag = given.replaceAll("_", "-");
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(tag)) {
    const [locale] = canonicalLocales(tag);
    if (locale) return { value: locale };
  }
  return { problem: `${seen(given)} is not a language tag such as en, de or zh-CN` };
});

function canonicalLocales(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag);
  } catch {
    return [];
  }
}
