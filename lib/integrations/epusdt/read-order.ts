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
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { shortDecimal } from "@/lib/integrations/shared/short-decimal";
import { currencyOf, parseTradeType } from "@/lib/integrations/shared/trade-type";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/** The form of a request: with a token and a network, with GMW's names for them, or with both left to the payer. */
export type Manner = "transaction" | "gmw" | "cashier";

/** The default trade type, for clients that specify none. */
const USUAL_TYPE = "usdt.trc20";
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Reads the request for an order from fields with a verified signature. @throws AppError 10001 naming the field */
export function readEpusdtOrder(
  fields: EpusdtFields,
  manner: Manner,
  plugin: Plugin,
  env: Pick<Env, "callbackAllowCidrs">,
): CheckoutRequest & { integration: "epusdt" } {
  refuseUnkept(fields);
  const code = textIn(fields, "fiat") || (manner === "gmw" ? textIn(fields, "currency") : "");
  const fiat = readFiat(code, plugin.fiat);
  const sum = readAmount(textIn(fields, "amount"), fiat);
  const name = textIn(fields, "name").replace(/[\p{Cc}\p{Cs}]/gu, " ");
  return {
    mchOrderId: readNumber(textIn(fields, "order_id")),
    checkout: { ...readMethod(fields, manner), ...sum },
    notifyUrl: readNotifyUrl(textIn(fields, "notify_url"), env),
    redirectUrl: readRedirectUrl(textIn(fields, "redirect_url")),
    locale: null,
    subject: [...name].slice(0, MAX_SUBJECT).join("") || null,
    metadata: null,
    expiresInSeconds: readTimeout(textIn(fields, "timeout")),
    integration: "epusdt",
    echo: { amount: sum.price?.amount ?? sum.amount ?? "", fiat: fiat?.code ?? "" },
  };
}

/** Refuses fields that would change the receiver or the amount and are not supported. */
function refuseUnkept(fields: EpusdtFields): void {
  if (textIn(fields, "address") !== "") throw invalidField("address", problem("address_not_choosable"));
  if (textIn(fields, "rate") !== "") throw invalidField("rate", problem("rate_not_choosable"));
}

function readNumber(text: string): string {
  const { min, max } = MCH_ORDER_ID;
  const { length } = [...text];
  if (length >= min && length <= max && !UNPRINTABLE.test(text)) return text;
  throw invalidField("order_id", problem("field_invalid", { rule: problem("rule_length", { min, max }) }));
}

type Fiat = NonNullable<ReturnType<typeof findFiat>>;

/**
 * Reads the currency of a request's amount.
 * @param usual the currency of requests that specify none; null: the amounts of such requests are in tokens
 */
function readFiat(text: string, usual: string | null): Fiat | null {
  const code = text || usual;
  if (code === null) return null;
  const fiat = findFiat(code);
  if (fiat) return fiat;
  throw invalidField("fiat", problem("price_currency_unknown", { given: code.slice(0, 20) }));
}

function readAmount(text: string, fiat: Fiat | null): Pick<CheckoutTerms, "amount" | "price"> {
  const decimals = fiat?.decimals ?? PUBLIC_DECIMALS;
  const plain = shortDecimal(text);
  const units = fiat ? parseFiatAmount(plain, decimals) : parseUnits(plain, decimals);
  if (units === null || units <= 0n || units > MAX_STEPS)
    throw invalidField("amount", problem("price_malformed", { decimals, example: "28.88" }));
  const amount = formatUnits(units, decimals);
  return fiat ? { amount: null, price: { fiat: fiat.code, amount } } : { amount, price: null };
}

function readMethod(fields: EpusdtFields, manner: Manner): Pick<CheckoutTerms, "network" | "currency"> {
  if (manner === "cashier") return { network: null, currency: readCurrencies(textIn(fields, "currencies")) };
  const token = textIn(fields, "token");
  const network = textIn(fields, "network");
  if (manner === "gmw" && token === "" && network === "") return { network: null, currency: null };
  if (manner === "gmw" && (token === "" || network === "")) throw invalidField("network", problem("method_half_given"));
  const [field, text] =
    manner === "gmw" ? ["network", `${token}.${network}`] : ["trade_type", textIn(fields, "trade_type") || USUAL_TYPE];
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

function readRedirectUrl(text: string): string | null {
  if (text === "") return null;
  const read = readHttpUrl(text, "https://shop.example.com/done");
  if ("problem" in read) throw invalidField("redirect_url", read.problem);
  return text;
}
