import { getContext } from "@/app/context";
import { awayPage, busyPage, checkoutFragment, checkoutPage, notFoundPage } from "@/components/pay/document";
import type { Messages } from "@/components/pay/messages/en";
import { chooseLanguage, languageOf } from "@/components/pay/messages/languages";
import { CHOICE_PROBLEMS, readMethod } from "@/lib/domain/checkout/choice";
import { checkoutTag, pageView, viewName } from "@/lib/domain/checkout/refresh";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, replyRoute, timeHeader } from "@/lib/http/reply";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import { chooseMethod } from "@/lib/orders/choose-method";
import { findPageFacts, findPageLogo } from "@/lib/orders/find-checkout";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

interface Params {
  tradeId: string;
}

/** The payment page of an order; with `?fragment=1`, or asked for as a fragment by Accept, only its `<main>`. */
export const GET = replyRoute<Params>((call, { tradeId }) =>
  guarded(call, tradeId, async () => {
    const { env, now, pages, pool } = getContext();
    const facts = await findPageFacts(pool.db, getContext(), tradeId, now());
    if (!facts) return notFound(call);
    const view = pageView(facts, now());
    const t = languageFor(call, facts.locale);
    const asked = queryOf(call).get("problem");
    const problem = CHOICE_PROBLEMS.find((one) => one === asked) ?? null;
    const [kind, make] = isFragment(call) ? (["part", checkoutFragment] as const) : (["page", checkoutPage] as const);
    const name = [viewName(view), kind, t.lang, problem].join(" ");
    const page = async () => {
      const logo = kind === "page" ? await findPageLogo(pool.db, facts) : null;
      return make(view, checkoutTag(view), { t, isSandbox: env.isSandbox, logo, problem });
    };
    return pages.answer(call, name, page, { headers: { ...timeHeader(now()), ...languageHeaders(t) } });
  }),
);

/**
 * The payer chooses how to pay; then the page is shown, with what is to be sent, or with why nothing was chosen. Who knows the
 * link may choose: it is all that anybody needs to pay.
 */
export const POST = replyRoute<Params>((call, { tradeId }) =>
  guarded(call, tradeId, async () => {
    const { env, log, now, orders, pool } = getContext();
    const form = new URLSearchParams(new TextDecoder().decode(await call.readBody()));
    const method = readMethod(form.get("method") ?? "");
    const context = { ...orders, env, log };
    const choice = method && (await chooseMethod(pool.db, context, tradeId, method, now()));
    const query = new URLSearchParams();
    if (choice && "problem" in choice) query.set("problem", choice.problem);
    const chosen = languageOf(queryOf(call).get("lang") ?? "");
    if (chosen) query.set("lang", chosen.lang);
    const location = `/pay/${encodeURIComponent(tradeId)}${query.size > 0 ? `?${query}` : ""}`;
    return { status: 303, headers: { location }, body: "" };
  }),
);

async function guarded(call: ApiCall, tradeId: string, work: () => Promise<Reply>): Promise<Reply> {
  const { log, visitors, pages, now } = getContext();
  const wait = visitors.view(call, now());
  if (wait > 0) {
    const t = languageFor(call, null);
    const headers = { ...refusal(TOO_MANY_VIEWS, wait).headers, ...languageHeaders(t) };
    return pages.answer(call, `busy ${wait} ${t.lang}`, () => busyPage(t, wait), { status: 429, headers });
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 10001) return notFound(call, error.httpStatus);
    log.error({ err: error, tradeId }, "the payment page could not be shown");
    const t = languageFor(call, null);
    const headers = { ...refusal("the page cannot be shown", RETRY_SECONDS).headers, ...languageHeaders(t) };
    return pages.answer(call, `away ${t.lang}`, () => awayPage(t), { status: 503, headers });
  }
}

function notFound(call: ApiCall, status = 404): Promise<Reply> {
  const t = languageFor(call, null);
  const options = { status, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `nothing ${t.lang}`, () => notFoundPage(t), options);
}

function isFragment(call: ApiCall): boolean {
  return call.header("accept")?.includes(FRAGMENT) || queryOf(call).get("fragment") === "1";
}

/** `locale` is the order's; null where there is none. */
function languageFor(call: ApiCall, locale: string | null): Messages {
  return chooseLanguage({ chosen: queryOf(call).get("lang"), locale, accepted: call.header("accept-language") });
}

function languageHeaders({ lang }: Messages): Record<string, string> {
  return { "content-language": lang, vary: "accept, accept-encoding, accept-language" };
}

function queryOf({ target }: ApiCall): URLSearchParams {
  return new URLSearchParams(target.split("?")[1] ?? "");
}
