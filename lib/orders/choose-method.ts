import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { findClosure } from "@/db/queries/networks/closures";
import { announceWaiting } from "@/db/queries/networks/waiting";
import {
  type ChoosableOrder,
  deleteQuote,
  type HeldQuote,
  hasReceived,
  keepFirstAsked,
  listHeldQuotes,
  lockChoosable,
  reserveQuote,
  showQuote,
  type WantedQuote,
  writeAsked,
  writeFirstChoice,
} from "@/db/queries/orders/choices";
import { announceOrders } from "@/db/queries/orders/order-moves";
import type { Env } from "@/lib/config/env";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { type ChoiceProblem, isSameMethod, MAX_QUOTES, type Method } from "@/lib/domain/checkout/choice";
import { isId, newId } from "@/lib/domain/id";
import { MAX_STEPS, PUBLIC_DECIMALS, parseUnits, rescaleUnits, unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken, type Token } from "@/lib/domain/networks";
import { type CheckoutTerms, decimalsOf, type OrderPrice } from "@/lib/domain/orders/order";
import { refusedAmount } from "@/lib/domain/orders/terms";
import { findFiat } from "@/lib/domain/rates/currencies";
import { parseFiatAmount } from "@/lib/domain/rates/price";
import { listPaymentMethods, type PaymentMethod } from "@/lib/merchants/payment-methods";
import { pauseUnverified } from "@/lib/merchants/verify-address";
import type { CreateContext } from "@/lib/orders/create-order";
import { type AskedPrice, countPrice } from "@/lib/rates/count-price";

/** The dependencies of a choice besides the database and the time. */
export type ChoiceContext = Pick<CreateContext, "log" | "rateSources" | "isVerifiedAddress"> & {
  env: Pick<Env, "rpcUrls">;
};

/**
 * The result of a choice: a new or existing quote, a problem that prevents the choice for now, or null if there is no order to choose for.
 */
export type Choice = { isQuoted: true } | { problem: ChoiceProblem } | null;

/** The amount of an order in a token. */
interface Sum {
  amountUnits: bigint;
  price: OrderPrice | null;
}

/**
 * Sets the network and currency that the payer of an order chose, if no transfer has arrived for it yet. The order then
 * shows the quote that it already has there, or a new one, made under the rules of order creation. Earlier quotes stay
 * payable.
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
    if (order?.status !== "pending" || now >= order.expiresAt || (await hasReceived(tx, order))) return null;
    const held = await listHeldQuotes(tx, order);
    if (held.length > 0 && !(await mayChooseAgain(tx, order, now))) return { problem: "often" };
    // A hold that ended before the order was renewed is not extended again.
    const same = held.find((quote) => isSameMethod(quote, method) && quote.reservedUntil > order.expiresAt);
    if (same && (await findClosure(tx, method.network))) return { problem: "closed" };
    if (same) return chooseAgain(tx, order, same, now);
    if (held.length >= MAX_QUOTES) return { problem: "enough" };
    const methods = await listPaymentMethods(tx, ctx.env, order, now);
    const isOffered = methodsOf(order.checkout, methods).some((offered) => isSameMethod(offered, method));
    const alive = held.filter((quote) => quote.reservedUntil > now && quote.releasedAt === null);
    return isOffered ? makeQuote(tx, ctx, { order, alive, method }, now) : { problem: "closed" };
  });
}

/** The rate limit of choices per order: a burst of 20, then ten a minute. Each choice is sent to every open page. */
const NEW_QUOTES = { burst: 20, intervalMs: 6_000 };

async function mayChooseAgain(tx: Db, { id }: ChoosableOrder, now: Date): Promise<boolean> {
  const { granted } = await takeTokens(tx, { key: `choose:${id}`, ...NEW_QUOTES }, 1, now);
  return granted > 0;
}

/**
 * Returns the merchant's methods that the payer of an order may choose from: all of them, unless the order restricts the network or
 * currency.
 */
export function methodsOf(terms: CheckoutTerms | null, methods: readonly PaymentMethod[]): Method[] {
  return methods
    .flatMap((method) => method.currencies.map((one) => ({ network: method.network, currency: one })))
    .filter(
      (method) =>
        method.network === (terms?.network ?? method.network) &&
        method.currency === (terms?.currency ?? method.currency),
    );
}

/** Returns the requested fiat price from an order's stored terms; null if there is none. */
export function askedPrice({ price }: Pick<CheckoutTerms, "price">): AskedPrice | null {
  const { decimals } = findFiat(price?.fiat ?? "") ?? { decimals: 0 };
  const units = price && parseFiatAmount(price.amount, decimals);
  return price && units ? { fiat: price.fiat, units, decimals } : null;
}

