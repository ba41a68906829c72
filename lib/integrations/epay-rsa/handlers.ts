import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import type { EpayRequest } from "@/lib/integrations/shared/epay/fields";
import { findEpayOrder, listEpayOrders, toEpayOrder } from "@/lib/integrations/shared/epay/orders";
import { cancelOrder } from "@/lib/orders/cancel-order";
import type { Plugin } from "@/lib/plugins/plugin-caller";

/** The fields of a successful response, before it is signed. Arrays and empty values are not signed. */
export type EpayRsaResult = Readonly<Record<string, string | number | readonly object[]>>;

/** Responds to an authenticated request of a shop's server. */
export type EpayRsaHandler = (
  ctx: ApiContext,
  request: EpayRequest,
  plugin: Plugin,
  now: Date,
) => Promise<EpayRsaResult>;

const USUAL_LIMIT = 10;

/** The handlers of the paths that shops use after an order was created. */
export const EPAY_RSA_HANDLERS: Readonly<Record<string, EpayRsaHandler>> = {
  "api/pay/query": queryOrder,
  "api/pay/close": closeOrder,
  "api/pay/refund": refuseRefund,
  "api/pay/refundquery": refuseRefund,
  "api/merchant/info": readShop,
  "api/merchant/orders": listOrders,
};

async function queryOrder(ctx: ApiContext, request: EpayRequest, plugin: Plugin, now: Date): Promise<EpayRsaResult> {
  await countRequest(ctx, "reads", plugin.publicId, now);
  return { code: 0, ...toOrder(ctx, await findEpayOrder(ctx, request, plugin)) };
}

/** Cancels an unpaid order. A repeated request succeeds. @throws AppError 10004 if the order can no longer be cancelled */
async function closeOrder(ctx: ApiContext, request: EpayRequest, plugin: Plugin, now: Date): Promise<EpayRsaResult> {
  await countRequest(ctx, "creates", plugin.publicId, now);
  const { pool, env, log, integrations } = ctx;
  const { id, mchOrderId } = await findEpayOrder(ctx, request, plugin);
  const result = await cancelOrder(pool.db, { publicUrl: env.publicUrl, log, integrations }, plugin, id, now);
  // An earlier or concurrent request may have cancelled the order, so a refusal is decided by the order's present status.
  if ("problem" in result && (await findEpayOrder(ctx, request, plugin)).status !== "cancelled")
    throw new AppError(result.problem);
  return { code: 0, trade_no: id, out_trade_no: mchOrderId };
}

async function refuseRefund(ctx: ApiContext, _request: EpayRequest, plugin: Plugin, now: Date): Promise<never> {
  await countRequest(ctx, "reads", plugin.publicId, now);
  throw new AppError(problem("refund_not_possible"));
}

/** Returns the state of the shop. Its balance is 0, because payments arrive in the merchant's own wallet. */
async function readShop(ctx: ApiContext, _request: EpayRequest, plugin: Plugin, now: Date): Promise<EpayRsaResult> {
  await countRequest(ctx, "reads", plugin.publicId, now);
  return { code: 0, pid: Number(plugin.publicId), status: 1, pay_status: 1, settle_status: 0, money: "0.00" };
}

async function listOrders(ctx: ApiContext, request: EpayRequest, plugin: Plugin, now: Date): Promise<EpayRsaResult> {
  await countRequest(ctx, "reads", plugin.publicId, now);
  const orders = await listEpayOrders(ctx, request, plugin, USUAL_LIMIT);
  return { code: 0, data: orders.map((order) => toOrder(ctx, order)) };
}

/** Returns an order without empty fields. */
function toOrder({ orders }: ApiContext, order: OrderDetail): Record<string, string | number> {
  const filled = Object.entries(toEpayOrder(order, orders)).filter(([, value]) => value !== "" && value !== null);
  return Object.fromEntries(filled);
}
