import { type Context, getContext } from "@/app/context";
import { answerForm, answerPayer, languageFor, languageHeaders, queryOf } from "@/app/payer-page";
import { languageOf } from "@/components/pay/messages/languages";
import { linkPage, noLinkPage } from "@/components/pay/page/document";
import { isId, newId } from "@/lib/domain/id";
import { linkView, type RefusedPayment, refusedPayment } from "@/lib/domain/links/link-view";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, replyRoute, timeHeader } from "@/lib/http/reply";
import { findLinkPage, findLinkPageLogo } from "@/lib/links/find-link-page";
import { startPayment } from "@/lib/links/start-payment";

/** The number of views that a form submission counts as, because it may write to the database. */
const FORM_COST = 10;
const RETRY_SECONDS = 360;
const COOKIE = "stablegate.link";
const COOKIE_SECONDS = 86_400;

interface Params {
  linkId: string;
}

/**
 * Renders the page of a payment link. A cookie for this page contains the key of the form, so that a payer who goes back to the page and
 * submits it again gets the same order. A browser whose order ended gets a new key.
 */
export const GET = replyRoute<Params>((call, { linkId }) => {
  const context = getContext();
  return answerPayer(context, call, { linkId }, () => show(call, context, { linkId, formKey: keyOf(call) }, null));
});

/**
 * Creates an order with a payment link, and redirects to its payment page. Refused input is shown with its problem. The link is the only
 * permission needed.
 */
export const POST = replyRoute<Params>((call, { linkId }) => {
  const context = getContext();
  const work = async () => {
    const { env, log, now, orders, pool, visitors } = context;
    const form = new URLSearchParams(new TextDecoder().decode(await call.readBody()));
    const typed = { amount: form.get("amount") ?? "", note: form.get("note") ?? "" };
    const sent = form.get("key") ?? "";
    const formKey = isId(sent) ? sent : newId(now());
    const payment = { linkId, formKey, ...typed, from: visitors.countedAddress(call) };
    const started = await startPayment(pool.db, { ...orders, env, log }, payment, now());
    if (started === null) return notFound(call);
    if (started === "over") return show(call, context, { linkId, formKey }, null);
    if ("problem" in started) return show(call, context, { linkId, formKey }, refusedPayment(started.problem, typed));
    const chosen = languageOf(queryOf(call).get("lang") ?? "");
    const location = `/pay/${started.orderId}${chosen ? `?lang=${chosen.lang}` : ""}`;
    return { status: 303, headers: { location, "set-cookie": cookieOf(context, linkId, formKey) }, body: "" };
  };
  const form = () => answerForm(work, (status) => notFound(call, status));
  return answerPayer(context, call, { linkId }, form, FORM_COST);
});

async function show(
  call: ApiCall,
  context: Context,
  { linkId, formKey: known }: { linkId: string; formKey: string | null },
  refused: RefusedPayment | null,
): Promise<Reply> {
  const { env, log, now, orders, pages, pool } = context;
  const facts = await findLinkPage(pool.db, { ...orders, env, log }, { id: linkId, formKey: known }, now());
  if (!facts) return notFound(call);
  const view = linkView(facts, now());
  const t = languageFor(call, null, facts.brand.languages);
  const isKept = known !== null && (refused !== null || facts.openOrderId !== null);
  const formKey = isKept ? known : newId(now());
  const page = async () => {
    const logo = await findLinkPageLogo(pool.db, facts);
    return linkPage(view, { t, isSandbox: env.isSandbox, logo, refused, formKey });
  };
  const retry = refused?.problem.kind === "often" ? { "retry-after": String(RETRY_SECONDS) } : {};
  const headers = {
    ...timeHeader(now()),
    ...languageHeaders(t),
    ...retry,
    "set-cookie": cookieOf(context, linkId, formKey),
  };
  // The page contains the key of one form, so it is never cached for others.
  return pages.answer(call, null, page, { status: statusOf(refused), headers });
}

function statusOf(refused: RefusedPayment | null): number {
  switch (refused?.problem.kind) {
    case undefined:
      return 200;
    case "often":
      return 429;
    case "away":
      return 503;
    default:
      return 422;
  }
}

/** Returns the key of the form that this browser got from this page before; null if there is none. */
function keyOf(call: ApiCall): string | null {
  const sent = (call.header("cookie") ?? "").split(";").map((part) => part.trim().split("="));
  const [, key = ""] = sent.find(([name]) => name === COOKIE) ?? [];
  return isId(key) ? key : null;
}

function cookieOf({ env }: Context, linkId: string, formKey: string): string {
  const secure = env.publicUrl.startsWith("https:") ? "; Secure" : "";
  const path = `/link/${encodeURIComponent(linkId)}`;
  return `${COOKIE}=${formKey}; Path=${path}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function notFound(call: ApiCall, status = 404): Promise<Reply> {
  const t = languageFor(call, null);
  const options = { status, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `no link ${t.lang}`, () => noLinkPage(t), options);
}
