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
import { extensionMs, MAX_EXTENSIONS } from "@/lib/domain/checkout/state";
import { isId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { type ChoiceContext, chooseMethod } from "@/lib/orders/choose-method";
import { type CheckoutRequest, type CompareTerms, whyNoCheckout } from "@/lib/orders/create-checkout";
import { moveOrder, type OrderContext } from "@/lib/orders/move-order";

/**
 * Extends the time to pay of a pending order that has received no more than dust, at most three times. Its holds are extended by the same
 * time in the same transaction. An order that expires concurrently is either extended before it expires, or not at all.
 * @param extensions the number of extensions known to the payer: repeating a request with the same number changes nothing
 * @returns true if the order now has more time than before
 */
export async function extendOrder(
  db: Db,
  { tradeId, extensions }: { tradeId: string; extensions: number },
  now: Date,
): Promise<boolean> {
  if (!isId(tradeId) || !(extensions >= 0 && extensions < MAX_EXTENSIONS)) return false;
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

/**
 * The maximum number of quotes of an order, including those of methods to which its payer switched. Each change reserves an additional
 * amount for hours.
 */
const MAX_TERMS = 10;

/** An order of an integration, and the requested terms. */
export interface Renewal {
  id: string;
  merchantId: string;
  request: CheckoutRequest & { integration: IntegrationId };
  /** Returns the terms to compare with those of the order. */
  compare: CompareTerms;
}

/**
 * Renews an order that has received no more than dust, with a new time to pay. The payer's open page shows the change immediately. On
 * unchanged terms, an expired order becomes pending again: its hold is extended by the same time, or a new quote is created if the hold
 * has ended. On different terms, expired or not, the earlier amounts stay reserved until their holds end. A transfer that still arrives
 * for them counts by its value, but never as full payment. Safe to repeat: a pending order with these terms does not change, even if a
 * different request set them.
 * @returns false if the order cannot be renewed: it is paid or cancelled, its time has just ended, a transfer arrived for it or was seen
 * that may be for it, or the payer's method is no longer available
 * @throws AppError 10001 the requested method is no longer offered, 10004 too many renewals, 10006 not possible at the moment; the order
 * is then unchanged
 */
export async function renewOrder(
  db: Db,
  ctx: ChoiceContext & OrderContext,
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
    else if (method) await requote(tx, ctx, { id, method }, now);
    else if (order.status === "pending") await announceOrders(tx, [{ id, version: order.version + 1 }]);
    return true;
  });
}

const isUnpaid = ({ status }: ChoosableOrder) => status === "pending" || status === "expired";

/**
 * Sets different terms.
 * @returns false: the order has no quote on these terms yet
 * @throws AppError 10004 too many changes
 */
async function putOtherTerms(
  tx: Db,
  order: ChoosableOrder,
  terms: CheckoutRequest & { expiresAt: Date },
  now: Date,
): Promise<false> {
  if ((await replaceTerms(tx, order, terms, now)) >= MAX_TERMS) throw new AppError(TOO_OFTEN);
  const { merchantId, id: orderId, mchOrderId } = order;
  const { amount, price } = terms.checkout;
  const detail = { mchOrderId, text: price ? `${price.amount} ${price.fiat}` : (amount ?? "") };
  await insertAuditEvent(tx, { merchantId, orderId, action: "order.changed", detail }, now);
  return false;
}

/** Returns true if a concurrent request set these terms while this one waited for the lock. */
async function hasTheseTerms(tx: Db, id: string, { request, compare }: Pick<Renewal, "request" | "compare">) {
  const order = await findOrderDetail(tx, { id });
  const checkout = order?.checkout;
  return checkout ? compare({ ...order, checkout }, request).every(([, before, wanted]) => before === wanted) : false;
}

async function requote(tx: Db, ctx: ChoiceContext, { id, method }: { id: string; method: Method }, now: Date) {
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

const TOO_OFTEN = problem("order_changed_too_often", { count: MAX_TERMS });

/** Returns the method that the terms specify, or the payer's choice if the terms still allow it. */
function methodFor({ checkout }: CheckoutRequest, shown: Method | undefined): Method | null {
  const { network, currency } = checkout;
  if (network !== null && currency !== null) return { network, currency };
  if (!shown) return null;
  const isAllowed = (network ?? shown.network) === shown.network && (currency ?? shown.currency) === shown.currency;
  return isAllowed ? { network: shown.network, currency: shown.currency } : null;
}
