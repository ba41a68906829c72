import { getContext } from "@/app/context";
import { answerEvents } from "@/lib/http/order-events";
import { replyRoute } from "@/lib/http/reply";

/** Tells the page of a deposit address whenever something comes there: its version now, and each higher one. */
export const GET = replyRoute<{ depositId: string }>((call, { depositId }) => {
  const context = getContext();
  return answerEvents(call, context, {
    id: depositId,
    kind: "deposit",
    findVersion: context.findDepositVersion,
  });
});
