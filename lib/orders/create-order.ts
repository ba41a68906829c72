import type { Db } from "@/db/client";
import { type CreationRefusal, insertOrder, type Reservation } from "@/db/queries/orders/order-creation";
import { findOrderDetailRow } from "@/db/queries/orders/orders";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { newId } from "@/lib/domain/id";
import { unitsPerStep } from "@/lib/domain/money";
import { type Network, networkTitle } from "@/lib/domain/networks";
import { AppError } from "@/lib/errors";
import type { Log } from "@/lib/log";
import { findOrderDetail, type OrderDetail, orderDetailOf } from "@/lib/orders/find-order";
import type { Caller, OrderTerms } from "@/lib/orders/order-terms";
import { refuseOtherTerms } from "@/lib/orders/same-terms";
import { withdrawOrder } from "@/lib/orders/withdraw-order";

export interface CreateContext {
  log: Log;
  /** Whether an address is still the one its merchant added. */
  isGenuineAddress(row: { merchantId: string; network: string; address: string; kind: string; mac: string }): boolean;
}

/**
 * Makes an order and reserves what must be paid for it, or finds the order that the same request made before.
 * @throws AppError 10001 no receiving address, or the token is switched off; 10002 the key died, 10004 other terms under the same mch_order_id,
 * 10006 nothing is free or the network takes no orders.
 */
export async function createOrder(
  db: Db,
  ctx: CreateContext,
  caller: Caller,
  terms: OrderTerms,
  now: Date,
): Promise<{ order: OrderDetail; isReplayed: boolean }> {
  if (terms.token.isOff) return { order: await orderOfBefore(db, caller, terms, now), isReplayed: true };
  const ids = { id: newId(now), quoteId: newId(now) };
  const { mchOrderId, notifyUrl, redirectUrl, locale, expiresInSeconds, amountUnits } = terms;
  const made = await insertOrder(
    db,
    {
      ...ids,
      ...caller,
      mchOrderId,
      network: terms.network.id,
      currency: terms.token.currency,
      token: canonicalAddress(terms.network.family, terms.token.contract),
      amountUnits,
      unitsPerStep: unitsPerStep(terms.token.decimals),
      notifyUrl,
      redirectUrl,
      locale,
      expiresInSeconds,
    },
    now,
  );
  if (made === null) return { order: await replayedOrder(db, caller, terms), isReplayed: true };
  if ("refused" in made) throw toError(made, terms.network);
  const order = newOrder(ids, caller, terms, made, now);
  const isGenuine = ctx.isGenuineAddress({ ...made, merchantId: caller.merchantId, network: terms.network.id });
  if (!isGenuine) await withdrawOrder(db, ctx, order, made.receivingAddressId, now);
  return { order, isReplayed: false };
}

/** In a token that is switched off nothing new is asked for; a request that is repeated still gets what it made. */
async function orderOfBefore(db: Db, { merchantId, apiKeyId }: Caller, terms: OrderTerms, now: Date) {
  const row = await findOrderDetailRow(db, { merchantId, mchOrderId: terms.mchOrderId }, { id: apiKeyId, now });
  if (row && !row.is_key_live) throw toError({ refused: "deadKey" }, terms.network);
  if (row) {
    const order = orderDetailOf(row);
    refuseOtherTerms(order, terms);
    return order;
  }
  const message = `currency ${terms.token.currency} is switched off on ${terms.network.name}`;
  throw new AppError(10001, message, { errors: [{ field: "currency", message }] });
}

async function replayedOrder(db: Db, { merchantId }: Caller, terms: OrderTerms): Promise<OrderDetail> {
  const order = await findOrderDetail(db, { merchantId, mchOrderId: terms.mchOrderId });
  if (!order) throw new AppError(10006, "This order is being taken back at this moment; please ask again");
  refuseOtherTerms(order, terms);
  return order;
}

function newOrder(
  { id, quoteId }: { id: string; quoteId: string },
  { merchantId }: Caller,
  { network, token, ...terms }: OrderTerms,
  { address, kind, baseUnits, expiresAt }: Reservation,
  now: Date,
): OrderDetail {
  const place = { network: network.id, currency: token.currency };
  return {
    ...{ id, merchantId, ...place, mchOrderId: terms.mchOrderId, amountUnits: terms.amountUnits },
    ...{ status: "pending", exception: null, version: 1, paidUnits: 0n, settledTxId: null },
    ...{ notifyUrl: terms.notifyUrl, redirectUrl: terms.redirectUrl, locale: terms.locale },
    ...{ expiresAt, createdAt: now, paidAt: null },
    quote: { id: quoteId, ...place, address, kind, baseUnits },
    transfers: [],
    callback: null,
  };
}

function toError(refusal: CreationRefusal, network: Network): AppError {
  const name = networkTitle(network);
  switch (refusal.refused) {
    case "deadKey":
      return new AppError(10002, "The API key was revoked or has ended; use another key from Settings → API keys");
    case "noAddress": {
      const message = `network "${network.id}" has no active receiving address; add one for ${name} in the back office under Settings → Receiving addresses`;
      return new AppError(10001, message, { errors: [{ field: "network", message }] });
    }
    case "allTaken":
      return new AppError(
        10006,
        `Every amount for this price is reserved on all your receiving addresses for ${name}; add another address under Settings → Receiving addresses, or wait: an amount is held until its order's time is over`,
        { headers: { "Retry-After": "60" } },
      );
    case "networkClosed":
      return new AppError(10006, `${name} takes no new orders at the moment: ${refusal.problem}`, {
        headers: { "Retry-After": "30" },
      });
  }
}
