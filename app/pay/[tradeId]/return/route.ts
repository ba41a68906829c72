import { getContext } from "@/app/context";
import { retryHeaders } from "@/lib/http/public-problem";
import { replyRoute } from "@/lib/http/reply";
import { findSignedReturn } from "@/lib/plugins/find-return";

/** Redirects a payer back to a shop whose integration signs return URLs. */
export const GET = replyRoute<{ tradeId: string }>(async (call, { tradeId }) => {
  const context = getContext();
  const wait = context.visitors.view(call, context.now());
  if (wait > 0) return { status: 429, headers: retryHeaders(wait), body: "" };
  const location = await findSignedReturn(context, tradeId, context.now());
  const headers = { location: location ?? `/pay/${encodeURIComponent(tradeId)}`, "cache-control": "no-store" };
  return { status: 302, headers, body: "" };
});
