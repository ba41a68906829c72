import { type Context, getContext } from "@/app/context";
import { answerPayer, isFragment, languageFor, languageHeaders } from "@/app/payer-page";
import { depositFragment, depositPage, noDepositPage } from "@/components/pay/page/document";
import { findDepositPage, findDepositPageLogo } from "@/lib/deposits/find-page";
import { checkoutTag, viewName } from "@/lib/domain/checkout/refresh";
import { depositView } from "@/lib/domain/deposits/deposit-view";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, replyRoute, timeHeader } from "@/lib/http/reply";

interface Params {
  depositId: string;
}

/** Renders the page of a customer's deposit address; with `?fragment=1`, or if the Accept header requests a fragment, only its `<main>`. */
export const GET = replyRoute<Params>((call, { depositId }) => {
  const context = getContext();
  return answerPayer(context, call, { depositId }, () => show(call, context, depositId));
});

async function show(call: ApiCall, context: Context, depositId: string): Promise<Reply> {
  const { env, now, pages, pool } = context;
  const facts = await findDepositPage(pool.db, context, depositId, now());
  if (!facts) return notFound(call);
  const view = depositView(facts, now());
  const t = languageFor(call, null, facts.brand.languages);
  const [kind, make] = isFragment(call) ? (["part", depositFragment] as const) : (["page", depositPage] as const);
  const page = async () => {
    const logo = kind === "page" ? await findDepositPageLogo(pool.db, facts) : null;
    return make(view, checkoutTag(view), { t, isSandbox: env.isSandbox, logo });
  };
  const name = ["deposit", viewName(view), kind, t.lang].join(" ");
  return pages.answer(call, name, page, { headers: { ...timeHeader(now()), ...languageHeaders(t) } });
}

function notFound(call: ApiCall): Promise<Reply> {
  const t = languageFor(call, null);
  const options = { status: 404, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `no deposit ${t.lang}`, () => noDepositPage(t), options);
}
