import { type Context, getContext } from "@/app/context";
import { answerForm, answerPayer, isFragment, languageFor, languageHeaders, queryOf } from "@/app/payer-page";
import { languageOf } from "@/components/pay/messages/languages";
import { claimFragment, claimPage, noClaimPage } from "@/components/pay/page/document";
import { checkoutTag, viewName } from "@/lib/domain/checkout/refresh";
import { claimView, type RefusedClaim, refusedClaim } from "@/lib/domain/refunds/claim-view";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, replyRoute, timeHeader } from "@/lib/http/reply";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { findClaimPage, findClaimPageLogo } from "@/lib/refunds/find-claim-page";
import { refundContext } from "@/lib/refunds/move-refund";

/** The number of views that a claim counts as. */
const FORM_COST = 10;
const RETRY_SECONDS = 60;

interface Params {
  refundId: string;
}

/** Renders the claim page of a refund; with `?fragment=1`, or if the Accept header requests a fragment, only its `<main>`. */
export const GET = replyRoute<Params>((call, { refundId }) => {
  const context = getContext();
  return answerPayer(context, call, { refundId }, () => show(call, context, refundId, null));
});

/**
 * Handles a claim, and redirects to the page, which shows its status. A refused claim is shown with its problem and the customer's input.
 * The link is the only permission needed, besides what the merchant asks for.
 */
export const POST = replyRoute<Params>((call, { refundId }) => {
  const context = getContext();
  const work = async () => {
    const { now, pool } = context;
    const form = new URLSearchParams(new TextDecoder().decode(await call.readBody()));
    const text = (name: string) => form.get(name)?.trim() ?? "";
    const input = { network: text("network"), address: text("address"), check: text("check") };
    const claim = { ...input, confirmation: text("confirmation") };
    const refused = await claimRefund(pool.db, refundContext(context), refundId, claim, now());
    const [problem] = refused?.errors ?? [];
    if (problem) return show(call, context, refundId, refusedClaim(problem.code, input));
    const chosen = languageOf(queryOf(call).get("lang") ?? "");
    const query = chosen ? `?lang=${chosen.lang}` : "";
    return { status: 303, headers: { location: `/refund/${encodeURIComponent(refundId)}${query}` }, body: "" };
  };
  const form = () => answerForm(work, (status) => notFound(call, status));
  return answerPayer(context, call, { refundId }, form, FORM_COST);
});

async function show(call: ApiCall, context: Context, refundId: string, refused: RefusedClaim | null): Promise<Reply> {
  const { env, now, pages, pool } = context;
  const facts = await findClaimPage(context, refundId);
  if (!facts) return notFound(call);
  const view = claimView(facts, now());
  const t = languageFor(call, null, facts.brand.languages);
  const [kind, make] = isFragment(call) ? (["part", claimFragment] as const) : (["page", claimPage] as const);
  const page = async () => {
    const logo = kind === "page" ? await findClaimPageLogo(pool.db, facts) : null;
    return make(view, checkoutTag(view), { t, isSandbox: env.isSandbox, logo, refused });
  };
  const headers = { ...timeHeader(now()), ...languageHeaders(t) };
  if (refused === null) {
    const name = ["claim", viewName(view), kind, t.lang].join(" ");
    return pages.answer(call, name, page, { headers });
  }
  const isTooOften = refused.problem === "often";
  const retry = isTooOften ? { "retry-after": String(RETRY_SECONDS) } : {};
  // A page with the customer's input is never cached for others.
  return pages.answer(call, null, page, { status: isTooOften ? 429 : 422, headers: { ...headers, ...retry } });
}

function notFound(call: ApiCall, status = 404): Promise<Reply> {
  const t = languageFor(call, null);
  const options = { status, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `no refund ${t.lang}`, () => noClaimPage(t), options);
}
