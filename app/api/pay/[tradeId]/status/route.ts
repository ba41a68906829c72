import { getContext } from "@/app/context";
import { checkoutTag, pageView } from "@/lib/domain/checkout/refresh";
import { toStatusData } from "@/lib/domain/checkout/status-wire";
import { problem } from "@/lib/domain/problems/problem";
import { problemReply } from "@/lib/http/public-problem";
import { isKnown, jsonReply, replyRoute, timeHeader } from "@/lib/http/reply";
import { findPageFacts } from "@/lib/orders/find-checkout";

const RETRY_SECONDS = 5;

/** Returns the status of an order for its payment page, or 304 if the page already shows it. */
export const GET = replyRoute<{ tradeId: string }>(async (call, { tradeId }) => {
  const context = getContext();
  const { pool, log, now, visitors } = context;
  const wait = visitors.view(call, now());
  if (wait > 0) return problemReply(problem("too_many_views", { seconds: wait }));
  try {
    const facts = await findPageFacts(pool.db, context, tradeId, now());
    if (!facts) return problemReply(problem("page_order_not_found"));
    if (facts === "tampered") return problemReply(problem("page_order_not_verified", { seconds: RETRY_SECONDS }));
    const at = now();
    const view = pageView(facts, at);
    const tag = checkoutTag(view);
    const headers = { "cache-control": "no-store", etag: `"${tag}"`, ...timeHeader(at) };
    return isKnown(call, tag) ? { status: 304, headers, body: "" } : jsonReply(200, toStatusData(view, tag), headers);
  } catch (error) {
    log.error({ err: error, tradeId }, "the status of an order could not be read");
    return problemReply(problem("page_order_unreadable", { seconds: RETRY_SECONDS }));
  }
});
