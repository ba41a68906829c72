import { getContext } from "@/app/context";
import { findDepositPage } from "@/lib/deposits/find-page";
import { checkoutTag } from "@/lib/domain/checkout/refresh";
import { depositView, toDepositStatus } from "@/lib/domain/deposits/deposit-view";
import { problem } from "@/lib/domain/problems/problem";
import { problemReply } from "@/lib/http/public-problem";
import { isKnown, jsonReply, replyRoute, timeHeader } from "@/lib/http/reply";

const RETRY_SECONDS = 5;

/** Returns the deposits of an address for its page, or 304 if the page already shows them. */
export const GET = replyRoute<{ depositId: string }>(async (call, { depositId }) => {
  const context = getContext();
  const { pool, log, now, visitors } = context;
  const wait = visitors.view(call, now());
  if (wait > 0) return problemReply(problem("too_many_views", { seconds: wait }));
  try {
    const facts = await findDepositPage(pool.db, context, depositId, now());
    if (!facts) return problemReply(problem("page_deposit_not_found"));
    const at = now();
    const view = depositView(facts, at);
    const tag = checkoutTag(view);
    const headers = { "cache-control": "no-store", etag: `"${tag}"`, ...timeHeader(at) };
    return isKnown(call, tag)
      ? { status: 304, headers, body: "" }
      : jsonReply(200, toDepositStatus(view, tag), headers);
  } catch (error) {
    log.error({ err: error, depositId }, "the status of a deposit address could not be read");
    return problemReply(problem("page_deposit_unreadable", { seconds: RETRY_SECONDS }));
  }
});
