import type { Db } from "@/db/client";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { insertCheckout, type NewCheckout } from "@/db/queries/orders/choices";
import { findOrderDetail } from "@/db/queries/orders/orders";
import type { Method } from "@/lib/domain/checkout/choice";
import { newId } from "@/lib/domain/id";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits, unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken, networkTitle } from "@/lib/domain/networks";
import type { CheckoutTerms } from "@/lib/domain/orders/order";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { refusedAmount } from "@/lib/domain/orders/terms";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import { methodsOn } from "@/lib/merchants/payment-methods";
import { askedPrice, type ChoiceContext, chooseMethod, methodsOf } from "@/lib/orders/choose-method";
import { notOffered, outOfRange } from "@/lib/orders/refusals";
import { findUsedOrder, refuseOtherTerms, type TermPair, usedByOther } from "@/lib/orders/used-order";
import { countPrice, noRate, tooMuch } from "@/lib/rates/count-price";

/** The validated terms of an order whose merchant leaves network, currency or both to the payer. */
export type CheckoutRequest = Omit<NewCheckout, "id" | "merchantId" | "apiKeyId">;

/** The caller: an API key, or the authenticated plugin of the shop, which has none. */
export interface CheckoutCaller {
  merchantId: string;
  apiKeyId: string | null;
}

/** Returns the terms of a request that must not differ from those of the first request with its number. */
export type CompareTerms = (before: CheckoutOrder, now: CheckoutRequest) => TermPair[];

/** An order created by order/checkout, with or without a choice by its payer. */
export type CheckoutOrder = OrderDetail & { checkout: CheckoutTerms };

/**
 * Creates an order whose payer chooses how to pay it, for an API key or a plugin, or returns the order that the same request
 * created before. If the merchant sets both network and currency, there is nothing to choose, and the quote is created immediately.
 * @throws AppError 10001 no receiving address, 10002 the key is no longer valid, 10004 other terms under the same mch_order_id, 10006 no
 * method is available at the moment
 */
export async function createCheckout(
  db: Db,
  ctx: ChoiceContext,
  caller: CheckoutCaller,
  request: CheckoutRequest,
  now: Date,
  compare: CompareTerms = termPairs,
): Promise<{ order: CheckoutOrder; isReplayed: boolean }> {
  const refusal = await whyNoCheckout(db, ctx, caller, request.checkout, now);
  if (refusal) return { order: await orderOfBefore(db, caller, request, { refusal, compare }), isReplayed: true };
  const { merchantId, apiKeyId } = caller;
  const checkout = { ...request, merchantId, apiKeyId, id: newId(now) };
  const made = await db.transaction((tx) => insertCheckoutOrder(tx, ctx, checkout, now));
  if (made === "deadKey") throw deadKey();
  const order = sameCheckout(await findUsedOrder(db, numberOf(caller, request)), request, compare);
  return { order, isReplayed: made === null };
}

/**
 * Inserts an order whose payer chooses, and its quote if there is nothing to choose.
 * @returns its expiry; null if the number was used; "deadKey" if the key is no longer live
 * @throws AppError 10006 if there is no quote for the only method
 */
export async function insertCheckoutOrder(
  tx: Db,
  ctx: ChoiceContext,
  order: NewCheckout,
  now: Date,
): Promise<Date | null | "deadKey"> {
  const inserted = await insertCheckout(tx, order, now);
  if (inserted instanceof Date) await chooseOnly(tx, ctx, order.id, order.checkout, now);
  return inserted;
}

const numberOf = ({ merchantId }: CheckoutCaller, { mchOrderId, integration }: CheckoutRequest) => ({
  merchantId,
  mchOrderId,
  integration: integration ?? ("api" as const),
});

/**
 * Selects the payment method if the terms specify both network and currency.
 * @throws AppError 10006 if there is no quote for it
 */
async function chooseOnly(tx: Db, ctx: ChoiceContext, id: string, { network, currency }: CheckoutTerms, now: Date) {
  if (network === null || currency === null) return;
  const choice = await chooseMethod(tx, ctx, id, { network, currency }, now);
  if (choice && "isQuoted" in choice) return;
  const reserved = problem("amount_reserved", { network: networkTitle(getNetwork(network)) });
  throw new AppError(reserved, { retryAfterSeconds: 60 });
}

/** Returns the order of a repeated request, even if no new order can be created. */
async function orderOfBefore(
  db: Db,
  caller: CheckoutCaller,
  request: CheckoutRequest,
  { refusal, compare }: { refusal: AppError; compare: CompareTerms },
) {
  const order = await findOrderDetail(db, numberOf(caller, request));
  if (order) return sameCheckout(order, request, compare);
  throw refusal;
}

