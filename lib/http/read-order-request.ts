import { AMOUNT_RULE, ORDER_ADD, ORDER_CHECKOUT, ORDER_NAMES } from "@/lib/domain/api/order-requests";
import { NO_RULES, type RequestRules } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { formatUnits, PUBLIC_DECIMALS, unitsPerStep } from "@/lib/domain/money";
import { type Currency, findToken, type Network, type Token } from "@/lib/domain/networks";
import { fieldError, problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { requestReader } from "@/lib/http/read-request";
import type { CheckoutRequest } from "@/lib/orders/create-checkout";
import type { OrderTerms } from "@/lib/orders/create-order";
import { priceTerms } from "@/lib/rates/count-price";

/** The names of an order. If both are given, they must belong to the same order. */
export interface OrderNames {
  tradeId?: string;
  mchOrderId?: string;
}

const readAdd = requestReader(ORDER_ADD);
const readCheckout = requestReader(ORDER_CHECKOUT);
const readNames = requestReader(ORDER_NAMES);

type AddFields = ReturnType<typeof readAdd>;

/**
 * Reads the body of order/add.
 * @throws AppError 10001 that lists every invalid field
 */
export function readOrderTerms(body: JsonObject, { env }: { env: RequestRules }): OrderTerms {
  const fields = readAdd(body, env);
  const { network } = fields;
  const token = tokenOn(network, fields.currency);
  return { network, token, ...sumOf(fields, token), ...commonTerms(fields) };
}

/**
 * Reads the body of order/checkout.
 * @throws AppError 10001 that lists every invalid field
 */
export function readCheckoutRequest(body: JsonObject, { env }: { env: RequestRules }): CheckoutRequest {
  const fields = readCheckout(body, env);
  const { network, currency, amount, fiat, fiat_amount: units } = fields;
  if (network && currency) tokenOn(network, currency);
  const price = fiat && units ? priceTerms({ fiat: fiat.code, decimals: fiat.decimals, units }) : null;
  const sum = { amount: amount === null ? null : formatUnits(amount, PUBLIC_DECIMALS), price };
  return { checkout: { network: network?.id ?? null, currency, ...sum }, ...commonTerms(fields) };
}

/**
 * Reads the body of order/detail and order/cancel.
 * @throws AppError 10001 if neither name is given, or one has an invalid format
 */
export function readOrderNames(body: JsonObject): OrderNames {
  const { trade_id: tradeId, mch_order_id: mchOrderId } = readNames(body, NO_RULES);
  if (tradeId === null && mchOrderId === null) {
    const missing = problem("order_id_missing");
    throw new AppError(missing, { errors: ["trade_id", "mch_order_id"].map((field) => fieldError(field, missing)) });
  }
  return { ...(tradeId !== null && { tradeId }), ...(mchOrderId !== null && { mchOrderId }) };
}

function tokenOn(network: Network, currency: Currency): Token {
  const token = findToken(network, currency);
  if (!token) throw invalidField("currency", problem("token_not_on_network", { currency, network: network.name }));
  return token;
}

function commonTerms(fields: Omit<AddFields, "currency" | "network">) {
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

/** Returns the amount or the price of an order. The field readers ensure that the amount or the price is complete. */
function sumOf(
  { amount, fiat, fiat_amount: units }: Pick<AddFields, "amount" | "fiat" | "fiat_amount">,
  { decimals }: Token,
) {
  if (amount !== null) return { amountUnits: amount * unitsPerStep(decimals) };
  if (fiat === null || units === null) throw invalidField("amount", problem("field_missing", { rule: AMOUNT_RULE }));
  return { price: { fiat: fiat.code, decimals: fiat.decimals, units } };
}
