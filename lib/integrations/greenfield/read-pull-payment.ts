import { isEmptyArray, JsonNumber, type JsonObject, seen } from "@/lib/domain/fields/json-value";
import { parseMicro } from "@/lib/domain/money";
import { type Currency, findToken, getNetwork } from "@/lib/domain/networks";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";
import { MAX_REFUND_REASON, REFUND_EXPIRES_IN } from "@/lib/domain/refunds/refund";
import { invalidField, invalidFields } from "@/lib/errors";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { parseTradeType } from "@/lib/integrations/shared/trade-type";

const MAX_NAME = 50;
const MAX_DESCRIPTION = 2_000;
const MAX_METHODS = 50;
const DECIMAL = /^\d{1,40}(\.\d{1,40})?$/;

/** The request for a pull payment: its amount as a decimal string without trailing zeros, and its currency in upper case. */
export interface PullPaymentRequest {
  name: string;
  description: string;
  amount: string;
  currency: string;
  isAutoApproved: boolean;
  expiresInSeconds: number;
  methods: Methods;
}

/** The payment methods to which a request limits a refund; null: all. */
export type Methods = { field: string; names: readonly string[] } | null;

/**
 * Reads the request for a pull payment. `period` must be absent: a refund is claimed once. `BOLT11Expiration` is ignored.
 * @throws AppError 10001 naming all invalid fields
 */
export function readPullPayment(body: JsonObject, now: Date): PullPaymentRequest {
  const errors: FieldError[] = [];
  const check = (field: string, invalid: Problem | null) => invalid && errors.push(fieldError(field, invalid));
  const name = textOf(body["name"]).trim();
  const amount = decimalOf(body["amount"]);
  const currency = textOf(body["currency"]).trim().toUpperCase();
  const startsAt = secondsOf(body["startsAt"]);
  const expiresAt = secondsOf(body["expiresAt"]);
  const nowSeconds = Math.floor(now.getTime() / 1_000);
  const expiresInSeconds = expiresAt === null ? REFUND_EXPIRES_IN.usual : (expiresAt ?? 0) - nowSeconds;
  const isAutoApproved = body["autoApproveClaims"] ?? false;
  check("name", nameProblem(name));
  check("amount", amount === null ? amountProblem(body["amount"]) : null);
  check("currency", currency === "" ? problem("value_is_missing") : null);
  check("period", isAbsent(body["period"]) ? null : problem("pull_payment_period"));
  check(
    "startsAt",
    startsAt === undefined || (startsAt ?? 0) > nowSeconds ? problem("pull_payment_starts_later") : null,
  );
  const { min, max } = REFUND_EXPIRES_IN;
  check(
    "expiresAt",
    expiresAt === undefined || expiresInSeconds < min || expiresInSeconds > max
      ? problem("pull_payment_expiry", { from: nowSeconds + min, to: nowSeconds + max })
      : null,
  );
  check("autoApproveClaims", typeof isAutoApproved === "boolean" ? null : problem("flag_malformed"));
  if (errors.length > 0 || amount === null) throw invalidFields(errors);
  const description = readDescription(body);
  const methods = readMethods(body);
  return { name, description, amount, currency, isAutoApproved: isAutoApproved === true, expiresInSeconds, methods };
}

/** The request for a refund of an invoice. */
export interface InvoiceRefundRequest {
  variant: RefundVariant;
  name: string;
  description: string;
  /** The percentage that is subtracted, as a decimal string. */
  subtractPercentage: string;
  customAmount: string | null;
  customCurrency: string;
  methods: Methods;
}

const VARIANTS = ["RateThen", "CurrentRate", "OverpaidAmount", "Fiat", "Custom"] as const;
export type RefundVariant = (typeof VARIANTS)[number];

/** Reads the request for a refund of an invoice. @throws AppError 10001 naming all invalid fields */
export function readInvoiceRefund(body: JsonObject): InvoiceRefundRequest {
  const errors: FieldError[] = [];
  const given = textOf(body["refundVariant"]).toLowerCase();
  const variant = VARIANTS.find((one) => one.toLowerCase() === given);
  const name = textOf(body["name"]).trim();
  const percentage = isAbsent(body["subtractPercentage"]) ? "0" : decimalOf(body["subtractPercentage"], true);
  const customAmount = decimalOf(body["customAmount"]);
  const customCurrency = textOf(body["customCurrency"]).trim().toUpperCase();
  if (!variant)
    errors.push(fieldError("refundVariant", problem("refund_variant_unknown", { given: seen(body["refundVariant"]) })));
  const longName = nameProblem(name);
  if (longName) errors.push(fieldError("name", longName));
  if (percentage === null || (parseMicro(percentage) ?? 100_000_000n) >= 100_000_000n)
    errors.push(
      fieldError("subtractPercentage", problem("refund_percentage", { given: seen(body["subtractPercentage"]) })),
    );
  if (variant === "Custom" && customAmount === null)
    errors.push(fieldError("customAmount", amountProblem(body["customAmount"])));
  if (variant === "Custom" && customCurrency === "")
    errors.push(fieldError("customCurrency", problem("value_is_missing")));
  if (errors.length > 0 || !variant || percentage === null) throw invalidFields(errors);
  const description = readDescription(body);
  const methods = readMethods(body);
  return { variant, name, description, subtractPercentage: percentage, customAmount, customCurrency, methods };
}