/** Returns the reason why no method is available to a payer at the moment; null if a method is available. */
export async function whyNoCheckout(
  db: Db,
  ctx: ChoiceContext,
  { merchantId }: { merchantId: string },
  checkout: CheckoutTerms,
  now: Date,
): Promise<AppError | null> {
  const addressed = await listAddressedNetworks(db, merchantId, now);
  const offered = methodsOf(checkout, methodsOn(addressed, ctx.env));
  if (offered.length > 0)
    return (
      (await whyNoAmount(db, merchantId, checkout, offered)) ??
      whyNoRate(db, ctx, merchantId, { checkout, offered }, now)
    );
  const everOpen = addressed.map((one) => ({ ...one, isOpen: true }));
  if (methodsOf(checkout, methodsOn(everOpen, ctx.env)).length === 0) {
    const [method] = methodsOf(
      checkout,
      methodsOn(
        everOpen.map((one) => ({ ...one, offMethods: [] })),
        ctx.env,
      ),
    );
    return method ? notOffered(getNetwork(method.network), method.currency) : noAddress(checkout);
  }
  const { network } = checkout;
  const unavailable =
    network === null
      ? problem("networks_not_taking_orders")
      : problem("network_not_taking_orders", { network: networkTitle(getNetwork(network)) });
  return new AppError(unavailable, { retryAfterSeconds: 30 });
}

function noAddress({ network: id, currency }: CheckoutTerms): AppError {
  const network = id === null ? null : getNetwork(id);
  if (network && currency && getToken(network, currency).isOff)
    return invalidField("currency", problem("token_switched_off", { currency, network: network.name }));
  return invalidField(
    "network",
    network
      ? problem("network_without_address", { network: network.id, name: networkTitle(network) })
      : problem("no_receiving_address"),
  );
}

/** Checks an amount, which is the same number in every token; a fiat price is converted when the payer chooses. */
async function whyNoAmount(
  db: Db,
  merchantId: string,
  { amount }: CheckoutTerms,
  [method]: readonly Method[],
): Promise<AppError | null> {
  const micro = amount === null ? null : parseUnits(amount, PUBLIC_DECIMALS);
  const rules = micro === null ? null : await findOrderTerms(db, merchantId);
  if (micro === null || !rules || !method) return null;
  const refused = refusedAmount(rules, micro);
  return refused && outOfRange(refused.refused, refused.limit, method.currency, false);
}

/**
 * Checks that a fiat price can be converted to at least one of the currencies. This check also makes the worker fetch the market rates for
 * the price.
 */
async function whyNoRate(
  db: Db,
  { rateSources = [] }: ChoiceContext,
  merchantId: string,
  { checkout, offered }: { checkout: CheckoutTerms; offered: readonly Method[] },
  now: Date,
): Promise<AppError | null> {
  const asked = askedPrice(checkout);
  if (asked === null) return null;
  const rules = await findOrderTerms(db, merchantId);
  let refusal: AppError | null = null;
  const currencies = new Map(offered.map((method) => [method.currency, method]));
  for (const { network, currency } of currencies.values()) {
    const token = getToken(getNetwork(network), currency);
    const counted = await countPrice(db, rateSources, { merchantId, token, asked }, now);
    if ("problem" in counted) refusal ??= noRate(currency, asked.fiat, counted.problem);
    else if (counted.amountUnits > MAX_STEPS * unitsPerStep(token.decimals)) refusal ??= tooMuch(asked, currency);
    else {
      const refused = rules && refusedAmount(rules, counted.amountUnits / unitsPerStep(token.decimals));
      if (!refused) return null;
      refusal ??= outOfRange(refused.refused, refused.limit, currency, true);
    }
  }
  return refusal;
}

/**
 * Returns the order if it was created with exactly the terms of this repeated request.
 * @throws AppError 10004 naming the first field that differs, with the order's trade_id
 */
function sameCheckout(order: OrderDetail, request: CheckoutRequest, compare: CompareTerms): CheckoutOrder {
  const { checkout } = order;
  if (checkout === null) throw usedByOther(order, "order/add");
  const before = { ...order, checkout };
  refuseOtherTerms(order, compare(before, request));
  return before;
}

function termPairs(
  { checkout: before, ...order }: CheckoutOrder,
  { checkout: now, ...request }: CheckoutRequest,
): TermPair[] {
  return [
    ["currency", before.currency, now.currency],
    ["network", before.network, now.network],
    ["amount", before.amount, now.amount],
    ["fiat", before.price?.fiat ?? null, now.price?.fiat ?? null],
    ["fiat_amount", before.price?.amount ?? null, now.price?.amount ?? null],
    ["notify_url", order.notifyUrl, request.notifyUrl],
    ["redirect_url", order.redirectUrl, request.redirectUrl],
  ];
}
