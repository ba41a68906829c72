import { getContext } from "@/app/context";
import { awayPage, busyPage, checkoutFragment, checkoutPage, notFoundPage, type Page } from "@/components/pay/document";
import { en } from "@/components/pay/messages/en";
import { CHOICE_PROBLEMS, readMethod } from "@/lib/domain/checkout/choice";
import { checkoutTag, pageView } from "@/lib/domain/checkout/refresh";
import { AppError } from "@/lib/errors";
import { callOfRequest } from "@/lib/http/api-call";
import { htmlAnswer } from "@/lib/http/html-answer";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { chooseMethod } from "@/lib/orders/choose-method";
import { findPageFacts, findPageLogo } from "@/lib/orders/find-checkout";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

interface Params {
  params: Promise<{ tradeId: string }>;
}

/** The payment page of an order; with `?fragment=1`, or asked for as a fragment by Accept, only its `<main>`. */
export async function GET(request: Request, { params }: Params): Promise<Response> {
  const { tradeId } = await params;
  return guarded(request, tradeId, async () => {
    const page = await renderOrder(request, tradeId);
    return page === null ? answer(request, notFoundPage(en), 404) : answer(request, page, 200);
  });
}

/**
 * The payer chooses how to pay; then the page is shown, with what is to be sent, or with why nothing was chosen. Who knows the
 * link may choose: it is all that anybody needs to pay.
 */
export async function POST(request: Request, { params }: Params): Promise<Response> {
  const { tradeId } = await params;
  return guarded(request, tradeId, async () => {
    const { env, log, now, orders, pool } = getContext();
    const form = new URLSearchParams(new TextDecoder().decode(await callOfRequest(request).readBody()));
    const method = readMethod(form.get("method") ?? "");
    const context = { ...orders, env, log };
    const choice = method && (await chooseMethod(pool.db, context, tradeId, method, now()));
    const query = choice && "problem" in choice ? `?problem=${choice.problem}` : "";
    return new Response(null, { status: 303, headers: { location: `/pay/${encodeURIComponent(tradeId)}${query}` } });
  });
}

async function guarded(request: Request, tradeId: string, work: () => Promise<Response>): Promise<Response> {
  const { log, visitors, now } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return answer(request, busyPage(en, wait), 429, refusal(TOO_MANY_VIEWS, wait).headers);
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return answer(request, notFoundPage(en), error.httpStatus);
    log.error({ err: error, tradeId }, "the payment page could not be shown");
    return answer(request, awayPage(en), 503, refusal("the page cannot be shown", RETRY_SECONDS).headers);
  }
}

async function renderOrder(request: Request, tradeId: string): Promise<Page | null> {
  const { pool, env, now } = getContext();
  const facts = await findPageFacts(pool.db, env, tradeId, now());
  if (!facts) return null;
  const at = now();
  const view = pageView(facts, at);
  const isWhole = !isFragment(request);
  const logo = isWhole ? await findPageLogo(pool.db, facts) : null;
  const asked = new URL(request.url).searchParams.get("problem");
  const problem = CHOICE_PROBLEMS.find((one) => one === asked) ?? null;
  const context = { t: en, nowMs: at.getTime(), isSandbox: env.isSandbox, logo, problem };
  return (isWhole ? checkoutPage : checkoutFragment)(view, checkoutTag(view), context);
}

function isFragment(request: Request): boolean {
  if (request.headers.get("accept")?.includes(FRAGMENT)) return true;
  return new URL(request.url).searchParams.get("fragment") === "1";
}

function answer(request: Request, page: Page, status: number, headers: Record<string, string> = {}) {
  return htmlAnswer(request, page.html, { status, policy: page.policy, headers });
}
