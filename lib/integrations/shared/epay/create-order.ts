import { readHttpUrl, validateCallbackUrl } from "@/lib/domain/callbacks/address-rule";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { formatUnits, MAX_STEPS, PUBLIC_DECIMALS, parseUnits } from "@/lib/domain/money";
import type { CheckoutTerms } from "@/lib/domain/orders/order";
import { problem } from "@/lib/domain/problems/problem";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import { invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { findAmbiguousField } from "@/lib/integrations/shared/ambiguous-field";
import { cutBytes, type EpayRequest, textIn } from "@/lib/integrations/shared/epay/fields";
import type { EpayFields } from "@/lib/integrations/shared/epay/signed-text";
import { parseTradeType } from "@/lib/integrations/shared/trade-type";
import type { CheckoutOrder, CheckoutRequest } from "@/lib/orders/create-checkout";
import { makeIntegrationOrder } from "@/lib/plugins/make-order";
import type { Plugin } from "@/lib/plugins/plugin-caller";

const NUMBER = /^[a-zA-Z0-9._\-|]{1,127}$/;
const DECIMAL_AMOUNT = /^[0-9.]+$/;
const NAME_BYTES = 127;
const PARAM_BYTES = 1_024;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * Creates the order of an authenticated EPay request, or finds the order that the same request created before. If that order expired, it
 * gets a new expiration.
 * @throws AppError 10001 invalid field, 10004 the number is in use with different terms or its order is paid, 10005, 10006
 */
export async function createEpayOrder(
  ctx: ApiContext,
  { fields }: EpayRequest,
  plugin: Plugin,
  now: Date,
): Promise<CheckoutOrder> {
  await countRequest(ctx, "creates", plugin.publicId, now);
  refuseAmbiguous(fields);
  const request = readOrder(fields, plugin, ctx.env);
  const asked = { request, compare: termsOf, otherTerms: null };
  const { order, isReplayed } = await makeIntegrationOrder(ctx, plugin, asked, now);
  if (isReplayed && order.status === "paid") throw invalidField("out_trade_no", problem("order_number_paid"));
  return order;
}

/** Refuses a request whose signature also fits other fields. @throws AppError 10001 */
export function refuseAmbiguous(fields: EpayFields): void {
  const ambiguous = findAmbiguousField(fields)?.slice(0, 64);
  if (ambiguous) throw invalidField(ambiguous, problem("value_ambiguous", { name: ambiguous }));
}

/** Returns the terms that a repeated request must not change. They do not include the type, because the payer can change it. */
function termsOf(before: CheckoutOrder, now: CheckoutRequest): [string, string | null, string | null][] {
  const sum = ({ checkout: { amount, price } }: Pick<CheckoutRequest, "checkout">) =>
    price ? `${price.amount} ${price.fiat}` : amount;
  return [
    ["money", sum(before), sum(now)],
    ["name", before.echo?.["name"] ?? "", now.echo?.["name"] ?? ""],
    ["notify_url", before.notifyUrl, now.notifyUrl],
    ["return_url", before.redirectUrl, now.redirectUrl],
    ["param", before.echo?.["param"] ?? "", now.echo?.["param"] ?? ""],
  ];
}

function readOrder(
  fields: EpayFields,
  plugin: Plugin,
  env: ApiContext["env"],
): CheckoutRequest & { integration: IntegrationId } {
  const money = textIn(fields, "money");
  const name = readName(textIn(fields, "name"));
  const type = textIn(fields, "type");
  return {
    mchOrderId: readNumber(textIn(fields, "out_trade_no")),
    checkout: { ...readType(type), ...readAmount(money, plugin.fiat) },
    notifyUrl: readNotifyUrl(textIn(fields, "notify_url"), env),
    redirectUrl: readReturnUrl(textIn(fields, "return_url")),
    locale: null,
    subject: name || null,
    metadata: null,
    expiresInSeconds: null,
    integration: plugin.integration,
    echo: { pid: plugin.publicId, type: cutBytes(type, 64), name, money, param: readParam(textIn(fields, "param")) },
  };
}

function readNumber(text: string): string {
  if (NUMBER.test(text)) return text;
  throw invalidField("out_trade_no", problem("order_number_malformed"));
}

/** Replaces backslashes, which some clients read as escapes, and control characters, which cannot be shown. */
function readName(text: string): string {
  return cutBytes(text.replaceAll("\\", "/").replace(UNPRINTABLE, " ").trim(), NAME_BYTES);
}

function readParam(text: string): string {
  if (Buffer.byteLength(text) <= PARAM_BYTES && text.search(UNPRINTABLE) < 0) return text;
  throw invalidField("param", problem("passthrough_malformed", { max: PARAM_BYTES }));
}

function readType(text: string): Pick<CheckoutTerms, "network" | "currency"> {
  const chosen = parseTradeType(text);
  if (chosen) return chosen;
  throw invalidField("type", problem("payment_type_unknown", { given: text.slice(0, 40) }));
}

/**
 * Reads the amount of an order.
 * @param fiat the currency of the amount; null: the amount is in tokens
 */
function readAmount(text: string, fiat: string | null): Pick<CheckoutTerms, "amount" | "price"> {
  const decimals = fiat === null ? PUBLIC_DECIMALS : (findFiat(fiat)?.decimals ?? 2);
  const plain = text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  const units = !DECIMAL_AMOUNT.test(text)
    ? null
    : fiat === null
      ? parseUnits(plain, decimals)
      : parseFiatAmount(plain, decimals);
  if (units === null || units <= 0n || units > MAX_STEPS)
    throw invalidField("money", problem("price_malformed", { decimals, example: "10.00" }));
  const amount = formatUnits(units, decimals);
  return fiat === null ? { amount, price: null } : { amount: null, price: { fiat, amount } };
}

function readNotifyUrl(text: string, { callbackAllowCidrs }: ApiContext["env"]): string {
  const invalid = validateCallbackUrl(text, { allowCidrs: callbackAllowCidrs });
  if (invalid) throw invalidField("notify_url", invalid);
  return text;
}

function readReturnUrl(text: string): string | null {
  if (text === "") return null;
  const read = readHttpUrl(text, "https://shop.example.com/done");
  if ("problem" in read) throw invalidField("return_url", read.problem);
  return text;
}
