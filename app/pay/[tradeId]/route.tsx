import { getContext } from "@/app/context";
import { answerPayer, isFragment, languageFor, languageHeaders, queryOf } from "@/app/payer-page";
import { languageOf } from "@/components/pay/messages/languages";
import { checkoutFragment, checkoutPage, integrityPage, notFoundPage } from "@/components/pay/page/document";
import { CHOICE_PROBLEMS, choiceView, readMethod } from "@/lib/domain/checkout/choice";
import { readSource, sourceName } from "@/lib/domain/checkout/exchanges";
import { type LookupProblem, MAX_TYPED } from "@/lib/domain/checkout/lookup-view";
import { checkoutTag, type PageView, pageView, viewName } from "@/lib/domain/checkout/refresh";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { httpStatusOf } from "@/lib/http/problem-status";
import { type Reply, replyRoute, timeHeader } from "@/lib/http/reply";
import { askLookup, withdrawLookup } from "@/lib/ledger/ask-lookup";
import { chooseMethod } from "@/lib/orders/choose-method";
import { findPageFacts, findPageLogo, findSwitch } from "@/lib/orders/find-checkout";
import { extendOrder } from "@/lib/orders/renew-order";

const ASK_AGAIN_SECONDS = 60;
/** The number of views that a form submission counts as. It is higher than one because a submission may write to the database. */
const FORM_COST = 10;

interface Params {
  tradeId: string;
}

/** Renders the payment page of an order; with `?fragment=1`, or if the Accept header requests a fragment, only its `<main>`. */
export const GET = replyRoute<Params>((call, { tradeId }) => guarded(call, tradeId, () => show(call, tradeId)));

/** A transaction id for which no lookup was started: the reason, and the payer's input. */
interface Unasked {
  problem: LookupProblem;
  typed: string;
}

/**
 * Renders the payment page of an order.
 * @param unasked the transaction id that was not looked up, if any; the response then has the status of the error and repeats the payer's
 * input, and is never cached for other payers
 */
async function show(call: ApiCall, tradeId: string, unasked?: Unasked): Promise<Reply> {
  const context = getContext();
  const { env, now, orders, pages, pool } = context;
  const facts = await findPageFacts(pool.db, context, tradeId, now());
  if (!facts) return notFound(call);
  if (facts === "tampered") return unverified(call);
  const at = now();
  const shown = pageView(facts, at);
  const t = languageFor(call, facts.locale, facts.brand.languages);
  const query = queryOf(call);
  const problem = CHOICE_PROBLEMS.find((one) => one === query.get("problem")) ?? null;
  const isNewChoice = (query.has("choose") || problem !== null) && canSwitch(shown);
  const reload = isNewChoice ? await findSwitch(pool.db, { env, rateSources: orders.rateSources }, tradeId, at) : null;
  const view = reload ? choiceView(reload, at) : shown;
  const [kind, make] = isFragment(call) ? (["part", checkoutFragment] as const) : (["page", checkoutPage] as const);
  const asking = { problem, lookupProblem: unasked?.problem ?? null, isAsking: query.has("paid") };
  const from = readSource(query.get("from"));
  const shownName = viewName(shown);
  const name = [
    reload ? viewName(view) : shownName,
    shownName,
    kind,
    t.lang,
    sourceName(from),
    ...Object.values(asking),
  ].join(" ");
  const url = `${env.publicUrl}/pay/${tradeId}`;
  const page = async () => {
    const logo = kind === "page" ? await findPageLogo(pool.db, facts) : null;
    const typed = unasked ? { typed: unasked.typed } : {};
    return make(view, checkoutTag(shown), { t, isSandbox: env.isSandbox, logo, url, from, ...asking, ...typed });
  };
  const headers = { ...timeHeader(now()), ...languageHeaders(t) };
  if (!unasked) return pages.answer(call, name, page, { headers });
  const status = unasked.problem === "txid" ? 422 : 429;
  const retry = status === 429 ? { "retry-after": String(ASK_AGAIN_SECONDS) } : {};
  return pages.answer(call, null, page, { status, headers: { ...headers, ...retry } });
}

/**
 * Handles a form of the payment page: the choice of a method, an extension of the payment time, or the lookup of a transaction and its
 * withdrawal. Then
 * redirects to the page, which shows the result or the problem. The link is the only permission needed: anyone with the link may pay.
 */
export const POST = replyRoute<Params>((call, { tradeId }) => {
  const work = async () => {
    const { env, log, now, orders, pool, visitors } = getContext();
    const form = new URLSearchParams(new TextDecoder().decode(await call.readBody()));
    const more = form.get("more");
    if (more !== null) await extendOrder(pool.db, { tradeId, extensions: Number(more) }, now());
    if (form.has("withdraw")) await withdrawLookup(pool.db, tradeId, now());
    const text = form.get("tx");
    if (text !== null) {
      const from = visitors.countedAddress(call);
      const problem = await askLookup(pool.db, { ...orders, env }, { tradeId, text, from }, now());
      if (problem) return show(call, tradeId, { problem, typed: text.slice(0, MAX_TYPED) });
    }
    const method = readMethod(form.get("method") ?? "");
    const context = { ...orders, env, log };
    const choice = method && (await chooseMethod(pool.db, context, tradeId, method, now()));
    const query = new URLSearchParams();
    if (choice && "problem" in choice) query.set("problem", choice.problem);
    const chosen = languageOf(queryOf(call).get("lang") ?? "");
    if (chosen) query.set("lang", chosen.lang);
    const from = sourceName(readSource(queryOf(call).get("from")));
    if (from) query.set("from", from);
    const location = `/pay/${encodeURIComponent(tradeId)}${query.size > 0 ? `?${query}` : ""}`;
    return { status: 303, headers: { location }, body: "" };
  };
  return guarded(call, tradeId, work, FORM_COST);
});

/** Runs `work`, or responds with "not found" if the order id is invalid. */
function guarded(call: ApiCall, tradeId: string, work: () => Promise<Reply>, cost?: number): Promise<Reply> {
  const found = () =>
    work().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 10001) return notFound(call, httpStatusOf(error));
      throw error;
    });
  return answerPayer(getContext(), call, { tradeId }, found, cost);
}

/**
 * Returns true if the payer may choose a different method. If the page shows that choice, its cache key also contains the view that the
 * page would otherwise show, so that a change to that view invalidates the cached page.
 */
function canSwitch(view: PageView): boolean {
  return "canSwitch" in view && view.canSwitch;
}

function notFound(call: ApiCall, status = 404): Promise<Reply> {
  const t = languageFor(call, null);
  const options = { status, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `nothing ${t.lang}`, () => notFoundPage(t), options);
}

/** Renders the page for an order whose address was changed in the database. The page shows no payment details. */
function unverified(call: ApiCall): Promise<Reply> {
  const t = languageFor(call, null);
  const options = { status: 503, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `tampered ${t.lang}`, () => integrityPage(t), options);
}
