import { getContext } from "@/app/context";
import { replyRoute } from "@/lib/http/reply";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { findEpayReturn } from "@/lib/integrations/epay/return-url";

/** The way back to a shop whose protocol wants it signed. */
export const GET = replyRoute<{ tradeId: string }>(async (call, { tradeId }) => {
  const context = getContext();
  const wait = context.visitors.view(call, context.now());
  if (wait > 0) return { status: 429, headers: refusal(TOO_MANY_VIEWS, wait).headers, body: "" };
  const location = await findEpayReturn(context, tradeId, context.now());
  const headers = { location: location ?? `/pay/${encodeURIComponent(tradeId)}`, "cache-control": "no-store" };
  return { status: 302, headers, body: "" };
});
