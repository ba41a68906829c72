import { getContext } from "@/app/context";
import { awayPage, busyPage, checkoutFragment, checkoutPage, notFoundPage, type Page } from "@/components/pay/document";
import { en } from "@/components/pay/messages/en";
import { checkoutTag } from "@/lib/domain/checkout/refresh";
import { checkoutView } from "@/lib/domain/checkout/view";
import { htmlAnswer } from "@/lib/http/html-answer";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { findCheckout } from "@/lib/orders/find-checkout";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

/** The payment page of an order; with `?fragment=1`, or asked for as a fragment by Accept, only its `<main>`. */
export async function GET(request: Request, { params }: { params: Promise<{ tradeId: string }> }): Promise<Response> {
  const { tradeId } = await params;
  const { visitors, now } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return answer(request, busyPage(en, wait), 429, refusal(TOO_MANY_VIEWS, wait).headers);
  try {
    const page = await renderOrder(tradeId, isFragment(request));
    if (page === null) return answer(request, notFoundPage(en), 404);
    return await answer(request, page, 200);
  } catch (error) {
    getContext().log.error({ err: error, tradeId }, "the payment page could not be shown");
    return answer(request, awayPage(en), 503, refusal("the page cannot be shown", RETRY_SECONDS).headers);
  }
}

async function renderOrder(tradeId: string, asFragment: boolean): Promise<Page | null> {
  const { pool, env, now } = getContext();
  const facts = await findCheckout(pool.db, tradeId);
  if (!facts) return null;
  const at = now();
  const view = checkoutView(facts, at);
  const context = { t: en, nowMs: at.getTime(), isSandbox: env.isSandbox };
  return (asFragment ? checkoutFragment : checkoutPage)(view, checkoutTag(view), context);
}

function isFragment(request: Request): boolean {
  if (request.headers.get("accept")?.includes(FRAGMENT)) return true;
  return new URL(request.url).searchParams.get("fragment") === "1";
}

function answer(request: Request, page: Page, status: number, headers: Record<string, string> = {}) {
  return htmlAnswer(request, page.html, { status, policy: page.policy, headers });
}
