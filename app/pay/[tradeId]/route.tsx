import { getContext } from "@/app/context";
import { awayPage, busyPage, checkoutFragment, checkoutPage, notFoundPage, type Page } from "@/components/pay/document";
import type { Messages } from "@/components/pay/messages/en";
import { chooseLanguage, languageOf } from "@/components/pay/messages/languages";
import { CHOICE_PROBLEMS, readMethod } from "@/lib/domain/checkout/choice";
import { checkoutTag, pageView } from "@/lib/domain/checkout/refresh";
import { AppError } from "@/lib/errors";
import { callOfRequest } from "@/lib/http/api-call";
import { htmlAnswer } from "@/lib/http/html-answer";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { chooseMethod } from "@/lib/orders/choose-method";
import { findPageFacts } from "@/lib/orders/find-checkout";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

interface Params {
  params: Promise<{ tradeId: string }>;
}

/** The payment page of an order; with `?fragment=1`, or asked for as a fragment by Accept, only its `<main>`. */
export async function GET(request: Request, { params }: Params): Promise<Response> {
  const { tradeId } = await params;
  return guarded(request, tradeId, async () => {
    const shown = await renderOrder(request, tradeId);
    if (shown !== null) return answer(request, shown.page, shown.t, 200);
    const t = languageFor(request, null);
    return answer(request, notFoundPage(t), t, 404);
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
    const query = new URLSearchParams();
    if (choice && "problem" in choice) query.set("problem", choice.problem);
    const chosen = languageOf(queryOf(request).get("lang") ?? "");
    if (chosen) query.set("lang", chosen.lang);
    const location = `/pay/${encodeURIComponent(tradeId)}${query.size > 0 ? `?${query}` : ""}`;
    return new Response(null, { status: 303, headers: { location } });
  });
}

async function guarded(request: Request, tradeId: string, work: () => Promise<Response>): Promise<Response> {
  const { log, visitors, now } = getContext();
  const wait = visitors.view(request, now());
  const t = languageFor(request, null);
  if (wait > 0) return answer(request, busyPage(t, wait), t, 429, refusal(TOO_MANY_VIEWS, wait).headers);
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return answer(request, notFoundPage(t), t, error.httpStatus);
    log.error({ err: error, tradeId }, "the payment page could not be shown");
    return answer(request, awayPage(t), t, 503, refusal("the page cannot be shown", RETRY_SECONDS).headers);
  }
}

async function renderOrder(request: Request, tradeId: string): Promise<{ page: Page; t: Messages } | null> {
  const { pool, env, now } = getContext();
  const facts = await findPageFacts(pool.db, env, tradeId, now());
  if (!facts) return null;
  const at = now();
  const view = pageView(facts, at);
  const asked = queryOf(request).get("problem");
  const problem = CHOICE_PROBLEMS.find((one) => one === asked) ?? null;
  const t = languageFor(request, facts.locale);
  const context = { t, nowMs: at.getTime(), isSandbox: env.isSandbox, problem };
  return { page: (isFragment(request) ? checkoutFragment : checkoutPage)(view, checkoutTag(view), context), t };
}

function isFragment(request: Request): boolean {
  if (request.headers.get("accept")?.includes(FRAGMENT)) return true;
  return queryOf(request).get("fragment") === "1";
}

function languageFor(request: Request, locale: string | null): Messages {
  return chooseLanguage({
    chosen: queryOf(request).get("lang"),
    locale,
    accepted: request.headers.get("accept-language"),
  });
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.url).searchParams;
}

function answer(request: Request, page: Page, t: Messages, status: number, headers: Record<string, string> = {}) {
  const language = { "content-language": t.lang, vary: "accept, accept-encoding, accept-language" };
  return htmlAnswer(request, page.html, { status, policy: page.policy, headers: { ...language, ...headers } });
}
