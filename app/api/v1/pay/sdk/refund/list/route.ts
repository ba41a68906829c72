import { getApiContext } from "@/app/context";
import { toRefundData } from "@/lib/domain/refunds/refund-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readRefundSearch } from "@/lib/http/read-refund-request";
import { searchRefunds } from "@/lib/refunds/query-refund";

const route = { scope: "refunds:read", work: "reads", read: readRefundSearch } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { publicUrl } = context.env;
  const { refunds, nextCursor } = await searchRefunds(context.pool.db, caller, body, now);
  const page = refunds.map(({ refund, mchOrderId }) => toRefundData(refund, { publicUrl, mchOrderId }));
  return success({ refunds: page, next_cursor: nextCursor });
});
