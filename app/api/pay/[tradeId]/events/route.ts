import { getContext } from "@/app/context";
import { answerEvents } from "@/lib/http/order-events";
import { replyRoute } from "@/lib/http/reply";

/** Tells a payment page whenever its order changed (server-sent events): the version now, and each higher one. */
export const GET = replyRoute<{ tradeId: string }>((call, { tradeId }) => {
  const context = getContext();
  return answerEvents(call, context, { id: tradeId, kind: "order", findVersion: context.findOrderVersion });
});
