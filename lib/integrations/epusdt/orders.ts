import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { authenticateEpusdt } from "@/lib/integrations/epusdt/authenticate";
import { expirationOf } from "@/lib/integrations/epusdt/expiration";
import { textIn } from "@/lib/integrations/epusdt/fields";
import { toEpusdtOrder } from "@/lib/integrations/epusdt/order-answer";
import { type Manner, readEpusdtOrder } from "@/lib/integrations/epusdt/read-order";
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";
import { cancelOrder } from "@/lib/orders/cancel-order";
import type { CheckoutOrder, CheckoutRequest } from "@/lib/orders/create-checkout";
import { findPluginOrder } from "@/lib/plugins/find-orders";
import { makeIntegrationOrder } from "@/lib/plugins/make-order";

/**
 * Creates the order of a request, or finds the order that the same request created before. As in BEpusdt, a repeated request changes the
 * terms of an order without payments and renews an expired one.
 * @throws AppError 10001 invalid field, 10002 invalid signature, 10004 the number is in use with different terms or its order is paid,
 * 10005, 10006
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
  const otherTerms = invalidField("order_id", problem("order_number_closed"));
  const { order, isReplayed } = await makeIntegrationOrder(ctx, plugin, { request, compare: termsOf, otherTerms }, now);
  if (isReplayed && order.status === "paid") throw invalidField("order_id", problem("order_number_paid_use_new"));
  const isGmw = manner === "gmw";
  return toEpusdtOrder(order, ctx.orders, { isGmw, expiration: isGmw ? "unix" : expirationOf(plugin) }, now);
}

/** Returns the terms by which two requests are compared. A repeated request with the same terms does not extend the time to pay. */
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

/** Cancels an order without payments. @throws AppError 10002, 10003, 10004 if it is too late, 10005 */
export async function cancelEpusdtOrder(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const { plugin } = await authenticateEpusdt(ctx, fields, now);
  await countRequest(ctx, "creates", plugin.publicId, now);
  const { merchantId } = plugin;
  const order = await findPluginOrder(ctx.pool.db, "epusdt", { merchantId, tradeId: textIn(fields, "trade_id") });
  if (!order) throw new AppError(problem("own_trade_id_unknown"));
  const context = { publicUrl: ctx.env.publicUrl, log: ctx.log, integrations: ctx.integrations };
  const result = await cancelOrder(ctx.pool.db, context, { merchantId, integration: "epusdt" }, order.id, now);
  if ("problem" in result && order.status !== "cancelled") throw new AppError(result.problem);
  return { trade_id: order.id };
}
