import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { type Showing, toDetailData } from "@/lib/domain/orders/order-wire";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { type EpayRequest, textIn } from "@/lib/integrations/epay/fields";
import { isSignedEpay } from "@/lib/integrations/epay/signature";
import { tradeTypeOf } from "@/lib/integrations/shared/trade-type";
import { isEqual } from "@/lib/merchants/vault";
import { findPluginOrder, listPluginOrders } from "@/lib/plugins/find-orders";
import { authenticatePlugin, type Plugin } from "@/lib/plugins/plugin-caller";

const MAX = 50;
const MAX_OFFSET = 100_000;
/** The UTC offset of the times of this protocol, which have no time zone. */
const CLOCK_MS = 8 * 3_600_000;

/**
 * Responds to api.php with an order, a list of orders, or the shop. Refund requests are rejected, with an explanation of how to make a
 * refund.
 * @throws AppError 10001, 10002, 10003, 10005
 */
export async function answerEpayQuery(ctx: ApiContext, request: EpayRequest, now: Date): Promise<object> {
  const { fields, inUrl } = request;
  const named = { integration: "epay", publicId: textIn(fields, "pid") } as const;
  const key = textIn(fields, "key");
  const isInUrl = inUrl.has("key");
  const isSigned = textIn(fields, "sign") !== "";
  const { plugin } = await authenticatePlugin(
    ctx,
    named,
    (own) => (isSigned ? isSignedEpay(fields, own) : isEqual(key, own)),
    now,
  );
  if (!isSigned && isInUrl && plugin.settings["takesKeyInUrl"] !== true)
    throw new AppError(problem("plugin_key_in_url"));
  await countRequest(ctx, "reads", plugin.publicId, now);
  switch (textIn(fields, "act")) {
    case "order":
      return orderAnswer(ctx, request, plugin);
    case "orders":
      return ordersAnswer(ctx, request, plugin);
    case "query":
      return { code: 1, msg: "succ", pid: Number(plugin.publicId), active: 1, type: 1, money: "0.00" };
    case "refund":
      return { code: -1, msg: inEnglish(problem("refund_not_possible")) };
    default:
      throw invalidField("act", problem("action_unknown"));
  }
}

async function orderAnswer({ pool, orders }: ApiContext, { fields }: EpayRequest, plugin: Plugin): Promise<object> {
  const tradeId = textIn(fields, "trade_no");
  const mchOrderId = textIn(fields, "out_trade_no");
  if (tradeId === "" && mchOrderId === "") throw invalidField("trade_no", problem("order_number_missing"));
  const { merchantId } = plugin;
  const name = tradeId === "" ? { merchantId, mchOrderId } : { merchantId, tradeId };
  const order = await findPluginOrder(pool.db, "epay", name);
  if (!order) throw new AppError(problem("shop_order_unknown"));
  return { code: 1, msg: "succ", ...toEpayOrder(order, orders) };
}

async function ordersAnswer(
  { pool, orders: showing }: ApiContext,
  { fields }: EpayRequest,
  plugin: Plugin,
): Promise<object> {
  const limit = Math.min(wholeIn(fields, "limit", 20), MAX);
  const offset = Math.min(wholeIn(fields, "offset", 0), MAX_OFFSET);
  const orders = await listPluginOrders(pool.db, { ...plugin, limit, offset });
  return { code: 1, msg: "succ", data: orders.map((order) => toEpayOrder(order, showing)) };
}

function wholeIn(fields: EpayRequest["fields"], name: string, usual: number): number {
  const text = textIn(fields, name);
  return /^\d{1,9}$/.test(text) ? Number(text) : usual;
}

function toEpayOrder(order: OrderDetail, showing: Showing) {
  const data = toDetailData(order, showing);
  const echo = order.echo ?? {};
  const isPaid = order.status === "paid";
  return {
    trade_no: order.id,
    out_trade_no: order.mchOrderId,
    api_trade_no: data.tx_hash ?? "",
    bill_trade_no: "",
    type: echo["type"] || tradeTypeOf(data),
    pid: Number(echo["pid"]),
    addtime: timeOf(order.createdAt),
    endtime: order.paidAt ? timeOf(order.paidAt) : null,
    name: echo["name"] ?? "",
    money: echo["money"] ?? "",
    param: echo["param"] ?? "",
    buyer: "",
    status: isPaid ? 1 : 0,
    payurl: data.payment_url,
  };
}

/** Formats a time in China's time zone: "2026-03-01 18:00:00". */
function timeOf(at: Date): string {
  return new Date(at.getTime() + CLOCK_MS).toISOString().slice(0, 19).replace("T", " ");
}
