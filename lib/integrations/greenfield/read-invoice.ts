import { EXPIRES_IN, LOCALE, MAX_SUBJECT } from "@/lib/domain/api/limits";
import { readHttpUrl } from "@/lib/domain/callbacks/address-rule";
import { isEmptyArray, JsonNumber, type JsonObject, JsonSource, seen } from "@/lib/domain/fields/json-value";
import { formatUnits, MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import type { CheckoutTerms } from "@/lib/domain/orders/order";
import { type FieldError, problem } from "@/lib/domain/problems/problem";
import { findFiat, MAX_PRICE } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import { AppError, invalidField, invalidFields } from "@/lib/errors";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { type Chosen, currencyOf, parseTradeType } from "@/lib/integrations/shared/trade-type";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/**
 * The maximum size of an invoice's metadata. It is larger than the 2 KiB of the merchant API, because shops send the buyer's address, the
 * items and their taxes.
 */
const MAX_METADATA_BYTES = 16_384;
const MAX_METHODS = 50;
const MAX_METHOD_NAME = 40;
const MAX_DIGITS = 60;
const AMOUNT = /^\d+(\.\d+)?$/;
const LANGUAGE_TAG = new RegExp(LOCALE);
const SPEEDS = ["HighSpeed", "MediumSpeed", "LowMediumSpeed", "LowSpeed"];
const USUAL_SPEED = "MediumSpeed";
const ORDER_ID = /\{OrderId\}/gi;

/**
 * Reads the request for an invoice.
 * @param mchOrderId a new number, because a shop may use one orderId for any number of invoices
 * @throws AppError 10001 naming all invalid fields
 */
export function readInvoice(
  body: JsonObject,
  plugin: Pick<Plugin, "fiat">,
  mchOrderId: string,
): CheckoutRequest & { integration: "greenfield" } {
  const errors: FieldError[] = [];
  const collect = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError && error.errors)) throw error;
      errors.push(...error.errors);
      return null;
    }
  };
  const checkout = objectOf(body["checkout"]);
  const metadata = collect(() => readInvoiceMetadata(body["metadata"]));
  const sum = collect(() => readSum(body, plugin));
  const methods = collect(() => readMethods(checkout["paymentMethods"], sum?.currency ?? null));
  // The database rejects JSON with an unpaired surrogate.
  const orderId = metadata?.orderId.toWellFormed() ?? "";
  const redirectUrl = collect(() => readRedirectUrl(checkout["redirectURL"], orderId));
  if (errors.length > 0 || !sum || !methods || !metadata) throw invalidFields(errors);
  const speed = textOf(checkout["speedPolicy"]);
  return {
    mchOrderId,
    checkout: { ...methods.chosen, amount: sum.amount, price: sum.price },
    notifyUrl: null,
    redirectUrl,
    locale: readLanguage(textOf(checkout["defaultLanguage"])),
    subject: metadata.subject,
    metadata: metadata.text,
    expiresInSeconds: readMinutes(checkout["expirationMinutes"]),
    integration: "greenfield",
    echo: {
      amount: sum.written,
      currency: sum.code,
      orderId,
      paymentMethods: JSON.stringify(methods.names),
      speedPolicy: SPEEDS.includes(speed) ? speed : USUAL_SPEED,
    },
  };
}

interface ReadSum extends Pick<CheckoutTerms, "amount" | "price"> {
  /** The amount as it was written, and the code of its currency. */
  written: string;
  code: string;
  /** The currency of a token; null: the amount is in fiat. */
  currency: CheckoutTerms["currency"];
}

function readSum(body: JsonObject, plugin: Pick<Plugin, "fiat">): ReadSum {
  const named = textOf(body["currency"]).trim() || (plugin.fiat ?? "");
  const currency = currencyOf(named);
  const fiat = currency ? null : findFiat(named);
  if (!currency && !fiat) throw invalidField("currency", problem("invoice_currency_unknown", { given: seen(named) }));
  const decimals = fiat?.decimals ?? PUBLIC_DECIMALS;
  const code = currency ?? fiat?.code ?? "";
  const given = body["amount"];
  const text = given instanceof JsonNumber ? given.text : textOf(given).trim();
  const rule = problem("rule_fiat_amount_text", { decimals, code });
  if (text === "") throw invalidField("amount", problem("invoice_amount_missing", { rule }));
  const plain = text.length <= MAX_DIGITS ? shortDecimal(text) : "";
  const units = fiat ? parseFiatAmount(plain, decimals) : parseUnits(plain, decimals);
  const maximum = fiat ? BigInt(MAX_PRICE) * 10n ** BigInt(decimals) : MAX_STEPS;
  if (!AMOUNT.test(plain) || units === null || units <= 0n || units > maximum)
    throw invalidField("amount", problem("field_malformed", { given: seen(given), rule }));
  const amount = formatUnits(units, decimals);
  const written = AMOUNT.test(text) ? text : amount;
  return fiat
    ? { amount: null, price: { fiat: fiat.code, amount }, written, code, currency }
    : { amount, price: null, written, code, currency };
}