/** The request for a payout, which is the claim of a refund. */
export interface PayoutRequest {
  destination: string;
  /** The claimed amount in the currency of the pull payment; null: all of it. */
  amount: string | null;
  network: string;
  currency: Currency;
}

/** Reads the request for a payout. @throws AppError 10001 naming all invalid fields */
export function readPayout(body: JsonObject): PayoutRequest {
  const errors: FieldError[] = [];
  const destination = textOf(body["destination"]).trim();
  const amount = decimalOf(body["amount"]);
  const field = isAbsent(body["payoutMethodId"]) ? "paymentMethod" : "payoutMethodId";
  const name = textOf(body[field]);
  const method = parseTradeType(name);
  if (destination === "") errors.push(fieldError("destination", problem("value_is_missing")));
  if (!isAbsent(body["amount"]) && amount === null) errors.push(fieldError("amount", amountProblem(body["amount"])));
  if (!method?.network || !method.currency)
    errors.push(fieldError("payoutMethodId", problem("payment_methods_unknown")));
  if (errors.length > 0 || !method?.network || !method.currency) throw invalidFields(errors);
  return { destination, amount, network: method.network, currency: method.currency };
}

/**
 * Verifies that one of the requested payment methods can pay a refund. The networks themselves are a setting of the merchant.
 * @throws AppError 10001 naming the field
 */
export function verifyMethods(methods: Methods, currency: Currency): void {
  if (methods === null) return;
  const isPayable = methods.names.some((name) => {
    const method = parseTradeType(name);
    const { network } = method ?? {};
    const isFit = method && (method.currency === null || method.currency === currency);
    return isFit && (!network || findToken(getNetwork(network), currency) !== null);
  });
  if (!isPayable) throw invalidField(methods.field, problem("payment_methods_without_currency", { currency }));
}

/** Returns the text that the customer sees as the reason of a refund, cut to its maximum length; null if there is none. */
export function reasonOf(description: string, name: string): string | null {
  const text = (description || name).replace(/[\p{Cc}\p{Cs}]/gu, " ").trim();
  return [...text].slice(0, MAX_REFUND_REASON).join("") || null;
}

function readMethods(body: JsonObject): Methods {
  const field = ["payoutMethods", "paymentMethods", "paymentMethod", "payoutMethodId"].find(
    (one) => !isAbsent(body[one]),
  );
  if (field === undefined) return null;
  const given = body[field];
  const names = Array.isArray(given) ? given : isEmptyArray(given) ? [] : [given];
  if (names.length === 0 || names.length > MAX_METHODS || !names.every((name) => typeof name === "string"))
    throw invalidField(field, problem("payment_methods_malformed", { max: MAX_METHODS }));
  return { field, names };
}

function readDescription(body: JsonObject): string {
  return [...textOf(body["description"]).replaceAll("\u0000", "").toWellFormed()].slice(0, MAX_DESCRIPTION).join("");
}

/** Returns a decimal string without trailing zeros; null if the value is not a number above 0 (or 0, if allowed). */
function decimalOf(given: unknown, isZeroAllowed = false): string | null {
  const text = (given instanceof JsonNumber ? given.text : textOf(given)).trim();
  if (!DECIMAL.test(text) || (!isZeroAllowed && !/[1-9]/.test(text))) return null;
  return shortDecimal(text);
}

/** Returns Unix seconds; null if there are none, undefined if the value is not a number. */
function secondsOf(given: unknown): number | null | undefined {
  if (isAbsent(given)) return null;
  const text = given instanceof JsonNumber ? given.text : textOf(given);
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function nameProblem(name: string): Problem | null {
  const { length } = [...name];
  return length > MAX_NAME ? problem("pull_payment_name_too_long", { max: MAX_NAME, length }) : null;
}

function amountProblem(given: unknown): Problem {
  return isAbsent(given) ? problem("value_is_missing") : problem("pull_payment_amount", { given: seen(given) });
}

const isAbsent = (given: unknown): given is null | undefined => given === undefined || given === null;
const textOf = (given: unknown): string =>
  typeof given === "string" ? given.toWellFormed().replaceAll("\u0000", "") : "";
