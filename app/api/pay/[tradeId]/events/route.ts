import { getContext } from "@/app/context";
import { answerEvents } from "@/lib/http/order-events";
import { replyRoute } from "@/lib/http/reply";

/** Streams the versions of an order to its payment page (server-sent events): the current version, then each higher one. */
export const GET = replyRoute<{ tradeId: string }>((call, { tradeId }) => {
  const context = getContext();
  return answerEvents(call, context, { id: tradeId, kind: "order", findVersion: context.findOrderVersion });
});
