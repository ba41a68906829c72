import { getContext } from "@/app/context";
import { answerEvents } from "@/lib/http/order-events";
import { replyRoute } from "@/lib/http/reply";

/** Streams the versions of a refund to its claim page (server-sent events): the current version, then each higher one. */
export const GET = replyRoute<{ refundId: string }>((call, { refundId }) => {
  const context = getContext();
  return answerEvents(call, context, { id: refundId, kind: "refund", findVersion: context.findRefundVersion });
});
