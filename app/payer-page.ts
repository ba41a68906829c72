import type { Context } from "@/app/context";
import type { Messages } from "@/components/pay/messages/en";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { awayPage, busyPage } from "@/components/pay/page/document";
import type { ApiCall } from "@/lib/http/api-call";
import { retryHeaders } from "@/lib/http/public-problem";
import type { Reply } from "@/lib/http/reply";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

/** Answers a payer's page: who looked too often waits, and a page that cannot be shown says so and comes back by itself. */
export async function answerPayer(
  { log, visitors, pages, now }: Pick<Context, "log" | "visitors" | "pages" | "now">,
  call: ApiCall,
  /** What it is about, for the log. */
  about: Record<string, string>,
  work: () => Promise<Reply>,
  /** So many views it counts as; left out: one. */
  cost?: number,
): Promise<Reply> {
  const wait = visitors.view(call, now(), cost);
  if (wait > 0) return answerBusy(pages, call, wait);
  try {
    return await work();
  } catch (error) {
    log.error({ err: error, ...about }, "a payer's page could not be shown");
    const t = languageFor(call, null);
    const headers = { ...retryHeaders(RETRY_SECONDS), ...languageHeaders(t) };
    return pages.answer(call, `away ${t.lang}`, () => awayPage(t), { status: 503, headers });
  }
}

/** Returns the page of a payer who has to wait: it loads again after `seconds`. */
export function answerBusy(pages: Context["pages"], call: ApiCall, seconds: number): Promise<Reply> {
  const t = languageFor(call, null);
  const headers = { ...retryHeaders(seconds), ...languageHeaders(t) };
  return pages.answer(call, `busy ${seconds} ${t.lang}`, () => busyPage(t, seconds), { status: 429, headers });
}

/** Whether only the page's `<main>` is asked for. */
export function isFragment(call: ApiCall): boolean {
  return call.header("accept")?.includes(FRAGMENT) || queryOf(call).get("fragment") === "1";
}

/** `locale` is the order's, null where there is none; `offered` are tags of its merchant's, none for all. */
export function languageFor(call: ApiCall, locale: string | null, offered: readonly string[] = []): Messages {
  const accepted = call.header("accept-language");
  return chooseLanguage({ chosen: queryOf(call).get("lang"), locale, accepted }, offered);
}

/** What an answer says of its language. */
export function languageHeaders({ lang }: Messages): Record<string, string> {
  return { "content-language": lang, vary: "accept, accept-encoding, accept-language" };
}

/** What follows the question mark of a request. */
export function queryOf({ target }: Pick<ApiCall, "target">): URLSearchParams {
  return new URLSearchParams(target.split("?")[1] ?? "");
}
