import { getCellContext, getContext } from "@/app/context";
import { awayPage, busyPage, depositFragment, depositPage, noDepositPage } from "@/components/pay/document";
import type { Messages } from "@/components/pay/messages/en";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { findDepositPage, findDepositPageLogo } from "@/lib/deposits/find-page";
import { depositView } from "@/lib/domain/checkout/deposit-view";
import { checkoutTag, viewName } from "@/lib/domain/checkout/refresh";
import { cellOfId } from "@/lib/domain/id";
import type { ApiCall } from "@/lib/http/api-call";
import { type Reply, replyRoute, timeHeader } from "@/lib/http/reply";
import { refusal, TOO_MANY_VIEWS } from "@/lib/http/visitors";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

interface Params {
  depositId: string;
}

/** The page of an address that stays with a customer; with `?fragment=1`, or asked for as a fragment by Accept, only its `<main>`. */
export const GET = replyRoute<Params>(async (call, { depositId }) => {
  const context = getCellContext(cellOfId(depositId));
  const { log, visitors, pages, now } = context;
  const wait = visitors.view(call, now());
  if (wait > 0) {
    const t = languageFor(call);
    const headers = { ...refusal(TOO_MANY_VIEWS, wait).headers, ...languageHeaders(t) };
    return pages.answer(call, `busy ${wait} ${t.lang}`, () => busyPage(t, wait), { status: 429, headers });
  }
  try {
    return await show(call, depositId);
  } catch (error) {
    log.error({ err: error, depositId }, "the page of a deposit address could not be shown");
    const t = languageFor(call);
    const headers = { ...refusal("the page cannot be shown", RETRY_SECONDS).headers, ...languageHeaders(t) };
    return pages.answer(call, `away ${t.lang}`, () => awayPage(t), { status: 503, headers });
  }
});

async function show(call: ApiCall, depositId: string): Promise<Reply> {
  const context = getCellContext(cellOfId(depositId));
  const { env, now, pages, pool } = context;
  const facts = await findDepositPage(pool.db, context, depositId, now());
  if (!facts) return notFound(call);
  const view = depositView(facts, now());
  const t = languageFor(call, facts.brand.languages);
  const [kind, make] = isFragment(call) ? (["part", depositFragment] as const) : (["page", depositPage] as const);
  const page = async () => {
    const logo = kind === "page" ? await findDepositPageLogo(pool.db, facts) : null;
    return make(view, checkoutTag(view), { t, isSandbox: env.isSandbox, logo });
  };
  const name = ["deposit", viewName(view), kind, t.lang].join(" ");
  return pages.answer(call, name, page, { headers: { ...timeHeader(now()), ...languageHeaders(t) } });
}

function notFound(call: ApiCall): Promise<Reply> {
  const t = languageFor(call);
  const options = { status: 404, headers: languageHeaders(t) };
  return getContext().pages.answer(call, `no deposit ${t.lang}`, () => noDepositPage(t), options);
}

function isFragment(call: ApiCall): boolean {
  return call.header("accept")?.includes(FRAGMENT) || queryOf(call).get("fragment") === "1";
}

/** `offered` are tags of the merchant's languages, none for all. */
function languageFor(call: ApiCall, offered: readonly string[] = []): Messages {
  const accepted = call.header("accept-language");
  return chooseLanguage({ chosen: queryOf(call).get("lang"), accepted }, offered);
}

function languageHeaders({ lang }: Messages): Record<string, string> {
  return { "content-language": lang, vary: "accept, accept-encoding, accept-language" };
}

function queryOf({ target }: ApiCall): URLSearchParams {
  return new URLSearchParams(target.split("?")[1] ?? "");
}
