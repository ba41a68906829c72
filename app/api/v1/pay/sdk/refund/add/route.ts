import { getApiContext } from "@/app/context";
import { toRefundData } from "@/lib/domain/refunds/refund-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readRefundRequest } from "@/lib/http/read-refund-request";
import { queryOrder } from "@/lib/orders/query-order";
import { requestRefund } from "@/lib/refunds/request-refund";

const route = { scope: "refunds:create", work: "creates", read: readRefundRequest } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { env, pool, findOrder } = context;
  const { id: orderId } = await queryOrder(pool.db, findOrder, caller, body.order, now);
  const terms = { ...body.terms, subject: { orderId, transferId: null } };
  const { refund, mchOrderId, isReplayed } = await requestRefund(pool.db, caller, terms, now);
  const data = toRefundData(refund, { publicUrl: env.publicUrl, mchOrderId });
  return success(data, isReplayed ? { "Idempotent-Replayed": "true" } : {});
});
