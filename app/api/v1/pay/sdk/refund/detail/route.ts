import { getApiContext } from "@/app/context";
import { toRefundData } from "@/lib/domain/refunds/refund-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readRefundNames } from "@/lib/http/read-refund-request";
import { queryRefund } from "@/lib/refunds/query-refund";

const route = { scope: "refunds:read", work: "reads", read: readRefundNames } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { refund, mchOrderId } = await queryRefund(context.pool.db, caller, body, now);
  return success(toRefundData(refund, { publicUrl: context.env.publicUrl, mchOrderId }));
});
