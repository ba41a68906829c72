import type { Plugin } from "@/db/queries/plugins/plugins";
import type { Env } from "@/lib/config/env";
import { EXPIRES_IN, MAX_SUBJECT, MCH_ORDER_ID } from "@/lib/domain/api/limits";
import { readHttpUrl, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import { type EpusdtFields, shortDecimal } from "@/lib/domain/integrations/epusdt";
import { currencyOf, parseTradeType } from "@/lib/domain/integrations/trade-type";
import { formatUnits, MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import type { CheckoutTerms } from "@/lib/domain/orders/order";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import { fieldError } from "@/lib/errors";
import { textIn } from "@/lib/integrations/epusdt/fields";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";

/** How an order is asked for: with a token and a network, in GMW's words for them, or with both left to the payer. */
export type Manner = "transaction" | "gmw" | "cashier";

/** What clients mean that name nothing. */
const USUAL_TYPE = "usdt.trc20";
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Reads what an order is asked for on, of fields whose signature was checked. @throws AppError 10001 naming the field */
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

/** What would change to whom or how much is paid is refused where it is not done. */
function refuseUnkept(fields: EpusdtFields): void {
  if (textIn(fields, "address") !== "")
    throw fieldError(
      "address",
      "address cannot be chosen by a request; leave it out, and set the addresses under Settings → Receiving addresses",
    );
  if (textIn(fields, "rate") !== "")
    throw fieldError(
      "rate",
      "rate cannot be chosen by a request; leave it out, and set the rate under Settings → Prices",
    );
}

function readNumber(text: string): string {
  const { min, max } = MCH_ORDER_ID;
  const { length } = [...text];
  if (length >= min && length <= max && !UNPRINTABLE.test(text)) return text;
  throw fieldError("order_id", `order_id must be ${min} to ${max} characters without control characters`);
}

type Fiat = NonNullable<ReturnType<typeof findFiat>>;

/** @param usual null: amounts are numbers of tokens where a request names no money */
function readFiat(text: string, usual: string | null): Fiat | null {
  const code = text || usual;
  if (code === null) return null;
  const fiat = findFiat(code);
  if (fiat) return fiat;
  throw fieldError(
    "fiat",
    `fiat "${code.slice(0, 20)}" is no currency that prices can be in; send an ISO 4217 code such as CNY`,
  );
}

function readAmount(text: string, fiat: Fiat | null): Pick<CheckoutTerms, "amount" | "price"> {
  const decimals = fiat?.decimals ?? PUBLIC_DECIMALS;
  const plain = shortDecimal(text);
  const units = fiat ? parseFiatAmount(plain, decimals) : parseUnits(plain, decimals);
  if (units === null || units <= 0n || units > MAX_STEPS)
    throw fieldError("amount", `amount must be a number above 0 with at most ${decimals} decimals, such as 28.88`);
  const amount = formatUnits(units, decimals);
  return fiat ? { amount: null, price: { fiat: fiat.code, amount } } : { amount, price: null };
}

function readMethod(fields: EpusdtFields, manner: Manner): Pick<CheckoutTerms, "network" | "currency"> {
  if (manner === "cashier") return { network: null, currency: readCurrencies(textIn(fields, "currencies")) };
  const token = textIn(fields, "token");
  const network = textIn(fields, "network");
  if (manner === "gmw" && token === "" && network === "") return { network: null, currency: null };
  if (manner === "gmw" && (token === "" || network === ""))
    throw fieldError("network", "Give token and network, or neither of them to let the payer choose");
  const [field, text] =
    manner === "gmw" ? ["network", `${token}.${network}`] : ["trade_type", textIn(fields, "trade_type") || USUAL_TYPE];
  const chosen = parseTradeType(text);
  if (chosen) return chosen;
  throw fieldError(field, `${field}: "${text.slice(0, 40)}" cannot be paid here; send one such as ${USUAL_TYPE}`);
}

/** "USDT,USDC" are those alone, "-USDC" all but that; null where both are left. */
function readCurrencies(text: string): CheckoutTerms["currency"] {
  const names = text.split(",").flatMap((name) => name.trim() || []);
  const not = names.filter((name) => name.startsWith("-")).map((name) => currencyOf(name.slice(1)));
  const only = names.filter((name) => !name.startsWith("-")).map(currencyOf);
  const left = (["USDT", "USDC"] as const).filter(
    (currency) => !not.includes(currency) && (only.length === 0 || only.includes(currency)),
  );
  const [first] = left;
  if (first === undefined)
    throw fieldError("currencies", "currencies leaves nothing to pay with; USDT and USDC are taken");
  return left.length === 1 ? first : null;
}

/** Seconds to pay in, brought within what any order may have; null: as the shop has set it. */
function readTimeout(text: string): number | null {
  if (text === "" || text === "0") return null;
  if (!/^\d{1,9}$/.test(text)) throw fieldError("timeout", "timeout must be a number of seconds, such as 1200");
  return Math.min(EXPIRES_IN.max, Math.max(EXPIRES_IN.min, Number(text)));
}

function readNotifyUrl(text: string, { callbackAllowCidrs }: Pick<Env, "callbackAllowCidrs">): string {
  const problem = validateCallbackUrl(text, { allowCidrs: callbackAllowCidrs });
  if (problem) throw fieldError("notify_url", `notify_url ${problem}`);
  return text;
}

function readRedirectUrl(text: string): string | null {
  if (text === "") return null;
  const read = readHttpUrl(text, "https://shop.example.com/done");
  if ("problem" in read) throw fieldError("redirect_url", `redirect_url ${read.problem}`);
  return text;
}