/**
 * Reads the payment methods that a shop requests. An order can have one network, one currency, both or neither, so it gets the network and
 * the currency that all methods have in common. Unknown names, such as those of a different server's wallets, are ignored if at least one
 * name is known.
 */
function readMethods(given: unknown, currency: CheckoutTerms["currency"]): { names: string[]; chosen: Chosen } {
  if (given === undefined || given === null) return { names: [], chosen: { network: null, currency } };
  const names = Array.isArray(given) ? given.filter((name): name is string => typeof name === "string") : null;
  if (!names || names.length > MAX_METHODS || names.some((name) => name.length > MAX_METHOD_NAME))
    throw invalidField("checkout.paymentMethods", problem("payment_methods_malformed", { max: MAX_METHODS }));
  if (names.length === 0) return { names, chosen: { network: null, currency } };
  const known = names.flatMap((name) => parseTradeType(name) ?? []);
  const fitting = known.filter((one) => !currency || !one.currency || one.currency === currency);
  const [first] = fitting;
  if (!first)
    throw invalidField(
      "checkout.paymentMethods",
      known.length === 0
        ? problem("payment_methods_unknown")
        : problem("payment_methods_without_currency", { currency: String(currency) }),
    );
  const network = fitting.every((one) => one.network === first.network) ? first.network : null;
  const shared = fitting.every((one) => one.currency === first.currency) ? first.currency : null;
  return { names, chosen: { network, currency: currency ?? shared } };
}

/** The metadata of an invoice as text, and the values in it that this service uses. */
export interface ReadMetadata {
  text: string | null;
  /** The description of the item, which payers see. */
  subject: string | null;
  /** The shop's order number; "" if there is none. */
  orderId: string;
}

/** Reads the metadata of an invoice. @throws AppError 10001 */
export function readInvoiceMetadata(given: unknown): ReadMetadata {
  if (given === undefined || given === null || isEmptyArray(given)) return { text: null, subject: null, orderId: "" };
  if (!(given instanceof JsonSource)) throw invalidField("metadata", problem("metadata_malformed"));
  const bytes = Buffer.byteLength(given.text);
  if (bytes > MAX_METADATA_BYTES)
    throw invalidField("metadata", problem("metadata_too_large", { bytes, max: MAX_METADATA_BYTES }));
  const key = given.repeatedKey();
  if (key !== null) throw invalidField("metadata", problem("metadata_key_repeated", { key: seen(key) }));
  const { itemDesc, orderId } = JSON.parse(given.text) as Record<string, unknown>;
  const name = textOf(itemDesc)
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim();
  return {
    text: given.text,
    subject: [...name].slice(0, MAX_SUBJECT).join("") || null,
    orderId: String(typeof orderId === "number" ? orderId : textOf(orderId)).replaceAll("\u0000", ""),
  };
}

/**
 * Reads the redirect URL and replaces the placeholder of the order's number, if there is one. The placeholder of the invoice id is
 * replaced when the payer returns.
 */
function readRedirectUrl(given: unknown, orderId: string): string | null {
  if (given !== null && given !== undefined && typeof given !== "string")
    throw invalidField("checkout.redirectURL", problem("redirect_url_malformed"));
  const text = textOf(given)
    .trim()
    .replace(ORDER_ID, () => encodeURIComponent(orderId.toWellFormed()));
  if (text === "") return null;
  const read = readHttpUrl(text, "https://shop.example.com/done");
  if ("problem" in read) throw invalidField("checkout.redirectURL", read.problem);
  return text;
}

/** Returns the minutes to pay, clamped to the limits of orders; null: the shop's setting applies. */
function readMinutes(given: unknown): number | null {
  const text = given instanceof JsonNumber ? given.text : textOf(given);
  if (!/^\d{1,9}(\.\d+)?$/.test(text) || Number(text) === 0) return null;
  return Math.min(EXPIRES_IN.max, Math.max(EXPIRES_IN.min, Math.round(Number(text) * 60)));
}

function readLanguage(given: string): string | null {
  if (!LANGUAGE_TAG.test(given)) return null;
  return Intl.getCanonicalLocales(given.replaceAll("_", "-"))[0] ?? null;
}

const textOf = (given: unknown): string => (typeof given === "string" ? given : "");

const objectOf = (given: unknown): JsonObject =>
  typeof given === "object" && given !== null && !Array.isArray(given) ? (given as JsonObject) : {};
