import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { announceWaiting } from "@/db/queries/networks/waiting";
import {
  type ChoosableOrder,
  hasReceived,
  lengthenOrder,
  listHeldQuotes,
  lockChoosable,
  reopenOrder,
  replaceTerms,
} from "@/db/queries/orders/choices";
import { announceOrders } from "@/db/queries/orders/order-moves";
import { findOrderDetail } from "@/db/queries/orders/orders";
import type { Method } from "@/lib/domain/checkout/choice";
import { extensionMs, MOST_EXTENSIONS } from "@/lib/domain/checkout/state";
import { isId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { type ChoiceContext, chooseMethod } from "@/lib/orders/choose-method";
import { type CheckoutRequest, type CompareTerms, whyNoCheckout } from "@/lib/orders/create-checkout";
import { moveOrder, type StoryContext } from "@/lib/orders/move-order";

/**
 * The payer of a pending order for which nothing came needs more time, at most three times. What is held for the order is held as
 * much longer, in the same transaction; one that expires at this moment either got it before, or gets none.
 * @param extensions how often they got it when they asked: asking again for the same changes nothing
 * @returns whether there is more time now than there was
 */
export async function extendOrder(
  db: Db,
  { tradeId, extensions }: { tradeId: string; extensions: number },
  now: Date,
): Promise<boolean> {
  if (!isId(tradeId) || !(extensions >= 0 && extensions < MOST_EXTENSIONS)) return false;
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, tradeId);
    if (order?.status !== "pending" || order.extensions !== extensions || (await hasReceived(tx, order))) return false;
    const ms = extensionMs(order);
    const version = await lengthenOrder(tx, order, ms, now);
    if (version === null) return false;
    const { merchantId } = order;
    const event = { merchantId, orderId: order.id, action: "order.extended", detail: { seconds: ms / 1_000 } } as const;
    await insertAuditEvent(tx, event, now);
    await announceOrders(tx, [{ id: order.id, version }]);
    return true;
  });
}

/** Each change holds another amount for hours; so many an order may have, with those that its payer switched to. */
const MOST_TERMS = 10;

/** An order of an integration, and what it is asked for on now. */
export interface Renewal {
  id: string;
  merchantId: string;
  request: CheckoutRequest & { integration: IntegrationId };
  /** What makes the terms other ones. */
  compare: CompareTerms;
}

/**
 * Asks once more for an order that nothing came for, with a new time to pay; its payer's open page shows that at once. On the terms that it
 * has, an expired one is pending again: what it asked for is held as much longer, and where that hold is over it asks for something new. On
 * other terms, expired or not, what it asked for until now stays held to its end, and what still comes for that counts by its value, never
 * as the whole. Safe to repeat: a pending one on the terms that it has, whoever brought them, stays as it is.
 * @returns false where it cannot be: it is paid or cancelled, its time is just over, something came for it or was seen that may be for it,
 * or what its payer chose is left no more
 * @throws AppError 10001 what is asked for can be had no more, 10004 it was asked for too often, 10006 not at this moment; the order
 * is then as it was
 */
export async function renewOrder(
  db: Db,
  ctx: ChoiceContext & StoryContext,
  { id, merchantId, request, compare }: Renewal,
  now: Date,
): Promise<boolean> {
  const settings = await findOrderTerms(db, merchantId);
  const refusal = await whyNoCheckout(db, ctx, { merchantId }, request.checkout, now);
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, id);
    if (!order || !settings || order.merchantId !== merchantId || !isUnpaid(order)) return false;
    const isSame = await hasTheseTerms(tx, id, { request, compare });
    if (isSame && order.status === "pending") return true;
    if (order.status === "pending" && now >= order.expiresAt) return false;
    if (await hasReceived(tx, order)) return false;
    if (refusal) throw refusal;
    const shown = (await listHeldQuotes(tx, order)).find((quote) => quote.id === order.quoteId);
    const method = methodFor(request, shown);
    if (shown && !method) return false;
    const seconds = request.expiresInSeconds ?? settings.expiresInSeconds;
    const expiresAt = new Date(Math.ceil(now.getTime() / 1_000 + seconds) * 1_000);
    const isHeld = isSame
      ? await reopenOrder(tx, order, expiresAt, now)
      : await putOtherTerms(tx, order, { ...request, expiresAt }, now);
    if (order.status === "expired") await moveOrder(tx, ctx, id, { type: "renewed", by: request }, now);
    if (isHeld && shown) await announceWaiting(tx, shown.network);
    else if (method) await quoteAnew(tx, ctx, { id, method }, now);
    else if (order.status === "pending") await announceOrders(tx, [{ id, version: order.version + 1 }]);
    return true;
  });
}

const isUnpaid = ({ status }: ChoosableOrder) => status === "pending" || status === "expired";

/** @returns false: it holds nothing of these terms yet. @throws AppError 10004 it has had too many */
async function putOtherTerms(
  tx: Db,
  order: ChoosableOrder,
  terms: CheckoutRequest & { expiresAt: Date },
  now: Date,
): Promise<false> {
  if ((await replaceTerms(tx, order, terms, now)) >= MOST_TERMS) throw new AppError(TOO_OFTEN);
  const { merchantId, id: orderId, mchOrderId } = order;
  const { amount, price } = terms.checkout;
  const detail = { mchOrderId, words: price ? `${price.amount} ${price.fiat}` : (amount ?? "") };
  await insertAuditEvent(tx, { merchantId, orderId, action: "order.changed", detail }, now);
  return false;
}

/** Another request may have brought them while this one waited for the lock. */
async function hasTheseTerms(tx: Db, id: string, { request, compare }: Pick<Renewal, "request" | "compare">) {
  const order = await findOrderDetail(tx, { id });
  const checkout = order?.checkout;
  return checkout ? compare({ ...order, checkout }, request).every(([, before, wanted]) => before === wanted) : false;
}

async function quoteAnew(tx: Db, ctx: ChoiceContext, { id, method }: { id: string; method: Method }, now: Date) {
  const choice = await chooseMethod(tx, ctx, id, method, now);
  if (choice && "isQuoted" in choice) return;
  if (choice?.problem === "enough") throw new AppError(TOO_OFTEN);
  const code =
    choice?.problem === "unrated"
      ? "new_price_without_rate"
      : choice?.problem === "taken"
        ? "new_amount_reserved"
        : "new_method_not_offered";
  throw new AppError(problem(code), { retryAfterSeconds: 60 });
}

const TOO_OFTEN = problem("order_changed_too_often", { count: MOST_TERMS });

/** What is named, or what the payer had chosen where that is still theirs to choose. */
function methodFor({ checkout }: CheckoutRequest, shown: Method | undefined): Method | null {
  const { network, currency } = checkout;
  if (network !== null && currency !== null) return { network, currency };
  if (!shown) return null;
  const isAllowed = (network ?? shown.network) === shown.network && (currency ?? shown.currency) === shown.currency;
  return isAllowed ? { network: shown.network, currency: shown.currency } : null;
}
