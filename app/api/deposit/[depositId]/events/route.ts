import { getContext } from "@/app/context";
import { answerEvents } from "@/lib/http/order-events";
import { replyRoute } from "@/lib/http/reply";

/** Streams the versions of a deposit address to its page (server-sent events): the current version, then each higher one. */
export const GET = replyRoute<{ depositId: string }>((call, { depositId }) => {
  const context = getContext();
  return answerEvents(call, context, {
    id: depositId,
    kind: "deposit",
    findVersion: context.findDepositVersion,
  });
});
