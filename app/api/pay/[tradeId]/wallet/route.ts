import { getContext } from "@/app/context";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { walletTexts } from "@/components/pay/wording";
import type { WalletData } from "@/lib/domain/checkout/wallet-request";
import { problem } from "@/lib/domain/problems/problem";
import { problemReply } from "@/lib/http/public-problem";
import { jsonReply, replyRoute } from "@/lib/http/reply";
import { findWalletRequest } from "@/lib/orders/find-wallet-request";

const RETRY_SECONDS = 5;

/**
 * Returns the requests for a payer's wallet (with `?account=`, for that account) and the messages for each possible
 * result.
 */
export const GET = replyRoute<{ tradeId: string }>(async (call, { tradeId }) => {
  const context = getContext();
  const { pool, log, now, visitors } = context;
  const wait = visitors.view(call, now());
  if (wait > 0) return problemReply(problem("too_many_views", { seconds: wait }));
  try {
    const query = new URLSearchParams(call.target.split("?")[1] ?? "");
    const account = query.get("account");
    const offer = await findWalletRequest(pool.db, context, { tradeId, account }, now());
    if (!offer) return problemReply(problem("page_order_not_found"));
    const { view, request } = offer;
    const data: WalletData = {
      trade_id: view.tradeId,
      version: view.version,
      offer: view.offer.name,
      request,
      words: walletTexts(view, chooseLanguage({ chosen: query.get("lang") })),
    };
    return jsonReply(200, data);
  } catch (error) {
    log.error({ err: error, tradeId }, "the payment request for a wallet could not be read");
    return problemReply(problem("page_order_unreadable", { seconds: RETRY_SECONDS }));
  }
});
