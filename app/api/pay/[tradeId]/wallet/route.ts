import { getContext } from "@/app/context";
import { en } from "@/components/pay/messages/en";
import { walletWords } from "@/components/pay/wording";
import type { WalletData } from "@/lib/domain/checkout/wallet-request";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { findWalletRequest } from "@/lib/orders/find-wallet-request";

/** What a payer's wallet is asked for (with `?account=`, for that account), and the words for what may come of it. */
export async function GET(request: Request, { params }: { params: Promise<{ tradeId: string }> }): Promise<Response> {
  const { tradeId } = await params;
  const { env, pool, log, now, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  try {
    const account = new URL(request.url).searchParams.get("account");
    const offer = await findWalletRequest(pool.db, env, { tradeId, account }, now());
    if (!offer) return Response.json({ message: "There is no such order" }, { status: 404, headers: UNSTORED });
    const { view, request: asked } = offer;
    const data: WalletData = {
      ...{ trade_id: view.tradeId, version: view.version, offer: view.offer.name, request: asked },
      words: walletWords(view, en),
    };
    return Response.json(data, { headers: UNSTORED });
  } catch (error) {
    log.error({ err: error, tradeId }, "what a wallet is asked for could not be read");
    return refuseForNow("The order cannot be read right now", RETRY_SECONDS, 503);
  }
}

const RETRY_SECONDS = 5;
const UNSTORED = { "cache-control": "no-store" };
