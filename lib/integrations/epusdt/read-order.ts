import type { Env } from "@/lib/config/env";
import { EXPIRES_IN, MAX_SUBJECT, MCH_ORDER_ID } from "@/lib/domain/api/limits";
import { readHttpUrl, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { formatUnits, MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import type { CheckoutTerms } from "@/lib/domain/orders/order";
import { problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import { invalidField } from "@/lib/errors";
import { textIn } from "@/lib/integrations/epusdt/fields";
import type { EpusdtApi } from "@/lib/integrations/epusdt/order-data";
import { type EpusdtFields, signatureMethodOf } from "@/lib/integrations/epusdt/signature";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { currencyOf, parseTradeType } from "@/lib/integrations/shared/trade-type";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/** The form of a request: with a token and a network, with GMPay's names for them, or with both left to the payer. */
export type Manner = "transaction" | "gmpay" | "cashier";

/** The default trade type, for clients that specify none. */
const USUAL_TYPE = "usdt.trc20";
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** The maximum length of an order number of GMPay, as in gmpay-edge. */
const MAX_GMPAY_NUMBER = 128;
const PARAM_BYTES = 1_024;

/** Reads the request for an order from fields with a verified signature. @throws AppError 10001 naming the field */
export function readEpusdtOrder(
  fields: EpusdtFields,
  manner: Manner,
  plugin: Plugin,
  env: Pick<Env, "callbackAllowCidrs">,
): CheckoutRequest & { integration: "epusdt" } {
  refuseUnkept(fields);
  const isGmpay = manner === "gmpay";
  const code = textIn(fields, "fiat") || (isGmpay ? textIn(fields, "currency") : "");
  const sum = readAmount(fields, "amount", readFiat(code, plugin.fiat, isGmpay ? "currency" : "fiat"));
  const api: EpusdtApi = isGmpay ? "gmpay" : "original";
  return {
    mchOrderId: readNumber(fields, "order_id", isGmpay ? MAX_GMPAY_NUMBER : MCH_ORDER_ID.max),
    checkout: { ...readMethod(fields, manner), ...sum.terms },
    notifyUrl: readNotifyUrl(textIn(fields, "notify_url"), env),
    redirectUrl: readReturnUrl(fields, "redirect_url"),
    locale: null,
    subject: readName(fields) || null,
    metadata: null,
    expiresInSeconds: readTimeout(textIn(fields, "timeout")),
    integration: "epusdt",
    echo: {
      amount: sum.amount,
      fiat: sum.fiat,
      api,
      pid: plugin.publicId,
      signature: signatureMethodOf(fields),
    },
  };
}

/**
 * Reads the request for an order from the fields of EPay V1 with a verified signature. `type` names the method, or else GMPay's `token` and
 * `network`; without both, the payer chooses. @throws AppError 10001 naming the field
 */
export function readEpayOrder(
  fields: EpusdtFields,
  plugin: Plugin,
  env: Pick<Env, "callbackAllowCidrs">,
): CheckoutRequest & { integration: "epusdt" } {
  const sum = readAmount(fields, "money", readFiat(textIn(fields, "currency"), plugin.fiat, "currency"));
  const type = textIn(fields, "type");
  // Some clients of EPay read a backslash in a callback as an escape.
  const name = readName(fields).replaceAll("\\", "/").trim();
  return {
    mchOrderId: readNumber(fields, "out_trade_no", MAX_GMPAY_NUMBER),
    checkout: { ...readEpayMethod(fields, type), ...sum.terms },
    notifyUrl: readNotifyUrl(textIn(fields, "notify_url"), env),
    redirectUrl: readReturnUrl(fields, "return_url"),
    locale: null,
    subject: name || null,
    metadata: null,
    expiresInSeconds: null,
    integration: "epusdt",
    echo: {
      amount: sum.amount,
      fiat: sum.fiat,
      api: "epay" satisfies EpusdtApi,
      pid: plugin.publicId,
      type,
      name,
      money: textIn(fields, "money"),
      param: readParam(textIn(fields, "param")),
    },
  };
}

/** Reads the text that callbacks return unchanged. */
function readParam(text: string): string {
  if (Buffer.byteLength(text) <= PARAM_BYTES && !UNPRINTABLE.test(text)) return text;
  throw invalidField("param", problem("passthrough_malformed", { max: PARAM_BYTES }));
}

function readEpayMethod(fields: EpusdtFields, type: string): Pick<CheckoutTerms, "network" | "currency"> {
  const chosen = parseTradeType(type);
  if (!chosen) throw invalidField("type", problem("payment_type_unknown", { given: type.slice(0, 40) }));
  return chosen.currency === null && chosen.network === null ? readMethod(fields, "gmpay") : chosen;
}

/** Replaces control characters, which cannot be shown, and cuts the name to the length of a subject. */
function readName(fields: EpusdtFields): string {
  const name = textIn(fields, "name").replace(/[\p{Cc}\p{Cs}]/gu, " ");
  return [...name].slice(0, MAX_SUBJECT).join("");
}

/** Refuses fields that would change the receiver or the amount and are not supported. */
function refuseUnkept(fields: EpusdtFields): void {
  if (textIn(fields, "address") !== "") throw invalidField("address", problem("address_not_choosable"));
  if (textIn(fields, "rate") !== "") throw invalidField("rate", problem("rate_not_choosable"));
}

function readNumber(fields: EpusdtFields, name: string, max: number): string {
  const { min } = MCH_ORDER_ID;
  const text = textIn(fields, name);
  const { length } = [...text];
  if (length >= min && length <= max && !UNPRINTABLE.test(text)) return text;
  throw invalidField(name, problem("field_invalid", { rule: problem("rule_length", { min, max }) }));
}

type Fiat = NonNullable<ReturnType<typeof findFiat>>;

/**
 * Reads the currency of a request's amount.
 * @param usual the currency of requests that specify none; null: the amounts of such requests are in tokens
 */
function readFiat(text: string, usual: string | null, field: string): Fiat | null {
  const code = text || usual;
  if (code === null) return null;
  const fiat = findFiat(code);
  if (fiat) return fiat;
  throw invalidField(field, problem("price_currency_unknown", { given: code.slice(0, 20) }));
}

/** An amount: the terms of the order, and the data that responses return. */
interface Sum {
  terms: Pick<CheckoutTerms, "amount" | "price">;
  amount: string;
  fiat: string;
}

function readAmount(fields: EpusdtFields, name: string, fiat: Fiat | null): Sum {
  const decimals = fiat?.decimals ?? PUBLIC_DECIMALS;
  const plain = shortDecimal(textIn(fields, name));
  const units = fiat ? parseFiatAmount(plain, decimals) : parseUnits(plain, decimals);
  if (units === null || units <= 0n || units > MAX_STEPS)
    throw invalidField(name, problem("price_malformed", { decimals, example: "28.88" }));
  const amount = formatUnits(units, decimals);
  const terms = fiat ? { amount: null, price: { fiat: fiat.code, amount } } : { amount, price: null };
  return { terms, amount, fiat: fiat?.code ?? "" };
}

function readMethod(fields: EpusdtFields, manner: Manner): Pick<CheckoutTerms, "network" | "currency"> {
  if (manner === "cashier") return { network: null, currency: readCurrencies(textIn(fields, "currencies")) };
  const token = textIn(fields, "token");
  const network = textIn(fields, "network");
  const isGmpay = manner === "gmpay";
  if (isGmpay && token === "" && network === "") return { network: null, currency: null };
  if (isGmpay && (token === "" || network === "")) throw invalidField("network", problem("method_half_given"));
  const [field, text] = isGmpay
    ? ["network", `${token}.${network}`]
    : ["trade_type", textIn(fields, "trade_type") || USUAL_TYPE];
  const chosen = parseTradeType(text);
  if (chosen) return chosen;
  const params = { given: text.slice(0, 40), example: USUAL_TYPE };
  throw invalidField(field, problem("payment_type_not_payable", params));
}

/** Reads a list of currencies: "USDT" allows only that one, "-USDC" all others. Null if both are allowed. */
function readCurrencies(text: string): CheckoutTerms["currency"] {
  const names = text.split(",").flatMap((name) => name.trim() || []);
  const not = names.filter((name) => name.startsWith("-")).map((name) => currencyOf(name.slice(1)));
  const only = names.filter((name) => !name.startsWith("-")).map(currencyOf);
  const left = (["USDT", "USDC"] as const).filter(
    (currency) => !not.includes(currency) && (only.length === 0 || only.includes(currency)),
  );
  const [first] = left;
  if (first === undefined) throw invalidField("currencies", problem("currencies_leave_nothing"));
  return left.length === 1 ? first : null;
}

/** Returns the seconds until the order expires, within the limits of orders; null: the setting of the shop applies. */
function readTimeout(text: string): number | null {
  if (text === "" || text === "0") return null;
  if (!/^\d{1,9}$/.test(text)) throw invalidField("timeout", problem("timeout_malformed"));
  return Math.min(EXPIRES_IN.max, Math.max(EXPIRES_IN.min, Number(text)));
}

function readNotifyUrl(text: string, { callbackAllowCidrs }: Pick<Env, "callbackAllowCidrs">): string {
  const invalid = validateCallbackUrl(text, { allowCidrs: callbackAllowCidrs });
  if (invalid) throw invalidField("notify_url", invalid);
  return text;
}

function readReturnUrl(fields: EpusdtFields, name: string): string | null {
  const text = textIn(fields, name);
  if (text === "") return null;
  const read = readHttpUrl(text, "https://shop.example.com/done");
  if ("problem" in read) throw invalidField(name, read.problem);
  return text;
}
