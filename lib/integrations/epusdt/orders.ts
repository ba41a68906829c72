import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { authenticateEpusdt } from "@/lib/integrations/epusdt/authenticate";
import { epayVerifier } from "@/lib/integrations/epusdt/epay-signature";
import { expirationOf } from "@/lib/integrations/epusdt/expiration";
import { textIn } from "@/lib/integrations/epusdt/fields";
import { enabledMethods, toGmpayConfig, toGmpayOrder } from "@/lib/integrations/epusdt/gmpay-answer";
import { toEpusdtOrder } from "@/lib/integrations/epusdt/order-answer";
import { apiOf, methodOfEcho } from "@/lib/integrations/epusdt/order-data";
import { type Manner, readEpayOrder, readEpusdtOrder } from "@/lib/integrations/epusdt/read-order";
import type { EpusdtFields } from "@/lib/integrations/epusdt/signature";
import { findAmbiguousField } from "@/lib/integrations/shared/ambiguous-field";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { cancelOrder } from "@/lib/orders/cancel-order";
import type { CheckoutOrder, CheckoutRequest } from "@/lib/orders/create-checkout";
import { findPluginOrder } from "@/lib/plugins/find-orders";
import { makeIntegrationOrder } from "@/lib/plugins/make-order";
import { authenticatePlugin, findOnlyPlugin, type Plugin } from "@/lib/plugins/plugin-caller";

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
  const order = await makeOrder(ctx, plugin, readEpusdtOrder(fields, manner, plugin, ctx.env), "order_id", now);
  return manner === "gmpay"
    ? toGmpayOrder(order, ctx.orders)
    : toEpusdtOrder(order, ctx.orders, expirationOf(plugin), now);
}

/**
 * Creates the order of a request of EPay V1 that GMPay's credentials signed, or finds the order that the same request created before.
 * @returns the id of the order
 * @throws AppError as `createEpusdtOrder`
 */
export async function createEpayOrder(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<string> {
  const named = { integration: "epusdt", publicId: textIn(fields, "pid") } as const;
  const { plugin } = await authenticatePlugin(ctx, named, epayVerifier(fields), now);
  await countRequest(ctx, "creates", plugin.publicId, now);
  const ambiguous = findAmbiguousField(fields, GMPAY_FIELDS);
  if (ambiguous) throw invalidField(ambiguous, problem("value_ambiguous", { name: ambiguous }));
  const { id } = await makeOrder(ctx, plugin, readEpayOrder(fields, plugin, ctx.env), "out_trade_no", now);
  return id;
}

/** The fields that GMPay reads besides those of EPay. */
const GMPAY_FIELDS = ["currency", "token", "network"];

async function makeOrder(
  ctx: ApiContext,
  plugin: Plugin,
  request: ReturnType<typeof readEpusdtOrder>,
  field: string,
  now: Date,
): Promise<CheckoutOrder> {
  const otherTerms = invalidField(field, problem("order_number_closed"));
  const { order, isReplayed } = await makeIntegrationOrder(ctx, plugin, { request, compare: termsOf, otherTerms }, now);
  if (isReplayed && order.status === "paid") throw invalidField(field, problem("order_number_paid_use_new"));
  return order;
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
    // A client that was updated expects the callback in its new shape, with its new signature.
    ["api", apiOf(before.echo), apiOf(now.echo ?? null)],
    ["signature", methodOfEcho(before.echo), methodOfEcho(now.echo ?? null)],
  ];
}

/** Returns an order by its `trade_id` or its `order_id`, as in gmpay-edge. @throws AppError 10001, 10002, 10003, 10005 */
export async function queryGmpayOrder(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const { plugin } = await authenticateEpusdt(ctx, fields, now);
  await countRequest(ctx, "reads", plugin.publicId, now);
  const { merchantId } = plugin;
  const tradeId = textIn(fields, "trade_id");
  const mchOrderId = textIn(fields, "order_id");
  if ((tradeId === "") === (mchOrderId === "")) throw new AppError(problem("order_named_not_once"));
  const name = tradeId === "" ? { merchantId, mchOrderId } : { merchantId, tradeId };
  const order = await findPluginOrder(ctx.pool.db, "epusdt", name);
  if (!order) throw new AppError(problem("shop_order_unknown"));
  return toGmpayOrder(order, ctx.orders);
}

/** Returns the payment methods: those of the shop that a request names or that is the only one, or else those of the installation. */
export async function showGmpayConfig(ctx: ApiContext, fields: EpusdtFields, now: Date): Promise<object> {
  const publicId = textIn(fields, "pid");
  const plugin = await findOnlyPlugin(ctx, { integration: "epusdt", publicId: publicId || null }, now);
  const methods = plugin ? await listPaymentMethods(ctx.pool.db, ctx.env, plugin, now) : enabledMethods(ctx.env);
  return toGmpayConfig(methods, plugin);
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
