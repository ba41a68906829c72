import type { Db } from "@/db/client";
import { isCollision } from "@/db/failure";
import {
  type Creation,
  deleteOrder,
  insertOrder,
  insertOrders,
  type NewOrder,
  type Reservation,
} from "@/db/queries/orders/order-creation";
import { findOrderDetailRow, orderDetailOf } from "@/db/queries/orders/orders";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { canonicalAddress, verifiedAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { formatUnits, MAX_STEPS, unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken, type Network, type Token } from "@/lib/domain/networks";
import type { OrderPrice } from "@/lib/domain/orders/order";
import type { OrderDetail, QuotedOrder } from "@/lib/domain/orders/order-detail";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RateSource } from "@/lib/domain/rates/sources";
import { AppError, invalidField } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import {
  type MacVerification,
  pauseUnverified,
  recordFailedIntegrity,
  unverifiable,
} from "@/lib/merchants/verify-address";
import { toError } from "@/lib/orders/refusals";
import { findUsedOrder, refuseOtherTerms, type TermPair, usedByOther } from "@/lib/orders/used-order";
import { type AskedPrice, countPrice, noRate, priceTerms, tooMuch } from "@/lib/rates/count-price";

/** Either base units of the token, or a fiat price that is converted to them. */
type SumTerms = { amountUnits: bigint; price?: undefined } | { price: AskedPrice; amountUnits?: undefined };

/** The validated terms of an order. */
export type OrderTerms = SumTerms & {
  mchOrderId: string;
  network: Network;
  /** The token; if it is switched off, only orders created before can be returned. */
  token: Token;
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
  subject?: string | null;
  /** The text of a JSON object, as in the request. */
  metadata?: string | null;
  /** Null for the merchant's default. */
  expiresInSeconds: number | null;
};

/** The merchant and the API key of a request. */
export interface Caller {
  merchantId: string;
  apiKeyId: string;
}

/** Inserts an order, as `insertOrder` of the database does. */
type InsertOrder = (order: NewOrder, now: Date) => Promise<Creation>;

export interface CreateContext extends MacVerification {
  /** The sources of fiat prices. If omitted, only fixed rates are available. */
  rateSources?: readonly RateSource[];
  /** Inserts an order, by default in a separate statement. */
  insertOrder?: InsertOrder;
}

/**
 * Creates an order and reserves its amount, or returns the order that the same request created before.
 * @throws AppError 10001 no receiving address, or the token is switched off; 10002 the key is no longer valid; 10004 other terms under the
 * same mch_order_id; 10006 no amount is free, the network accepts no orders, or there is no rate for the price
 */
export async function createOrder(
  db: Db,
  ctx: CreateContext,
  caller: Caller,
  terms: OrderTerms,
  now: Date,
): Promise<{ order: QuotedOrder; isReplayed: boolean }> {
  if (terms.token.isOff) return { order: await orderOfBefore(db, caller, terms, now, switchedOff), isReplayed: true };
  const counted = terms.price
    ? await count(db, ctx, caller, terms, terms.price, now)
    : { amountUnits: terms.amountUnits, price: null };
  if ("problem" in counted)
    return { order: await orderOfBefore(db, caller, terms, now, unrated(counted.problem)), isReplayed: true };
  const ids = { id: newId(now), quoteId: newId(now) };
  const { network, token, ...rest } = terms;
  const insert = ctx.insertOrder ?? ((order, at) => insertOrder(db, order, at));
  const made = await insert(
    {
      ...ids,
      ...caller,
      ...rest,
      ...counted,
      network: network.id,
      currency: token.currency,
      token: canonicalAddress(network.family, token.contract),
      unitsPerStep: unitsPerStep(token.decimals),
    },
    now,
  );
  if (made === null)
    return { order: await verifyOrder(db, ctx, await replayedOrder(db, caller, terms), now), isReplayed: true };
  if ("code" in made) throw toError(made, terms);
  const order = newOrder(ids, caller, { ...terms, ...counted }, made, now);
  const isVerified = ctx.isVerifiedAddress({ ...made, merchantId: caller.merchantId, network: network.id });
  if (!isVerified) await withdrawOrder(db, ctx, order, made.receivingAddressId, now);
  return { order, isReplayed: false };
}

/**
 * Returns a function that inserts concurrent orders in one statement with one commit. Each order succeeds or fails as if it were inserted
 * alone.
 */
export function insertTogether(db: Db): InsertOrder {
  const insert = createBatcher<{ order: NewOrder; now: Date }, Creation>({
    async run(entries) {
      const orders = entries.map(({ order }) => order);
      const insert = () => insertOrders(db, orders, latest(entries));
      return insert().catch((error: unknown) => (isCollision(error) ? insert() : Promise.reject(error)));
    },
    ownerOf: ({ order }) => order.merchantId,
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });
  return (order, now) => insert({ order, now });
}

function latest(entries: readonly { now: Date }[]): Date {
  return new Date(Math.max(...entries.map(({ now }) => now.getTime())));
}

/** Converts a fiat price at the current rate. @throws AppError 10001 if the amount exceeds the maximum of an order */
async function count(
  db: Db,
  ctx: CreateContext,
  { merchantId }: Caller,
  { token }: OrderTerms,
  asked: AskedPrice,
  now: Date,
) {
  const counted = await countPrice(db, ctx.rateSources ?? [], { merchantId, token, asked }, now);
  if ("problem" in counted || counted.amountUnits <= MAX_STEPS * unitsPerStep(token.decimals)) return counted;
  throw tooMuch(asked, token.currency);
}

