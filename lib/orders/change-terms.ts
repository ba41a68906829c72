import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { hasReceived, listHeldQuotes, lockChoosable, replaceTerms } from "@/db/queries/orders/choices";
import { announceOrders } from "@/db/queries/orders/order-moves";
import type { Method } from "@/lib/domain/checkout/choice";
import { AppError } from "@/lib/errors";
import { type ChoiceContext, chooseMethod } from "@/lib/orders/choose-method";
import type { CheckoutOrder, CheckoutRequest } from "@/lib/orders/create-checkout";

/** Each change holds another amount for hours; so many an order may have. */
const MOST_QUOTES = 10;

/**
 * Asks for an order that nothing came for on other terms, with a new time to pay: its payer's open page shows them at once. What it asked
 * for until now stays held to its end; what still comes for that counts by its value, and never as the whole.
 * @returns false where it cannot be: it is paid, expired or cancelled, something came for it, or what its payer chose is left no more
 * @throws AppError 10004 it was changed too often, 10006 nothing is free for the new amount
 */
export async function changeTerms(
  db: Db,
  ctx: ChoiceContext,
  { id, merchantId }: Pick<CheckoutOrder, "id" | "merchantId">,
  request: CheckoutRequest,
  now: Date,
): Promise<boolean> {
  const settings = await findOrderTerms(db, merchantId);
  return db.transaction(async (tx) => {
    const order = await lockChoosable(tx, id);
    if (!order || !settings || order.merchantId !== merchantId || order.status !== "pending") return false;
    if (now >= order.expiresAt || (await hasReceived(tx, order))) return false;
    const shown = (await listHeldQuotes(tx, order)).find((quote) => quote.id === order.quoteId);
    const method = methodFor(request, shown);
    if (shown && !method) return false;
    const seconds = request.expiresInSeconds ?? settings.expiresInSeconds;
    const expiresAt = new Date(Math.ceil(now.getTime() / 1_000 + seconds) * 1_000);
    const count = await replaceTerms(tx, order, { ...request, expiresAt }, now);
    if (count >= MOST_QUOTES)
      throw new AppError(10004, `This order was changed ${MOST_QUOTES - 1} times already; use a new order number`);
    const choice = method && (await chooseMethod(tx, ctx, id, method, now));
    if (choice && "problem" in choice)
      throw new AppError(10006, "Nothing is free for the new amount at this moment; the order stays as it was", {
        retryAfterSeconds: 60,
      });
    const { amount, price } = request.checkout;
    const detail = { mchOrderId: order.mchOrderId, words: price ? `${price.amount} ${price.fiat}` : (amount ?? "") };
    await insertAuditEvent(tx, { merchantId, orderId: id, action: "order.changed", detail }, now);
    if (!method) await announceOrders(tx, [{ id, version: order.version + 1 }]);
    return true;
  });
}

/** What is named, or what the payer had chosen where that is still theirs to choose. */
function methodFor({ checkout }: CheckoutRequest, shown: Method | undefined): Method | null {
  const { network, currency } = checkout;
  if (network !== null && currency !== null) return { network, currency };
  if (!shown) return null;
  const isAllowed = (network ?? shown.network) === shown.network && (currency ?? shown.currency) === shown.currency;
  return isAllowed ? { network: shown.network, currency: shown.currency } : null;
}
