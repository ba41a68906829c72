import { getContext } from "@/app/context";
import { answerPayer } from "@/app/payer-page";
import { replyRoute } from "@/lib/http/reply";
import { findSignedReturn } from "@/lib/plugins/find-return";

/** Redirects a payer back to a shop whose integration signs return URLs. */
export const GET = replyRoute<{ tradeId: string }>((call, { tradeId }) => {
  const context = getContext();
  return answerPayer(context, call, { tradeId }, async () => {
    const location = await findSignedReturn(context, tradeId, context.now());
    const headers = { location: location ?? `/pay/${encodeURIComponent(tradeId)}`, "cache-control": "no-store" };
    return { status: 302, headers, body: "" };
  });
});
