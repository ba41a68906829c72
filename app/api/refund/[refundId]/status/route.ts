import { getContext } from "@/app/context";
import { checkoutTag } from "@/lib/domain/checkout/refresh";
import { problem } from "@/lib/domain/problems/problem";
import { type ClaimStatusData, claimView } from "@/lib/domain/refunds/claim-view";
import { problemReply } from "@/lib/http/public-problem";
import { isKnown, jsonReply, replyRoute, timeHeader } from "@/lib/http/reply";
import { findClaimPage } from "@/lib/refunds/find-claim-page";

const RETRY_SECONDS = 5;

/** Returns the status of a refund for its claim page, or 304 if the page already shows it. */
export const GET = replyRoute<{ refundId: string }>(async (call, { refundId }) => {
  const context = getContext();
  const { log, now, visitors } = context;
  const wait = visitors.view(call, now());
  if (wait > 0) return problemReply(problem("too_many_views", { seconds: wait }));
  try {
    const facts = await findClaimPage(context, refundId);
    if (!facts) return problemReply(problem("page_refund_not_found"));
    const at = now();
    const view = claimView(facts, at);
    const tag = checkoutTag(view);
    const headers = { "cache-control": "no-store", etag: `"${tag}"`, ...timeHeader(at) };
    const data: ClaimStatusData = { refund_id: view.id, version: view.version, tag, status: view.state };
    return isKnown(call, tag) ? { status: 304, headers, body: "" } : jsonReply(200, data, headers);
  } catch (error) {
    log.error({ err: error, refundId }, "the status of a refund could not be read");
    return problemReply(problem("page_refund_unreadable", { seconds: RETRY_SECONDS }));
  }
});
