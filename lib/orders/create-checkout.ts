import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
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
import type { Place } from "@/lib/domain/users/place";
import { AppError, invalidField } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import { methodsOn } from "@/lib/merchants/payment-methods";
import { askedPrice, type ChoiceContext, chooseMethod, methodsOf } from "@/lib/orders/choose-method";
import { notOffered, outOfRange } from "@/lib/orders/refusals";
import { findUsedOrder, refuseOtherTerms, type TermPair, usedByOther } from "@/lib/orders/used-order";
import { countPrice, noRate, tooMuch } from "@/lib/rates/count-price";

/** What a merchant asks for who leaves network, currency or both to the payer, already checked. */
export type CheckoutRequest = Omit<NewCheckout, "id" | "merchantId" | "apiKeyId">;

/** Who asks: a key, a person of the shop by hand, or its plugin, which has proved itself. */
export type CheckoutCaller =
  | { merchantId: string; apiKeyId: string | null; userId?: undefined; from?: undefined }
  | { merchantId: string; apiKeyId: null; userId: string; from?: Place | undefined };

/** What of a request must be as it was when its number was first used. */
export type CompareTerms = (before: CheckoutOrder, now: CheckoutRequest) => TermPair[];

/** An order that was made by order/checkout, whether its payer has chosen or not. */
export type CheckoutOrder = OrderDetail & { checkout: CheckoutTerms };

/**
 * Makes an order whose payer chooses how to pay it, asked for by a key or by a person, or finds the one that the same request made before. Where the merchant names
 * both network and currency nothing is left to choose, and the quote is made at once.
 * @throws AppError 10001 no receiving address, 10002 the key died, 10004 other terms under the same mch_order_id, 10006 nothing can
 * be paid with at this moment
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
  const id = newId(now);
  const { merchantId, apiKeyId, userId, from } = caller;
  const made = await db.transaction(async (tx) => {
    const inserted = await insertCheckout(tx, { ...request, merchantId, apiKeyId, id }, now);
    if (inserted instanceof Date) await chooseOnly(tx, ctx, id, request.checkout, now);
    if (inserted instanceof Date && userId)
      await insertAuditEvent(tx, { merchantId, userId, from, orderId: id, action: "order.made_by_hand" }, now);
    return inserted;
  });
  if (made === "deadKey") throw deadKey();
  const order = sameCheckout(await findUsedOrder(db, numberOf(caller, request)), request, compare);
  return { order, isReplayed: made === null };
}

const numberOf = ({ merchantId }: CheckoutCaller, { mchOrderId, integration }: CheckoutRequest) => ({
  merchantId,
  mchOrderId,
  integration: integration ?? ("api" as const),
});

/** Where nothing is left to choose, the choice is made. @throws AppError 10006 when it makes no quote */
async function chooseOnly(tx: Db, ctx: ChoiceContext, id: string, { network, currency }: CheckoutTerms, now: Date) {
  if (network === null || currency === null) return;
  const choice = await chooseMethod(tx, ctx, id, { network, currency }, now);
  if (choice && "isQuoted" in choice) return;
  const reserved = problem("amount_reserved", { network: networkTitle(getNetwork(network)) });
  throw new AppError(reserved, { retryAfterSeconds: 60 });
}

/** Where nothing new can be asked for, a request that is repeated still gets what it made. */
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

/** Why a payer could choose nothing at this moment; null when there is something. */
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

/** An amount is the same number of whatever token is chosen; what a price comes to is known when it is. */
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

/** A price must come to something in at least one of the currencies; asking has the worker read the market for it. */
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
 * An order that was made on these very terms: by the request that is repeated.
 * @throws AppError 10004 naming the first field that differs, with the order's trade_id.
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