/** Shows a quote that the order already has. Writes nothing if it is already shown. */
async function chooseAgain(tx: Db, order: ChoosableOrder, quote: HeldQuote, now: Date): Promise<Choice> {
  if (quote.id === order.quoteId) return { isQuoted: true };
  const version = order.version + 1;
  await showQuote(tx, order, { quoteId: quote.id, version }, now);
  return announceChoice(tx, order, { ...quote, version }, now);
}

async function announceChoice(
  tx: Db,
  { id, merchantId, quoteId }: ChoosableOrder,
  { network, currency, version }: Method & { version: number },
  now: Date,
): Promise<Choice> {
  const action = quoteId === null ? "order.chosen" : "order.switched";
  await insertAuditEvent(tx, { merchantId, orderId: id, action, detail: { network, currency } }, now);
  await announceOrders(tx, [{ id, version }]);
  await announceWaiting(tx, network);
  return { isQuoted: true };
}

interface Choosing {
  order: ChoosableOrder;
  /** The quotes of the order whose holds are still active. */
  alive: readonly HeldQuote[];
  method: Method;
}

/** Reserves and stores the new current quote of a locked order. */
async function makeQuote(tx: Db, ctx: ChoiceContext, choosing: Choosing, now: Date): Promise<Choice> {
  const { order, alive, method } = choosing;
  const network = getNetwork(method.network);
  const token = getToken(network, method.currency);
  const sum = sumOfBefore(choosing, token) ?? (await countSum(tx, ctx, order, token, now));
  if (sum === null) return { problem: "unrated" };
  const wanted: WantedQuote = {
    id: newId(now),
    orderId: order.id,
    merchantId: order.merchantId,
    network: method.network,
    currency: method.currency,
    token: canonicalAddress(network.family, token.contract),
    amountUnits: sum.amountUnits,
    unitsPerStep: unitsPerStep(token.decimals),
    reservedUntil: new Date(order.expiresAt.getTime() + order.lateWindowSeconds * 1_000),
  };
  if (alive.length === 0) await keepFirstAsked(tx, order);
  const reserved = await reserveQuote(tx, wanted, now);
  if (reserved === null) return { problem: "taken" };
  if (!ctx.isVerifiedAddress({ ...reserved, merchantId: order.merchantId, network: network.id })) {
    await deleteQuote(tx, wanted);
    await pauseUnverified(tx, ctx, order, { ...reserved, network: network.id }, now);
    return { problem: "taken" };
  }
  const version = order.version + 1;
  if (alive.length === 0) {
    await writeFirstChoice(tx, wanted, { price: sum.price, version }, now);
  } else {
    await writeAsked(tx, wanted, sum.price);
    await showQuote(tx, order, { quoteId: wanted.id, version }, now);
  }
  return announceChoice(tx, order, { ...method, version }, now);
}

/**
 * Returns the amount of an order in a currency as it was when that currency was first chosen, on any network. The rate is frozen while a
 * hold of the order is active. An amount that the merchant set is the same number in every token. Returns null if the fiat price must be
 * converted at the current rate.
 */
function sumOfBefore({ order, alive, method }: Choosing, token: Token): Sum | null {
  const { network, currency, amountUnits, price } = order;
  if (network === null || currency === null || amountUnits === null || alive.length === 0) return null;
  const rescaled = (units: bigint, of: Method) => rescaleUnits(units, decimalsOf(of), token.decimals);
  if (price === null) return { amountUnits: rescaled(amountUnits, { network, currency }), price };
  if (currency === method.currency) return { amountUnits: rescaled(amountUnits, { network, currency }), price };
  const before = alive.find((quote) => quote.price?.currency === method.currency);
  return before?.askedUnits ? { amountUnits: rescaled(before.askedUnits, before), price: before.price } : null;
}

/**
 * Returns the current amount of an order in a token; null if there is no rate, or the amount exceeds the maximum of an
 * order.
 */
async function countSum(
  db: Db,
  { rateSources = [] }: ChoiceContext,
  { merchantId, checkout, price }: ChoosableOrder,
  token: Token,
  now: Date,
): Promise<Sum | null> {
  const step = unitsPerStep(token.decimals);
  const named = checkout?.amount ?? null;
  if (named !== null) {
    const steps = parseUnits(named, PUBLIC_DECIMALS);
    return steps === null ? null : { amountUnits: steps * step, price: null };
  }
  const asked = askedPrice(checkout ?? { price });
  const counted = asked && (await countPrice(db, rateSources, { merchantId, token, asked }, now));
  if (!counted || "problem" in counted || counted.amountUnits > MAX_STEPS * step) return null;
  const rules = await findOrderTerms(db, merchantId);
  return rules && refusedAmount(rules, counted.amountUnits / step) ? null : counted;
}
