import { findOrderDetail } from "@/db/queries/orders/orders";
import { isId } from "@/lib/domain/id";
import type { EpusdtFields } from "@/lib/domain/integrations/epusdt";
import { tradeTypeOf } from "@/lib/domain/integrations/trade-type";
import { AppError, fieldError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { authenticateEpusdt } from "@/lib/integrations/epusdt/authenticate";
import { textIn } from "@/lib/integrations/epusdt/fields";
import { toEpusdtOrder } from "@/lib/integrations/epusdt/order-answer";
import { type Manner, readEpusdtOrder } from "@/lib/integrations/epusdt/read-order";
import { makeIntegrationOrder } from "@/lib/integrations/make-order";
import { cancelOrder } from "@/lib/orders/cancel-order";
import type { CheckoutOrder, CheckoutRequest } from "@/lib/orders/create-checkout";

/**
 * Makes the order that a request asks for, or finds the one that the same request made before; one that nothing came for is asked for on
 * other terms where those are other ones now, and with a new time where it expired, as BEpusdt does it.
 * @throws AppError 10001 a field is wrong, 10002 the signature is, 10004 the number was used on other terms or its order is paid, 10005, 10006
 */
export async function createEpusdtOrder(
  ctx: ApiContext,
  fields: EpusdtFields,
  manner: Manner,
  now: Date,
): Promise<object> {
  const { plugin } = await authenticateEpusdt(ctx, fields, now);
  await countRequest(ctx, "creates", plugin.publicId, now);
  const request = readEpusdtOrder(fields, manner, plugin, ctx.env);
  const otherTerms = fieldError("order_id", CLOSED, 10004);
  const { order, isReplayed } = await makeIntegrationOrder(ctx, plugin, { request, compare: termsOf, otherTerms }, now);
  if (isReplayed && order.status === "paid")
    throw fieldError("order_id", "order_id: this order is paid already; use a new order_id", 10004);
  const isGmw = manner === "gmw";
  return toEpusdtOrder(order, ctx.orders, { isGmw, expiration: isGmw ? "unix" : plugin.expiration }, now);
}

const CLOSED =
  "order_id was used on other terms, and those can be changed no more: money was seen for this order, or its time ended this moment; repeat the first terms, or use a new order_id";

/** What makes a repeat one on the same terms; while the order waits, its time to pay runs on from the first then. */
function termsOf(before: CheckoutOrder, now: CheckoutRequest): [string, string | null, string | null][] {
  const sum = ({ checkout: { amount, price } }: Pick<CheckoutRequest, "checkout">) =>
    price ? `${price.amount} ${price.fiat}` : amount;
  const method = ({ checkout }: Pick<CheckoutRequest, "checkout">) =>
    tradeTypeOf(checkout) || (checkout.currency ?? "").toLowerCase();
  return [
    ["amount", sum(before), sum(now)],
    ["trade_type", method(before), method(now)],
    ["name", before.subject, now.subject],
    ["notify_url", before.notifyUrl, now.notifyUrl],
    ["redirect_url", before.redirectUrl, now.redirectUrl],
  ];
}

/** Cancels an order of the plugin that nothing came for. @throws AppError 10002, 10003, 10004 in words where it is too late, 10005 */
export async function cancelEpusdtOrder(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const { plugin } = await authenticateEpusdt(ctx, fields, now);
  await countRequest(ctx, "creates", plugin.publicId, now);
  const { merchantId } = plugin;
  const tradeId = textIn(fields, "trade_id");
  const order = isId(tradeId) ? await findOrderDetail(ctx.pool.db, { merchantId, tradeId }) : null;
  if (order?.integration !== "epusdt") throw new AppError(10003, "There is no order with this trade_id among yours");
  const story = { publicUrl: ctx.env.publicUrl, log: ctx.log };
  const result = await cancelOrder(ctx.pool.db, story, { merchantId, integration: "epusdt" }, order.id, now);
  if ("problem" in result && order.status !== "cancelled") throw new AppError(10004, result.problem);
  return { trade_id: order.id };
}
