import { getApiContext } from "@/app/context";
import { problem } from "@/lib/domain/problems/problem";
import { toRefundData } from "@/lib/domain/refunds/refund-wire";
import { AppError } from "@/lib/errors";
import { apiRoute, success } from "@/lib/http/api-route";
import { readRefundNames } from "@/lib/http/read-refund-request";
import { cancelRefund } from "@/lib/refunds/decide-refund";
import { refundContext } from "@/lib/refunds/move-refund";
import { queryRefund } from "@/lib/refunds/query-refund";

const route = { scope: "refunds:create", work: "creates", read: readRefundNames } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { env, pool } = context;
  const find = () => queryRefund(pool.db, caller, body, now);
  const { id } = (await find()).refund;
  const refused = await cancelRefund(pool.db, refundContext(context), caller, { id, reason: "" }, now);
  const { refund, mchOrderId } = await find();
  if (refused)
    throw new AppError(problem("refund_cancel_refused", { problem: refused.problem, refundId: id }), {
      data: { refund_id: id, status: refund.status },
    });
  return success(toRefundData(refund, { publicUrl: env.publicUrl, mchOrderId }));
});
