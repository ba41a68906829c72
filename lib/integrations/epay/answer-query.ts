import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { countRequest } from "@/lib/http/rate-limit";
import { isSignedEpay } from "@/lib/integrations/epay/signature";
import { type EpayRequest, textIn } from "@/lib/integrations/shared/epay/fields";
import { findEpayOrder, listEpayOrders, toEpayOrder } from "@/lib/integrations/shared/epay/orders";
import { isEqual } from "@/lib/merchants/vault";
import { authenticatePlugin } from "@/lib/plugins/plugin-caller";

const USUAL_LIMIT = 20;

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
      return { code: 1, msg: "succ", ...toOrder(ctx, await findEpayOrder(ctx, request, plugin)) };
    case "orders": {
      const orders = await listEpayOrders(ctx, request, plugin, USUAL_LIMIT);
      return { code: 1, msg: "succ", data: orders.map((order) => toOrder(ctx, order)) };
    }
    case "query":
      return { code: 1, msg: "succ", pid: Number(plugin.publicId), active: 1, type: 1, money: "0.00" };
    case "refund":
      return { code: -1, msg: inEnglish(problem("refund_not_possible")) };
    default:
      throw invalidField("act", problem("action_unknown"));
  }
}

function toOrder({ orders, env }: ApiContext, order: OrderDetail) {
  const payUrl = `${env.publicUrl}/pay/${order.id}`;
  return { ...toEpayOrder(order, orders), bill_trade_no: "", payurl: payUrl };
}