const switchedOff = ({ token, network }: OrderTerms) =>
  invalidField("currency", problem("token_switched_off", { currency: token.currency, network: network.name }));

/** Rates arrive within seconds of the first price in a currency. */
const unrated =
  (reason: Problem) =>
  ({ token, price }: OrderTerms) =>
    noRate(token.currency, price?.fiat, reason);

/**
 * Returns the order of a repeated request, even if no new order can be created. @param refusal the error for any other
 * request
 */
async function orderOfBefore(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  terms: OrderTerms,
  now: Date,
  refusal: (terms: OrderTerms) => AppError,
) {
  const row = await findOrderDetailRow(db, { merchantId, mchOrderId: terms.mchOrderId }, { id: apiKeyId, now });
  if (row && !row.is_key_live) throw deadKey();
  if (row) {
    return sameOrder(orderDetailOf(row), terms);
  }
  throw refusal(terms);
}

async function replayedOrder(db: Db, { merchantId }: Caller, terms: OrderTerms): Promise<QuotedOrder> {
  return sameOrder(await findUsedOrder(db, { merchantId, mchOrderId: terms.mchOrderId, integration: "api" }), terms);
}

function newOrder(
  { id, quoteId }: { id: string; quoteId: string },
  { merchantId }: Caller,
  { network, token, ...terms }: Omit<OrderTerms, keyof SumTerms> & { amountUnits: bigint; price: OrderPrice | null },
  { address, kind, mac, baseUnits, expiresAt }: Reservation,
  now: Date,
): QuotedOrder {
  const method = { network: network.id, currency: token.currency };
  return {
    id,
    merchantId,
    ...method,
    mchOrderId: terms.mchOrderId,
    amountUnits: terms.amountUnits,
    price: terms.price,
    status: "pending",
    exception: null,
    version: 1,
    paidUnits: 0n,
    settledTxId: null,
    notifyUrl: terms.notifyUrl,
    redirectUrl: terms.redirectUrl,
    locale: terms.locale,
    subject: terms.subject ?? null,
    metadata: terms.metadata ?? null,
    integration: "api",
    echo: null,
    expiresAt,
    createdAt: now,
    paidAt: null,
    quote: { id: quoteId, ...method, address, addressMac: { kind, mac }, kind, baseUnits, askedUnits: null },
    checkout: null,
    transfers: [],
    callback: null,
  };
}

/**
 * Returns the order if it was created with exactly the terms of this repeated request.
 * @throws AppError 10004 naming the first field that differs, with the order's trade_id
 */
function sameOrder(order: OrderDetail, terms: OrderTerms): QuotedOrder {
  if (order.quote === null || order.checkout !== null) throw usedByOther(order, "order/checkout");
  refuseOtherTerms(order, [
    ["currency", order.currency, terms.token.currency],
    ["network", order.network, terms.network.id],
    ...sumPairs(order, terms),
    ["notify_url", order.notifyUrl, terms.notifyUrl],
    ["redirect_url", order.redirectUrl, terms.redirectUrl],
  ]);
  return order;
}

/** Compares the price, not the converted amount: the rate may have changed since. */
function sumPairs(order: QuotedOrder, { amountUnits, price, token }: OrderTerms): TermPair[] {
  const before = order.price ?? { fiat: null, amount: null };
  const now = price ? priceTerms(price) : { fiat: null, amount: null };
  const { decimals } = getToken(getNetwork(order.network), order.currency);
  const amountBefore = order.price ? null : formatUnits(order.amountUnits, decimals);
  const amountNow = amountUnits === undefined ? null : formatUnits(amountUnits, token.decimals);
  return [
    ["amount", amountBefore, amountNow],
    ["fiat", before.fiat, now.fiat],
    ["fiat_amount", before.amount, now.amount],
  ];
}

/**
 * Deletes an order whose receiving address is not the one that its merchant added. It was not returned to any caller
 * yet, so its mch_order_id can be used again. The address is paused and the reason is recorded in the merchant's audit
 * log, unless APP_SECRET is wrong.
 * @throws AppError 10006 always
 */
async function withdrawOrder(
  db: Db,
  ctx: CreateContext,
  order: QuotedOrder,
  receivingAddressId: string,
  now: Date,
): Promise<never> {
  const { network, address } = order.quote;
  const error = await db.transaction(async (tx) => {
    await deleteOrder(tx, order);
    return pauseUnverified(tx, ctx, order, { network, address, receivingAddressId }, now);
  });
  throw error;
}

/**
 * Returns the order if its receiving address passes the integrity check.
 * @throws AppError 10006 if the address was changed since; the address is then not shown
 */
async function verifyOrder(db: Db, ctx: CreateContext, order: QuotedOrder, now: Date): Promise<QuotedOrder> {
  if (verifiedAddress({ ...order.quote, merchantId: order.merchantId }, ctx.isVerifiedAddress) !== null) return order;
  if (!(await recordFailedIntegrity(db, ctx, { ...order, ...order.quote, id: order.id }, now))) throw unverifiable();
  throw new AppError(problem("order_address_changed", { tradeId: order.id }));
}
