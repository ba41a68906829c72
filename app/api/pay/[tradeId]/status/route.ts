import { getContext } from "@/app/context";
import { checkoutTag, pageView } from "@/lib/domain/checkout/refresh";
import { toStatusData } from "@/lib/domain/checkout/status-wire";
import { isKnown, jsonReply, replyRoute, timeHeader } from "@/lib/http/reply";
import { refusalReply, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { findPageFacts } from "@/lib/orders/find-checkout";

const RETRY_SECONDS = 5;

/** Where an order stands, for its payment page; 304 while the page already shows it. */
export const GET = replyRoute<{ tradeId: string }>(async (call, { tradeId }) => {
  const context = getContext();
  const { pool, log, now, visitors } = context;
  const wait = visitors.view(call, now());
  if (wait > 0) return refusalReply(429, TOO_MANY_VIEWS, wait);
  try {
    const facts = await findPageFacts(pool.db, context, tradeId, now());
    if (!facts) return jsonReply(404, { message: "There is no such order" });
    if (facts === "tampered")
      return refusalReply(503, "The order cannot be paid now: its address was changed", RETRY_SECONDS);
    const at = now();
    const view = pageView(facts, at);
    const tag = checkoutTag(view);
    const headers = { "cache-control": "no-store", etag: `"${tag}"`, ...timeHeader(at) };
    return isKnown(call, tag) ? { status: 304, headers, body: "" } : jsonReply(200, toStatusData(view, tag), headers);
  } catch (error) {
    log.error({ err: error, tradeId }, "the status of an order could not be read");
    return refusalReply(503, "The order cannot be read right now", RETRY_SECONDS);
  }
});
