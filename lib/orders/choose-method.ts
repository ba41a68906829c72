import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import {
  type ChoosableOrder,
  deleteQuote,
  lockChoosable,
  noteTaken,
  reserveQuote,
  type WantedQuote,
  writeChoice,
} from "@/db/queries/orders/choices";
import { announceOrders } from "@/db/queries/orders/order-moves";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import type { ChoiceProblem, Method } from "@/lib/domain/checkout/choice";
import { isId, newId } from "@/lib/domain/id";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits, unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken, type Token } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderPrice } from "@/lib/domain/orders/order";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import type { Env } from "@/lib/env";
import { listPaymentMethods, type PaymentMethod } from "@/lib/merchants/payment-methods";
import { type CreateContext, pauseTampered } from "@/lib/orders/create-order";
import { type AskedPrice, countPrice } from "@/lib/rates/count-price";

/** What a choice needs besides the database and the time. */
export type ChoiceContext = Pick<CreateContext, "log" | "rateSources" | "isGenuineAddress"> & {
  env: Pick<Env, "rpcUrls">;
};

/** How a choice ended: with a quote, made now or before; refused for now; or without an order of which one could be made. */
export type Choice = { isQuoted: true } | { problem: ChoiceProblem } | null;

/**
 * The payer of an order chooses network and currency, which makes its quote under the rules of a create. Of several choices, also
 * at once, the first makes it, and the others find it made.
 */
export async function chooseMethod(
  db: Db,
  ctx: ChoiceContext,
  tradeId: string,
  method: Method,
  now: Date,
): Promise<Choice> {
  if (!isId(tradeId)) return null;
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (!order) return null;
    if (order.quoteId !== null) return { isQuoted: true };
    if (order.checkout === null || order.status !== "pending" || now >= order.expiresAt) return null;
    const methods = await listPaymentMethods(tx, ctx.env, order, now);
    if (!methodsOf(order.checkout, methods).some((offered) => isSame(offered, method))) return { problem: "closed" };
    return makeQuote(tx, ctx, { ...order, checkout: order.checkout }, method, now);
  });
}

/** What of a merchant's methods an order leaves to its payer. */
export function methodsOf({ network, currency }: CheckoutTerms, methods: readonly PaymentMethod[]): Method[] {
  return methods
    .flatMap((method) => method.currencies.map((one) => ({ network: method.network, currency: one })))
    .filter(
      (method) => method.network === (network ?? method.network) && method.currency === (currency ?? method.currency),
    );
}

function isSame(one: Method, other: Method): boolean {
  return one.network === other.network && one.currency === other.currency;
}

/** A price as it was asked for, out of the terms that an order keeps. */
export function askedPrice({ price }: CheckoutTerms): AskedPrice | null {
  const { decimals } = findFiat(price?.fiat ?? "") ?? { decimals: 0 };
  const units = price && parseFiatAmount(price.amount, decimals);
  return price && units ? { fiat: price.fiat, units, decimals } : null;
}

/** Reserves and writes down what a locked order asks for from now on. */
async function makeQuote(
  tx: Db,
  ctx: ChoiceContext,
  order: ChoosableOrder & { checkout: CheckoutTerms },
  { network: id, currency }: Method,
  now: Date,
): Promise<Choice> {
  const network = getNetwork(id);
  const token = getToken(network, currency);
  const counted = await countSum(tx, ctx, order, token, now);
  if (counted === null) return { problem: "unrated" };
  const wanted: WantedQuote = {
    ...{ id: newId(now), orderId: order.id, merchantId: order.merchantId, network: id, currency },
    token: canonicalAddress(network.family, token.contract),
    ...{ amountUnits: counted.amountUnits, unitsPerStep: unitsPerStep(token.decimals) },
    reservedUntil: new Date(order.expiresAt.getTime() + order.lateWindowSeconds * 1_000),
  };
  const reserved = await reserveQuote(tx, wanted, now);
  if (reserved === null) return { problem: "taken" };
  if (!ctx.isGenuineAddress({ ...reserved, merchantId: order.merchantId, network: id })) {
    await deleteQuote(tx, wanted);
    await pauseTampered(tx, ctx, order, { ...reserved, network: id }, now);
    return { problem: "taken" };
  }
  const version = order.version + 1;
  await writeChoice(tx, wanted, { price: counted.price, version }, now);
  const { merchantId } = order;
  await insertAuditEvent(
    tx,
    { merchantId, orderId: order.id, action: "order.chosen", detail: { network: id, currency } },
    now,
  );
  await announceOrders(tx, [{ id: order.id, version }]);
  await noteTaken(tx, reserved.notes);
  return { isQuoted: true };
}

/** What an order comes to in a token, with the rate that is frozen; null where nobody can say, or it is more than any order may ask for. */
async function countSum(
  db: Db,
  { rateSources = [] }: ChoiceContext,
  { merchantId, checkout }: { merchantId: string; checkout: CheckoutTerms },
  token: Token,
  now: Date,
): Promise<{ amountUnits: bigint; price: OrderPrice | null } | null> {
  const step = unitsPerStep(token.decimals);
  if (checkout.amount !== null) {
    const steps = parseUnits(checkout.amount, PUBLIC_DECIMALS);
    return steps === null ? null : { amountUnits: steps * step, price: null };
  }
  const asked = askedPrice(checkout);
  const counted = asked && (await countPrice(db, rateSources, { merchantId, token, asked }, now));
  if (!counted || "problem" in counted || counted.amountUnits > MAX_STEPS * step) return null;
  return counted;
}
